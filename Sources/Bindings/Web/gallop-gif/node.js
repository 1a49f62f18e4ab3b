// Decoding without a page, as in Node: frames as pixels, and what the file says of itself.

import { readFile } from "node:fs/promises";
import { bytesAt, bytesOfAnswer, isBytes, nameOf, readGIF } from "./decoded.js";
import { Engine } from "./engine.js";

export { GIF } from "./decoded.js";
export { Engine, GallopError } from "./engine.js";

let module;

/**
 * Starts an engine of its own. The module is compiled once.
 * @param {string | URL | BufferSource} [wasm] where the module is; beside this file if absent
 * @returns {Promise<Engine>}
 */
export async function loadEngine(wasm) {
  if (wasm instanceof ArrayBuffer || ArrayBuffer.isView(wasm)) return Engine.create(await WebAssembly.compile(wasm));
  if (wasm) return Engine.create(await WebAssembly.compile(await readFile(wasm)));
  module ??= readFile(new URL("./gallop.wasm", import.meta.url)).then((bytes) => WebAssembly.compile(bytes));
  return Engine.create(await module);
}

let shared;

/**
 * Opens a GIF.
 * @param {string | URL | Response | ArrayBuffer | ArrayBufferView | Blob | AsyncIterable<Uint8Array> | Iterable<Uint8Array>}
 *   input a path, a URL (`file:`, `http:`, `https:`, `data:`, `blob:`), the bytes, or what delivers them
 * @param {{limits?: object, engine?: Engine}} [options]
 * @returns {Promise<import("./decoded.js").GIF>}
 */
export async function openGIF(input, { limits, engine } = {}) {
  const pieces = piecesOf(input);
  if (!engine && (await shared)?.isBroken) shared = undefined;
  return readGIF(engine ?? (await (shared ??= loadEngine())), pieces, limits);
}

/** The bytes of a GIF in pieces. Only what cannot be any is refused before the first piece is asked for. */
function piecesOf(input) {
  if (typeof input === "string" || input instanceof URL) return piecesAt(input);
  if (input instanceof Blob) return input.stream();
  if (input instanceof Response) return bytesOfAnswer(input);
  if (isBytes(input)) return [input];
  if (input?.[Symbol.asyncIterator] || input?.[Symbol.iterator]) return input;
  throw new TypeError(`openGIF takes a path, a URL, bytes, a Blob, a Response or pieces of bytes, not ${nameOf(input)}.`);
}

/** A text is a path unless it begins as a URL does. */
async function* piecesAt(place) {
  const [scheme] = /^(file|https?|data|blob):/i.exec(place) ?? [];
  if (!scheme) yield await readFile(place);
  else if (scheme.toLowerCase() === "file:") yield await readFile(new URL(place));
  else yield* bytesAt(place);
}
