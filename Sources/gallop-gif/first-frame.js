// The first frame as the browser decodes it by itself. It stands in an element until the engine, which is yet to start, has
// drawn.

import { part } from "./stand-in.js";

// A larger file is not held twice for a few moments.
const MOST_BYTES = 1 << 20;

/**
 * A copy of a server's answer, beside its reading.
 * @param {Response} response
 * @returns {Promise<Blob | null>} null where it is too much, or none
 */
export async function copyOf(response) {
  const size = Number(response.headers.get("Content-Length"));
  return response.ok && size > 0 && size <= MOST_BYTES ? response.clone().blob().catch(() => null) : null;
}

/** The frame in an element's box, from its arrival until the player's own is seen. */
export class FirstFrame {
  #box;
  #canvas = null;
  #isOver = false;

  /** @param {HTMLElement} box */
  constructor(box) {
    this.#box = box;
  }

  /** @param {Blob | null} file */
  async show(file) {
    // What the browser cannot decode waits for the engine, which knows why.
    const frame = file && !this.#isOver && await createImageBitmap(file).catch(() => null);
    if (!frame || this.#isOver) return;
    this.#canvas = part("first", "canvas");
    this.#canvas.ariaHidden = "true";
    Object.assign(this.#canvas, { width: frame.width, height: frame.height });
    this.#canvas.getContext("bitmaprenderer").transferFromImageBitmap(frame);
    this.#box.append(this.#canvas);
  }

  /** Leaves once the player's first frame has come to the screen. */
  take({ events }) {
    if (this.#isOver || !events?.some(({ kind }) => kind === "frame")) return;
    this.#isOver = true;
    if (this.#canvas) requestAnimationFrame(() => requestAnimationFrame(() => this.leave()));
  }

  leave() {
    this.#isOver = true;
    this.#canvas?.remove();
    this.#canvas = null;
  }
}
