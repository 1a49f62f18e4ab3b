// The host behind a port: a worker's scope, or a stand-in for it in the page.

import { loadFlashes } from "./flashes-loader.js";
import { Host } from "./host.js";
import { compileModule } from "./module.js";

/**
 * Serves the page on the other side of a port.
 *
 * A page that compiles the engine while its worker starts says so, and hands the module over; should that fail, the
 * worker tries itself.
 */
export function serve(port) {
  let host;
  let take;
  const handed = new Promise((resolve) => (take = resolve));
  port.onmessage = ({ data }) => {
    if (data.op === "judge") {
      answerJudge(port, data);
      return;
    }
    if (data.op === "module") {
      take(data.module);
      return;
    }
    if (data.op !== "start") {
      host.receive(data);
      return;
    }
    let module;
    const find = async () => (data.isHanded && (await handed)) || compileModule(data.wasm);
    const load = () => (module ??= find().catch((error) => {
      module = undefined;
      throw error;
    }));
    host = new Host({ load, post: (messages, transfers) => port.postMessage(messages, transfers) });
    // The module is there before the first GIF asks for it.
    load().catch(() => {});
    port.postMessage([{ kind: "ready" }]);
  };
}

/** Judges the flashes of a GIF: a worker that is made for it does nothing else. */
async function answerJudge(port, { module, bytes, seen, limits }) {
  const flashes = await loadFlashes().catch(() => null);
  port.postMessage(flashes?.judge(module, bytes, seen, limits));
}
