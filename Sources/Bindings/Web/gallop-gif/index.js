// The package's door. It may be imported where there is no document; then it defines no element.

import { client } from "./client.js";
import { GallopGIF } from "./element.js";

export { FrameChangeEvent, GallopMediaError, LoopEvent } from "./media-values.js";
export { GallopError } from "./protocol.js";
export { GallopGIF };

/**
 * Sets what holds for the page. `wasm` and `worker` count before the first GIF is opened.
 * @param {import("./client.js").Configuration} settings
 */
export function configure(settings) {
  client.configure(settings);
}

/** Figures of the page's engine: images, players, renderers, bytes, decodes, restarts. */
export function statistics() {
  return client.statistics();
}

/** Defines <gallop-gif>; importing this module has done it already where there are custom elements. */
export function define(name = "gallop-gif") {
  if (globalThis.customElements && !customElements.get(name)) customElements.define(name, GallopGIF);
}

/** A page may only start workers of its own origin; a worker of another one imports the rest. */
client.makeWorker = (address) => {
  if (typeof address === "function") return address();
  if (typeof address === "string" || address instanceof URL) return new Worker(address, { type: "module" });
  const url = new URL("./worker.js", import.meta.url);
  // Bundlers look for these words.
  if (url.origin === location.origin) return new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
  const script = new Blob([`import ${JSON.stringify(url.href)};`], { type: "text/javascript" });
  return new Worker(URL.createObjectURL(script), { type: "module" });
};

define();
