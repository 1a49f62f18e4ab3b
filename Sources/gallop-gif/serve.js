// The host behind a port: a worker's scope, or a stand-in for it in the page.

import { Host } from "./host.js";
import { compileModule } from "./module.js";

/** Serves the page on the other side of a port. */
export function serve(port) {
  let host;
  port.onmessage = ({ data }) => {
    if (data.op !== "start") {
      host.receive(data);
      return;
    }
    let module;
    const load = () => (module ??= compileModule(data.wasm).catch((error) => {
      module = undefined;
      throw error;
    }));
    host = new Host({ load, post: (messages, transfers) => port.postMessage(messages, transfers) });
    // The module is there before the first GIF asks for it.
    load().catch(() => {});
    port.postMessage([{ kind: "ready" }]);
  };
}
