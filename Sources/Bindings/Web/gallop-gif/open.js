// Decoding without an element, in pages and workers: frames as pixels, and what the file says of itself.

import { bytesAt, bytesOfAnswer, bytesOfStream, isBytes, nameOf, readGIF } from "./decoded.js";
import { Engine, GallopError } from "./engine.js";
import { compileModule } from "./module.js";

export { GIF } from "./decoded.js";
export { Engine, GallopError } from "./engine.js";

let module;
let source;

/**
 * Names another place for the module than beside this file. It counts before the first GIF.
 * @param {string | URL | BufferSource | WebAssembly.Module} wasm
 */
export function useModule(wasm) {
  source = wasm;
  module = undefined;
}

/**
 * Starts an engine of its own. The module that all share is compiled once.
 * @param {string | URL | BufferSource | WebAssembly.Module} [wasm] where the module is
 * @returns {Promise<Engine>}
 */
export async function loadEngine(wasm) {
  if (wasm) return Engine.create(await compileModule(wasm));
  module ??= compileModule(source);
  return Engine.create(await module.catch((error) => {
    module = undefined;
    // Node's fetch reads no files.
    if (source || !globalThis.process?.versions?.node) throw error;
    throw new GallopError(error.code, { message: `${error.message} Node has an import of its own: gallop-gif/node.` });
  }));
}

let shared;

/** The engine that all GIFs without one of their own share, or a fresh one if it has stopped. */
async function sharedEngine() {
  const engine = await (shared ??= loadEngine()).catch((error) => {
    shared = undefined;
    throw error;
  });
  if (!engine.isBroken) return engine;
  shared = loadEngine();
  return shared;
}

/**
 * Opens a GIF.
 * @param {string | URL | Request | Response | ArrayBuffer | ArrayBufferView | Blob | ReadableStream<Uint8Array>
 *   | AsyncIterable<Uint8Array>} input an address, bytes, or what delivers bytes
 * @param {{limits?: object, engine?: Engine}} [options]
 * @returns {Promise<import("./decoded.js").GIF>}
 */
export async function openGIF(input, { limits, engine } = {}) {
  const pieces = piecesOf(input);
  return readGIF(engine ?? (await sharedEngine()), pieces, limits);
}

function piecesOf(input) {
  if (typeof input === "string" || input instanceof URL || input instanceof Request) return bytesAt(input);
  if (input instanceof Response) return bytesOfAnswer(input);
  if (input instanceof Blob) return bytesOfStream(input.stream());
  if (isBytes(input)) return [input];
  if (input?.getReader) return bytesOfStream(input);
  if (input?.[Symbol.asyncIterator] || input?.[Symbol.iterator]) return input;
  throw new TypeError(`openGIF takes an address, bytes, a Blob or a stream of bytes, not ${nameOf(input)}.`);
}
