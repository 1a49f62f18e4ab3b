// What an assembled page carries with it: the engine, its worker, sample GIFs. A served page fetches them.
import { configure } from "../index.js";

const inside = globalThis.gallopInside ?? {};
const decode = (text) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));

/** The engine's bytes; undefined where the page is to fetch them. */
export const engineBytes = inside.wasm && decode(inside.wasm);

/** The bytes of the editor; undefined where the page is to fetch them. */
export const editBytes = inside.edit && decode(inside.edit);

/** The bytes of what judges flashes; undefined where the page is to fetch them. */
export const flashesBytes = inside.flashes && decode(inside.flashes);

/** The names of the samples inside. */
export const sampleNames = Object.keys(inside.samples ?? {});

/** The bytes of a sample. @param {string} name */
export const sampleBytes = (name) => decode(inside.samples[name]);

/**
 * Gives the elements of an assembled page their engine. From a disk a worker cannot read the page's `blob:`
 * addresses: pages that use such addresses keep the engine beside them.
 * @param {{hasWorker: boolean}} options
 */
export function configureInside({ hasWorker }) {
  if (engineBytes) configure({ wasm: engineBytes, worker: hasWorker && makeWorker });
}

let script;

/** A worker of the package's script. */
export function makeWorker() {
  if (!inside.worker) return new Worker(new URL("../worker.js", import.meta.url), { type: "module" });
  script ??= URL.createObjectURL(new Blob([inside.worker], { type: "text/javascript" }));
  // No module: Chromium refuses workers that are modules from `blob:` here.
  return new Worker(script);
}
