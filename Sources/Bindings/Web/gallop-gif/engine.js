// One instance of gallop.wasm, with typed answers. It runs in a page, in a worker and in Node.

import { engineError, EngineTrap } from "./errors.js";
import { MODES } from "./protocol.js";

export { EngineTrap } from "./errors.js";
export { COMMANDS, GallopError, MODES } from "./protocol.js";

/** The engine's words for its numbers, in the order of the numbers. */
export const STATES = ["stopped", "playing", "paused", "finished", "failed"];
export const CAUSES = ["play", "loop", "seek", "step", "restart", "appear"];

const DISPOSALS = ["keep", "background", "previous"];
const STATUSES = ["complete", "truncated", "failed", "blank"];
const REASONS = ["source", "decoder"];

const PIECE = 1 << 20;
const NO_OBJECT = -1;
const MOST_FRAMES = 1 << 17;
// What the engine says of a frame.
const FRAME_NUMBERS = 14;
// What it says of a player's state, and of each event.
const STATE_NUMBERS = 8;
const EVENT_NUMBERS = 8;

const known = (number) => (Number.isNaN(number) ? null : number);

/** Images and players of one WebAssembly instance. Handles are numbers; 0 and stale ones throw `noSuchObject`. */
export class Engine {
  #exports;
  #text = new TextDecoder();

  /** @param {WebAssembly.Instance} instance */
  constructor(instance) {
    this.#exports = instance.exports;
    /** True after a trap; every later call throws. */
    this.isBroken = false;
    this.#call("_initialize");
  }

  /** @param {WebAssembly.Module} module */
  static async create(module) {
    return new Engine(await WebAssembly.instantiate(module, {}));
  }

  /** Bytes of the instance's memory, which never shrinks. */
  get memoryBytes() {
    return this.#exports.memory.buffer.byteLength;
  }

  // Images

  /** Begins an image. Limits of 0 are the engine's own. */
  openImage({ streamBytes = 0, canvasPixels = 0, frames = 0, decodedBytes = 0, totalPixels = 0 } = {}) {
    return this.#call("gallop_image_open", streamBytes, canvasPixels, frames, decodedBytes, totalPixels);
  }

  /**
   * Takes the next bytes of the file.
   * @param {number} image
   * @param {Uint8Array} bytes
   */
  append(image, bytes) {
    for (let start = 0; start < bytes.length; start += PIECE) {
      const piece = bytes.subarray(start, start + PIECE);
      const address = this.#call("gallop_bytes", piece.length);
      if (!address) throw engineError("outOfMemory");
      new Uint8Array(this.#exports.memory.buffer, address, piece.length).set(piece);
      this.#checked("gallop_image_append", image, piece.length);
    }
  }

  /** Says that the file has ended, wherever it breaks off. */
  finish(image) {
    this.#checked("gallop_image_finish", image);
  }

  /** What is known of the image so far; null before its size. */
  info(image) {
    const numbers = this.#numbers("gallop_image_info", image);
    if (!numbers.length) return null;
    const [width, height, frameCount, plays, isComplete, byteCount, globalPaletteSize, backgroundIndex, version,
      duration, commentCount, diagnosticCount] = numbers;
    return {
      width, height, frameCount, plays, isComplete: isComplete === 1, byteCount,
      globalPaletteSize: known(globalPaletteSize), backgroundIndex, version, duration, commentCount, diagnosticCount,
    };
  }

  /** A function that copies the file's bytes so far. It calls nothing, so it works after a trap, too. */
  heldFile(image) {
    const numbers = this.#numbers("gallop_image_info", image);
    const [byteCount, address] = [numbers[5], numbers[12]];
    const { memory } = this.#exports;
    return () => new Uint8Array(memory.buffer, address, byteCount).slice();
  }

  /** How long each frame is shown, in milliseconds. */
  delays(image, delays = "browser") {
    const numbers = this.#numbers("gallop_image_frames", image, 0, delays === "encoded" ? 1 : 0, MOST_FRAMES);
    return Array.from({ length: numbers.length / FRAME_NUMBERS }, (_, frame) => numbers[frame * FRAME_NUMBERS]);
  }

  /** Facts about frames. `delays` is "browser" or "encoded". */
  frames(image, first = 0, count = MOST_FRAMES, delays = "browser") {
    const numbers = this.#numbers("gallop_image_frames", image, first, delays === "encoded" ? 1 : 0, count);
    const frames = [];
    for (let start = 0; start < numbers.length; start += FRAME_NUMBERS) frames.push(frameOf(numbers, start));
    return frames;
  }

  /** The colours of a frame's own palette, or of the global one (-1), as "#rrggbb"; null if there is none. */
  palette(image, frame = -1) {
    const numbers = this.#numbers("gallop_image_palette", image, frame);
    if (!numbers.length) return null;
    return Array.from(numbers, (color) => {
      const [red, green, blue] = [color & 255, (color >>> 8) & 255, (color >>> 16) & 255];
      return `#${((red << 16) | (green << 8) | blue).toString(16).padStart(6, "0")}`;
    });
  }

  /** The texts of the comments. */
  comments(image) {
    const count = this.info(image)?.commentCount ?? 0;
    return Array.from({ length: count }, (_, index) => this.#string("gallop_image_comment", image, index));
  }

  /** The application extensions: identifier, offset in the file and bytes of data. */
  applications(image) {
    const found = [];
    for (;;) {
      const count = this.#call("gallop_image_application", image, found.length);
      if (count < 0) return found;
      const identifier = this.#bytes(count);
      const [offset, byteCount] = this.#block(2);
      found.push({ identifier, offset, byteCount });
    }
  }

  /** The damage found so far. */
  diagnostics(image) {
    return this.#diagnoses("gallop_image_diagnostics", image);
  }

  /** The damage of the whole file, after every frame is decoded. */
  check(image) {
    return this.#diagnoses("gallop_image_check", image);
  }

  releaseImage(image) {
    this.#call("gallop_image_release", image);
  }

  // Drawing

  /**
   * Draws a frame. The pixels are a view of the engine's memory, valid until its next call.
   * The rectangle is where the frame may differ from the one before it in the file.
   */
  draw(image, width, height, frame) {
    const numbers = this.#numbers("gallop_draw", image, width, height, frame);
    const [address, w, h, status, x, y, changedWidth, changedHeight] = numbers;
    return {
      pixels: new Uint8ClampedArray(this.#exports.memory.buffer, address, w * h * 4),
      width: w, height: h, status: STATUSES[status], x, y, changedWidth, changedHeight,
    };
  }

  /** Draws a frame ahead: the following `draw` of it decodes nothing. */
  prepare(image, width, height, frame) {
    this.#checked("gallop_prepare", image, width, height, frame);
  }

  /** Releases all but `keep` renderers of an image; the bytes freed. */
  evict(image, keep = 0) {
    return this.#call("gallop_evict", image, keep);
  }

  // Players

  /** Opens a player. `plays` 0 means as in the file; `late` is "skip", "wait", or the most frames to catch up with. */
  openPlayer(image, { rate = 1, mode = "forward", plays = 0, delays = "browser", late = "skip", isComplete } = {}) {
    const policy = delays === "encoded" ? 1 : 0;
    const numbers = [rate, Math.max(0, MODES.indexOf(mode)), plays || 0, policy,
      late === "wait" ? 2 : late > 0 ? 1 : 0, late > 0 ? late : 0, isComplete ? 1 : 0];
    const player = this.#call("gallop_player_open", image, ...numbers);
    if (player <= 0) this.#fail(player);
    return player;
  }

  /** Carries out a command at an instant, then everything that is due. */
  perform(player, command, a = 0, b = 0, now = 0) {
    return answerOf(this.#numbers("gallop_player_do", player, command, a, b, now));
  }

  releasePlayer(player) {
    this.#call("gallop_player_release", player);
  }

  statistics() {
    const [images, players, renderers, canvasBytes, compressedBytes, decodes] = this.#numbers("gallop_statistics");
    return { images, players, renderers, canvasBytes, compressedBytes, decodes, memoryBytes: this.memoryBytes };
  }

  // Calls

  #call(name, ...values) {
    if (this.isBroken) throw new EngineTrap(name);
    try {
      return this.#exports[name](...values);
    } catch {
      this.isBroken = true;
      throw new EngineTrap(name);
    }
  }

  #checked(name, ...values) {
    const count = this.#call(name, ...values);
    if (count < 0) this.#fail(count);
    return count;
  }

  #fail(result) {
    if (result === NO_OBJECT || result === 0) throw engineError("noSuchObject");
    const code = this.#bytes(this.#call("gallop_error"));
    const [frame, offset, value, limit] = this.#block(4);
    const details = { frame, offset, value, limit };
    for (const name in details) if (Number.isNaN(details[name])) delete details[name];
    throw engineError(code, details);
  }

  // The memory may have grown in the call before, so views are made again each time.
  #block(count) {
    return new Float64Array(this.#exports.memory.buffer, this.#call("gallop_numbers"), count);
  }

  #numbers(name, ...values) {
    return this.#block(this.#checked(name, ...values));
  }

  #bytes(count) {
    const address = this.#call("gallop_bytes_address");
    return this.#text.decode(new Uint8Array(this.#exports.memory.buffer, address, count));
  }

  #string(name, ...values) {
    return this.#bytes(this.#checked(name, ...values));
  }

  #diagnoses(name, image) {
    const numbers = this.#numbers(name, image);
    const pairs = Array.from({ length: numbers.length / 2 }, (_, i) => [numbers[2 * i], numbers[2 * i + 1]]);
    const start = this.#call("gallop_bytes_address");
    const bytes = new Uint8Array(this.#exports.memory.buffer);
    let end = start;
    for (let left = pairs.length; left > 0; end += 1) if (bytes[end] === 10) left -= 1;
    const names = this.#text.decode(bytes.subarray(start, end)).split("\n");
    return pairs.map(([frame, offset], index) => ({ code: names[index], frame: known(frame), offset: known(offset) }));
  }
}

function frameOf(numbers, start) {
  const [delay, storedDelay, x, y, width, height, disposal, flags, paletteSize, transparentIndex, requiredFrame,
    offset, byteCount, status] = numbers.subarray(start, start + FRAME_NUMBERS);
  return {
    delay, storedDelay, x, y, width, height, disposal: DISPOSALS[disposal], isInterlaced: (flags & 1) !== 0,
    isKeyframe: (flags & 2) !== 0, isTruncated: (flags & 4) !== 0, paletteSize: known(paletteSize),
    transparentIndex: known(transparentIndex), requiredFrame: known(requiredFrame), offset, byteCount,
    status: STATUSES[status] ?? null,
  };
}

function answerOf(numbers) {
  const [state, wakeAt, next, time, duration, isBuffering, isJumping, count] = numbers;
  const events = [];
  for (let i = 0; i < count; i += 1) events.push(eventOf(numbers.subarray(STATE_NUMBERS + EVENT_NUMBERS * i)));
  return { state: STATES[state], wakeAt, next, time, duration, isBuffering: isBuffering === 1, isJumping: isJumping === 1, events };
}

function eventOf([kind, first, second, cause, mediaTime, lateness, skipped, frameCount]) {
  switch (kind) {
    case 0:
      return { kind: "frame", frame: first, loop: second, cause: CAUSES[cause], mediaTime, lateness, skipped,
        frameCount };
    case 1: return { kind: "loop", loops: first, left: second };
    case 2: return { kind: "finished" };
    case 3: return { kind: "state", state: STATES[first] };
    case 4: return { kind: "buffering", reason: REASONS[first] ?? null };
    default: return { kind: "failed" };
  }
}
