// A GIF decoded without an element or a player: what Node, pages and workers have in common.

import { GallopError } from "./engine.js";
import { engineError, refused, unreadable } from "./errors.js";
import { loadFlashes } from "./flashes-loader.js";

/**
 * Reads a GIF into an engine.
 * @param {import("./engine.js").Engine} engine
 * @param {AsyncIterable<Uint8Array> | Iterable<Uint8Array>} pieces the file's bytes
 * @param {object} [limits]
 * @returns {Promise<GIF>}
 */
export async function readGIF(engine, pieces, limits) {
  const image = engine.openImage(limits);
  try {
    for await (const piece of pieces) engine.append(image, bytesOf(piece));
    engine.finish(image);
    const gif = new GIF(engine, image, limits);
    if (!gif.info?.frameCount) throw engineError("noFrames");
    return gif;
  } catch (error) {
    if (!engine.isBroken) engine.releaseImage(image);
    throw error;
  }
}

export const isBytes = (value) => value instanceof ArrayBuffer || ArrayBuffer.isView(value);

function bytesOf(piece) {
  if (piece instanceof Uint8Array) return piece;
  if (!isBytes(piece)) throw new TypeError(`A piece of a GIF is bytes, not ${nameOf(piece)}.`);
  if (piece instanceof ArrayBuffer) return new Uint8Array(piece);
  return new Uint8Array(piece.buffer, piece.byteOffset, piece.byteLength);
}

/** What a value is, for a message. */
export function nameOf(value) {
  if (value === null || value === undefined) return String(value);
  return typeof value === "object" ? `an object of ${value.constructor?.name || "no class"}` : `a ${typeof value}`;
}

function fail(error) {
  throw unreadable(error.cause?.message || error.message);
}

/** The bytes that a server answers with; an error says why there are none. */
export async function* bytesAt(place) {
  yield* bytesOfAnswer(await fetch(place).catch(fail));
}

/** The bytes of an answer, unless a server refuses the file with it or the connection breaks. @param {Response} response */
export async function* bytesOfAnswer(response) {
  // Of what CORS keeps from being read there is no status.
  if (response.ok || response.status === 0) yield* bytesOfStream(response.body, fail);
  else {
    await response.body?.cancel();
    throw refused(response.status);
  }
}

/**
 * The bytes of a stream: not every browser iterates over streams.
 * @param {ReadableStream<Uint8Array> | null} stream
 * @param {(error: Error) => never} [failed] what an error becomes
 */
export async function* bytesOfStream(stream, failed) {
  const reader = stream?.getReader();
  try {
    for (let step; reader && !(step = await reader.read().catch(failed)).done; ) yield step.value;
  } finally {
    reader?.cancel().catch(() => {});
  }
}

/** A size of which one side alone keeps the shape; zeros stay. */
function sizeOf(info, width, height) {
  const side = (of, at) => (width || height ? Math.max(1, Math.round((of * (width || height)) / at)) : 0);
  return { width: width || side(info.width, info.height), height: height || side(info.height, info.width) };
}

/** A GIF whose file has ended. `close` gives its memory back. */
export class GIF {
  #engine;
  #image;

  #limits;

  /** @param {Engine} engine @param {number} image @param {object} [limits] those by which it was read */
  constructor(engine, image, limits) {
    this.#engine = engine;
    this.#limits = limits;
    this.#image = image;
    /** Size, frames, plays and other facts. */
    this.info = engine.info(image);
  }

  /** Facts about the frames; `delays` is "browser" or "encoded". */
  frames(delays = "browser") {
    return this.#engine.frames(this.#image, 0, undefined, delays);
  }

  /** A frame as straight RGBA, at the GIF's size or a smaller one; one side alone keeps the shape. A blank one is transparent. */
  frame(index, { width = 0, height = 0 } = {}) {
    const wanted = sizeOf(this.info, width, height);
    const { pixels, status, ...size } = this.#engine.draw(this.#image, wanted.width, wanted.height, index);
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

  /** Whether it flashes more than WCAG 2.2 allows, as it is seen; see README. */
  async flashes(options = {}) {
    const { flashesOf } = await loadFlashes();
    const { width = 0, height = 0, ...seen } = options;
    const size = width || height ? sizeOf(this.info, width, height) : this.info;
    const bytes = this.#engine.heldFile(this.#image)();
    const report = await flashesOf(bytes, this.info, { ...seen, size }, { limits: this.#limits });
    if (!report) throw new GallopError("unreadableFrame", { message: "The flashes of this GIF cannot be judged." });
    return report;
  }

  close() {
    this.#engine.releaseImage(this.#image);
    this.#image = 0;
  }
}
