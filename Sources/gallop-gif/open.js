// Decoding without an element, in pages and workers: frames as pixels, and what the file says of itself.

import { Engine, GallopError } from "./engine.js";
import { compileModule } from "./module.js";

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
    throw error;
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
 * @returns {Promise<GIF>}
 */
export async function openGIF(input, { limits, engine } = {}) {
  const pieces = piecesOf(input);
  const owner = engine ?? (await sharedEngine());
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

function piecesOf(input) {
  if (typeof input === "string" || input instanceof URL || input instanceof Request) return piecesAt(input);
  if (input instanceof Response) return piecesFrom(input.body);
  if (input instanceof Blob) return piecesFrom(input.stream());
  if (input instanceof ArrayBuffer || ArrayBuffer.isView(input)) return [input];
  if (input?.getReader) return piecesFrom(input);
  if (input?.[Symbol.asyncIterator] || input?.[Symbol.iterator]) return input;
  throw new TypeError("openGIF takes an address, bytes, a Blob or a stream of bytes.");
}

async function* piecesAt(place) {
  const response = await fetch(place).catch((error) => {
    throw new GallopError("unreadable", { message: `The file cannot be read: ${error.message}.` });
  });
  if (response.ok) yield* piecesFrom(response.body);
  else {
    await response.body?.cancel();
    const message = `The server answers with status ${response.status}.`;
    throw new GallopError("unreadable", { message, value: response.status });
  }
}

// Not every browser iterates over streams.
async function* piecesFrom(stream) {
  const reader = stream?.getReader();
  try {
    for (let step; reader && !(step = await reader.read()).done; ) yield step.value;
  } finally {
    reader?.cancel().catch(() => {});
  }
}

function bytesOf(piece) {
  if (piece instanceof Uint8Array) return piece;
  if (piece instanceof ArrayBuffer) return new Uint8Array(piece);
  if (ArrayBuffer.isView(piece)) return new Uint8Array(piece.buffer, piece.byteOffset, piece.byteLength);
  throw new TypeError("A piece of a GIF is bytes.");
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
