// The first frame as the browser decodes it by itself. It stands in an element until the engine, which is yet to start, has
// drawn.

import { part } from "./stand-in.js";

// More is left to the engine: a copy of the file and a picture of each element are held for some moments.
const MOST_BYTES = 1 << 20;
const MOST_PIXELS = 1 << 20;
const GIF8 = 0x47494638;
// A worker's canvas comes to the screen long after its message; one of a pixel never tells. Until it tells its size,
// browsers may stretch it.
const MOST_TURNS = 60;

/**
 * Decodes a copy of a server's answer.
 * @param {Response} response
 * @param {number} [limit] pixels that the page allows
 * @returns {Promise<ImageBitmap | null>} null where it is too large, or nothing that the browser decodes: the engine knows why
 */
export async function decodeFirst(response, limit = Infinity) {
  const reader = response.ok && response.body ? response.clone().body.getReader() : null;
  const pieces = [];
  try {
    for (let count = 0; reader;) {
      const { done, value } = await reader.read();
      if (done) break;
      pieces.push(value);
      // The length that the server names is that of what it has compressed.
      if ((count += value.length) > MOST_BYTES) {
        reader.cancel();
        return null;
      }
    }
    const file = new Blob(pieces);
    const head = new DataView(await file.slice(0, 10).arrayBuffer());
    const pixels = head.getUint16(6, true) * head.getUint16(8, true);
    const isGIF = head.getUint32(0) === GIF8;
    return isGIF && pixels <= Math.min(MOST_PIXELS, limit) ? await createImageBitmap(file) : null;
  } catch {
    return null;
  }
}

/** The frame in an element's box, until the player's own is seen. */
export class FirstFrame {
  #box;
  #canvas = null;
  #isOver = false;

  /** @param {HTMLElement} box */
  constructor(box) {
    this.#box = box;
  }

  /** Its size; null where it is not seen. */
  get size() {
    return this.#canvas && { width: this.#canvas.width, height: this.#canvas.height };
  }

  get isOver() {
    return this.#isOver;
  }

  /** @param {ImageBitmap} frame which other elements show, too */
  show(frame) {
    const { width, height } = frame;
    if (this.#isOver || this.#canvas) return;
    this.#canvas = Object.assign(part("first", "canvas"), { width, height, ariaHidden: "true" });
    this.#canvas.getContext("2d").drawImage(frame, 0, 0);
    this.#box.classList.add("early");
    this.#box.append(this.#canvas);
  }

  /** Leaves once the player's first frame is on the screen. @param {HTMLCanvasElement} picture of one pixel until then */
  leaveSoon(picture) {
    if (this.#isOver) return;
    this.#isOver = true;
    const look = (turns) => {
      if (!this.#canvas) return;
      if (turns > 0 && picture.width <= 1) requestAnimationFrame(() => look(turns - 1));
      else {
        this.#box.classList.remove("early");
        requestAnimationFrame(() => requestAnimationFrame(() => this.leave()));
      }
    };
    look(MOST_TURNS);
  }

  leave() {
    this.#isOver = true;
    if (!this.#canvas) return;
    this.#box.classList.remove("early");
    this.#canvas.remove();
    this.#canvas.width = this.#canvas.height = 0;
    this.#canvas = null;
  }
}
