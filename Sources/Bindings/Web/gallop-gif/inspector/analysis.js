// What the engine says of an opened file, and pictures of its frames. Its engine is not the player's.
import { Engine } from "../engine.js";
import { startsOf } from "./model.js";

/** Files with fewer pixels in all frames are checked at once; the check of others waits for the user. */
const MOST_PIXELS_CHECKED_AT_ONCE = 80e6;

/** An opened GIF. */
export class Analysis {
  #engine;
  #image;
  #palettes = new Map();

  /**
   * @param {WebAssembly.Module} module @param {Uint8Array} bytes @param {string} name
   * @returns {Promise<Analysis>} throws the engine's error for bytes that are no GIF
   */
  static async open(module, bytes, name) {
    const engine = await Engine.create(module);
    const image = engine.openImage();
    engine.append(image, bytes);
    engine.finish(image);
    return new Analysis(engine, image, bytes, name);
  }

  constructor(engine, image, bytes, name) {
    this.#engine = engine;
    this.#image = image;
    this.bytes = bytes;
    this.name = name;
    this.info = engine.info(image);
    this.diagnostics = engine.diagnostics(image);
    this.frames = this.#describeFrames();
    this.starts = startsOf(this.frames);
    this.comments = engine.comments(image);
    this.applications = engine.applications(image);
    this.isChecked = false;
    const pixels = this.info.width * this.info.height * this.frames.length;
    if (pixels <= MOST_PIXELS_CHECKED_AT_ONCE) this.check();
  }

  /** The time of one loop in milliseconds. */
  get duration() { return this.starts.at(-1); }

  /** Decodes every frame and finds all damage. */
  check() {
    this.diagnostics = this.#engine.check(this.#image);
    this.isChecked = true;
    this.frames = this.#describeFrames();
  }

  /** The facts about all frames, and whether there is a warning about each. */
  #describeFrames() {
    const warned = new Set(this.diagnostics.map(({ frame }) => frame));
    return this.#engine.frames(this.#image).map((frame, index) =>
      ({ ...frame, hasWarning: frame.isTruncated || warned.has(index) }));
  }

  /** The colours that a frame uses: its own, or the file's. @param {number} frame */
  palette(frame) {
    const own = this.frames[frame]?.paletteSize != null;
    const key = own ? frame : -1;
    if (!this.#palettes.has(key)) this.#palettes.set(key, this.#engine.palette(this.#image, key) ?? []);
    return { colors: this.#palettes.get(key), isOwn: own };
  }

  /** The pixels of a frame, a word each; those of a blank one are 0. @param {number} frame */
  pixels(frame) {
    const { pixels, width, height, status } = this.#engine.draw(this.#image, 0, 0, frame);
    if (status === "blank") return new Uint32Array(width * height);
    return new Uint32Array(pixels.buffer.slice(pixels.byteOffset, pixels.byteOffset + pixels.byteLength));
  }

  /**
   * Draws a frame on a canvas, in the canvas's size or the GIF's own. A blank one is transparent.
   * @param {HTMLCanvasElement} canvas @param {number} frame @param {{isWhole?: boolean}} [options]
   * @returns {string} how the drawing went: "complete", "truncated", "failed" or "blank"
   */
  draw(canvas, frame, { isWhole = false } = {}) {
    const size = isWhole ? [0, 0] : [canvas.width, canvas.height];
    const { pixels, width, height, status } = this.#engine.draw(this.#image, ...size, frame);
    if (isWhole) Object.assign(canvas, { width, height });
    // The pixels of a blank frame are those of the frame drawn before it.
    const data = status === "blank" ? new ImageData(width, height) : new ImageData(pixels, width, height);
    canvas.getContext("2d").putImageData(data, 0, 0);
    return status;
  }
}
