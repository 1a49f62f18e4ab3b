// The picture of one player, on an OffscreenCanvas or a canvas.

// Averaging a picture down costs more than it saves, unless it has many times the pixels that are seen.
const WORTH_SCALING = 1 / 4;

/**
 * The size at which to decode: that at which it is seen where that is much smaller, otherwise the GIF's own.
 * @param {{width: number, height: number}} image
 * @param {{width: number, height: number, mode: string} | null} box device pixels of the element; null before layout
 * @returns {{width: number, height: number}} zeros for the GIF's own size
 */
export function drawSize(image, box) {
  if (!box || !(box.width > 0 && box.height > 0)) return { width: 0, height: 0 };
  const across = box.width / image.width;
  const down = box.height / image.height;
  let [x, y] = [Math.min(1, across), Math.min(1, down)];
  if (box.mode === "contain") x = y = Math.min(1, across, down);
  if (box.mode === "cover") x = y = Math.min(1, Math.max(across, down));
  if (x * y > WORTH_SCALING) return { width: 0, height: 0 };
  return { width: Math.max(1, Math.ceil(image.width * x)), height: Math.max(1, Math.ceil(image.height * y)) };
}

/** Draws pictures, and only where they have changed. */
export class Surface {
  #context;
  #shown = -1;

  /** @param {OffscreenCanvas | HTMLCanvasElement} canvas */
  constructor(canvas) {
    this.#context = canvas.getContext("2d");
  }

  /** Shows a frame that `Engine.draw` has drawn. */
  put(picture, frame) {
    const { width, height } = picture;
    const isNew = this.#fit(width, height);
    const data = new ImageData(picture.pixels, width, height);
    // The rectangle holds against the frame before; any other picture on the canvas differs elsewhere, too.
    if (isNew || this.#shown !== frame - 1 || picture.status !== "complete") {
      this.#context.putImageData(data, 0, 0);
    } else if (picture.changedWidth > 0 && picture.changedHeight > 0) {
      const { x, y, changedWidth, changedHeight } = picture;
      this.#context.putImageData(data, 0, 0, x, y, changedWidth, changedHeight);
    }
    this.#shown = picture.status === "complete" ? frame : -1;
  }

  /** The frame that the canvas shows at a size; -1 if it shows none, a damaged one, or one of another size. */
  shownAt({ width, height }) {
    const { canvas } = this.#context;
    return canvas.width === width && canvas.height === height ? this.#shown : -1;
  }

  /** Brings the canvas to a frame by parts of kept pictures; a way from the first frame on begins with all of it. */
  take(parts, frame, { width, height }) {
    this.#fit(width, height);
    for (const { data, x, y } of parts) if (data) this.#context.putImageData(data, x, y);
    this.#shown = frame;
  }

  /** Gives the canvas the size of a picture; returns whether it had another one. */
  #fit(width, height) {
    const { canvas } = this.#context;
    if (canvas.width === width && canvas.height === height) return false;
    Object.assign(canvas, { width, height });
    return true;
  }

  /** Shows nothing, in one pixel: a canvas of none keeps its picture on the page. */
  clear() {
    this.#fit(1, 1);
    this.#context.clearRect(0, 0, 1, 1);
    this.#shown = -1;
    return this;
  }

  /** Gives the canvas's memory back; a canvas that is sent away keeps its pixels otherwise. */
  release() {
    this.#context.canvas.width = this.#context.canvas.height = 0;
  }
}
