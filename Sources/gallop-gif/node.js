// Decoding without a page, as in Node: frames as pixels, and what the file says of itself.

import { readFile } from "node:fs/promises";
import { Engine } from "./engine.js";

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
 * @param {string | URL | Uint8Array | ArrayBuffer | Blob | AsyncIterable<Uint8Array>} input a path, or bytes
 * @param {{limits?: object, engine?: Engine}} [options]
 * @returns {Promise<GIF>}
 */
export async function openGIF(input, { limits, engine } = {}) {
  if (!engine && (await shared)?.isBroken) shared = undefined;
  const owner = engine ?? (await (shared ??= loadEngine()));
  const image = owner.openImage(limits);
  try {
    for await (const piece of piecesOf(input)) owner.append(image, piece);
    owner.finish(image);
    return new GIF(owner, image);
  } catch (error) {
    if (!owner.isBroken) owner.releaseImage(image);
    throw error;
  }
}

async function* piecesOf(input) {
  if (typeof input === "string" || input instanceof URL) yield await readFile(input);
  else if (input instanceof Uint8Array) yield input;
  else if (input instanceof ArrayBuffer) yield new Uint8Array(input);
  else if (input instanceof Blob) yield new Uint8Array(await input.arrayBuffer());
  else yield* input;
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

  /** A frame as straight RGBA, at the GIF's size or a smaller one. */
  frame(index, { width = 0, height = 0 } = {}) {
    const drawn = this.#engine.draw(this.#image, width, height, index);
    return { data: drawn.pixels.slice(), width: drawn.width, height: drawn.height, status: drawn.status };
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
