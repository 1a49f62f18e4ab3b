// Loops that are drawn once: of each frame the part that differs from the frame before it, at the size that is seen.

// A way of more parts takes longer than decoding, as a rule.
const MOST_PARTS = 32;

/** Adds up what is kept for all images, and keeps it within a limit. */
export class LoopStore {
  #loops = new Map();
  /** Bytes of pixels. */
  byteCount = 0;
  /** The most bytes to keep. */
  limit = 0;

  /**
   * The kept parts that bring a canvas from one frame to another; null if they are not all there, or too many.
   * @param {number} shown the frame that the canvas shows; -1 for none
   */
  way(source, size, shown, frame) {
    const parts = this.#loops.get(source)?.get(keyOf(size))?.parts;
    // The first frame's part is a whole picture.
    const start = shown >= 0 && shown <= frame ? shown + 1 : 0;
    if (!parts || frame - start >= MOST_PARTS) return null;
    const way = parts.slice(start, frame + 1);
    return way.length === frame + 1 - start && !way.includes(undefined) ? way : null;
  }

  /**
   * Keeps the part of a frame that has just been drawn. A loop that does not fit is evicted as a whole: of a loop
   * that is kept in part, the rest would be decoded from its beginning again and again.
   */
  keep(source, size, frame, picture) {
    // Damaged pictures depend on what was shown before, and the last frame so far may be cut.
    if (!source.isComplete || picture.status !== "complete") return;
    const loop = this.#loopOf(source, size);
    if (loop.isTooLarge || loop.parts[frame]) return;
    const part = partOf(picture, frame === 0);
    if (this.byteCount + part.byteCount > this.limit) {
      this.#empty(loop);
      loop.isTooLarge = true;
      return;
    }
    while (loop.parts.length < frame) loop.parts.push(undefined);
    loop.parts[frame] = part;
    loop.byteCount += part.byteCount;
    this.byteCount += part.byteCount;
  }

  /** Evicts what is kept of an image, but for the sizes that are still in use. */
  evict(source, sizes = []) {
    const loops = this.#loops.get(source);
    if (!loops) return;
    const kept = new Set(sizes.map(keyOf));
    for (const [key, loop] of loops) {
      if (kept.has(key)) continue;
      this.#empty(loop);
      loops.delete(key);
    }
    if (loops.size === 0) this.#loops.delete(source);
  }

  /** Lets loops that did not fit try again: there is more room now. */
  retry() {
    for (const loops of this.#loops.values()) for (const loop of loops.values()) loop.isTooLarge = false;
  }

  #loopOf(source, size) {
    if (!this.#loops.has(source)) this.#loops.set(source, new Map());
    const loops = this.#loops.get(source);
    const key = keyOf(size);
    if (!loops.has(key)) loops.set(key, { parts: [], byteCount: 0, isTooLarge: false });
    return loops.get(key);
  }

  #empty(loop) {
    this.byteCount -= loop.byteCount;
    Object.assign(loop, { parts: [], byteCount: 0 });
  }
}

const keyOf = ({ width, height }) => `${width}x${height}`;

/** A copy of what a picture changes, or of all of it. */
function partOf(picture, isWhole) {
  const { width, height, pixels } = picture;
  const [x, y, w, h] = isWhole ? [0, 0, width, height]
    : [picture.x, picture.y, picture.changedWidth, picture.changedHeight];
  const part = { x, y, byteCount: w * h * 4, data: null };
  if (part.byteCount === 0) return part;
  const copy = new Uint8ClampedArray(part.byteCount);
  for (let row = 0; row < h; row += 1) {
    const start = ((y + row) * width + x) * 4;
    copy.set(pixels.subarray(start, start + w * 4), row * w * 4);
  }
  part.data = new ImageData(copy, w, h);
  return part;
}
