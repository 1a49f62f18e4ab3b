// Decoding without a page, as in Node: frames as pixels, and what the file says of itself.

import { readFile } from "node:fs/promises";
import { Engine, GallopError } from "./engine.js";

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
 * @param {string | URL | ArrayBuffer | ArrayBufferView | Blob | AsyncIterable<Uint8Array> | Iterable<Uint8Array>} input
 *   a path, a URL (`file:`, `http:`, `https:`, `data:`, `blob:`), the bytes, or pieces of them
 * @param {{limits?: object, engine?: Engine}} [options]
 * @returns {Promise<GIF>}
 */
export async function openGIF(input, { limits, engine } = {}) {
  const pieces = piecesOf(input);
  if (!engine && (await shared)?.isBroken) shared = undefined;
  const owner = engine ?? (await (shared ??= loadEngine()));
  const image = owner.openImage(limits);
  try {
    for await (const piece of pieces) owner.append(image, bytesOf(piece));
    owner.finish(image);
    const gif = new GIF(owner, image);
    if (!gif.info?.frameCount) throw new GallopError("noFrames");
    return gif;
  } catch (error) {
    if (!owner.isBroken) owner.releaseImage(image);
    throw error;
  }
}

/** The bytes of a GIF in pieces. Only what cannot be any is refused before the first piece is asked for. */
function piecesOf(input) {
  if (typeof input === "string" || input instanceof URL) return piecesAt(input);
  if (input instanceof Blob) return input.stream();
  if (isBytes(input)) return [input];
  if (input?.[Symbol.asyncIterator] || input?.[Symbol.iterator]) return input;
  throw new TypeError(`openGIF takes a path, a URL, bytes, a Blob or pieces of bytes, not ${nameOf(input)}.`);
}

/** A text is a path unless it begins as a URL does. */
async function* piecesAt(place) {
  const [scheme] = /^(file|https?|data|blob):/i.exec(place) ?? [];
  if (!scheme) yield await readFile(place);
  else if (scheme.toLowerCase() === "file:") yield await readFile(new URL(place));
  else yield* (await responseOf(place)).body ?? [];
}

async function responseOf(url) {
  const response = await fetch(url).catch((error) => {
    const message = `The file cannot be read: ${error.cause?.message || error.message}.`;
    throw new GallopError("unreadable", { message });
  });
  if (response.ok) return response;
  await response.body?.cancel();
  const message = `The server answers with status ${response.status}.`;
  throw new GallopError("unreadable", { message, value: response.status });
}

const isBytes = (value) => value instanceof ArrayBuffer || ArrayBuffer.isView(value);

function bytesOf(piece) {
  if (piece instanceof Uint8Array) return piece;
  if (!isBytes(piece)) throw new TypeError(`A piece of a GIF is bytes, not ${nameOf(piece)}.`);
  if (piece instanceof ArrayBuffer) return new Uint8Array(piece);
  return new Uint8Array(piece.buffer, piece.byteOffset, piece.byteLength);
}

/** What a value is, for a message. */
function nameOf(value) {
  if (value === null || value === undefined) return String(value);
  return typeof value === "object" ? `an object of ${value.constructor?.name || "no class"}` : `a ${typeof value}`;
}

/** A GIF whose file has ended. `close` gives its memory back. */
export class GIF {
  #engine;
  #image;

  /** @param {Engine} engine @param {number} image */
  constructor(engine, image) {
    this.#engine = engine;
    this.#image = image;
    /** Size, frames, plays and other facts. */
    this.info = engine.info(image);
  }

  /** Facts about the frames; `delays` is "browser" or "encoded". */
  frames(delays = "browser") {
    return this.#engine.frames(this.#image, 0, undefined, delays);
  }

  /** A frame as straight RGBA, at the GIF's size or a smaller one. A blank frame is transparent. */
  frame(index, { width = 0, height = 0 } = {}) {
    const { pixels, status, ...size } = this.#engine.draw(this.#image, width, height, index);
    // The engine leaves what it drew before: that is what players go on to show.
    const data = status === "blank" ? new Uint8ClampedArray(pixels.length) : pixels.slice();
    return { data, width: size.width, height: size.height, status };
  }

  /** All frames in order, each a copy. */
  *[Symbol.iterator]() {
    for (let index = 0; index < this.info.frameCount; index += 1) yield this.frame(index);
  }

  palette(frame = -1) {
    return this.#engine.palette(this.#image, frame);
  }

  get comments() {
    return this.#engine.comments(this.#image);
  }

  get applications() {
    return this.#engine.applications(this.#image);
  }

  get diagnostics() {
    return this.#engine.diagnostics(this.#image);
  }

  /** Decodes every frame; returns all damage. */
  check() {
    return this.#engine.check(this.#image);
  }

  close() {
    this.#engine.releaseImage(this.#image);
    this.#image = 0;
  }
}
