// The frames of one GIF as pictures for an image element. The engine is loaded when a frame after the first is wanted.

import { withPlays } from "./upgrade-bytes.js";

/** @typedef {{url: string, picture: HTMLImageElement}} Shown an address that the browser has decoded */

/** A GIF whose bytes the page has. */
export class Frames {
  #bytes;
  #scan;
  #opening = null;
  #isClosed = false;

  /** @param {Uint8Array} bytes @param {ReturnType<import("./upgrade-bytes.js").scanGIF>} scan */
  constructor(bytes, scan) {
    this.#bytes = bytes;
    this.#scan = scan;
    /** Milliseconds of each frame; null before the engine has read the file. @type {number[] | null} */
    this.delays = null;
    /** Plays in all. */
    this.plays = scan.plays;
  }

  /** Lets the engine read the file. Resolves with null where there is no engine, or where it refuses the file. */
  open() {
    this.#opening ??= this.#open().catch(() => null);
    return this.#opening;
  }

  async #open() {
    const { openInEngine } = await import("./upgrade-engine.js");
    const opened = await openInEngine(this.#bytes, () => (this.#opening = null));
    if (this.#isClosed) opened.close();
    this.delays = opened.delays;
    this.plays = opened.plays;
    return opened;
  }

  /** The animation from its beginning, on a timeline of its own. @returns {Promise<Shown>} */
  moving(plays = this.plays) {
    return shown(new Blob([withPlays(this.#bytes, this.#scan, plays)], { type: "image/gif" }));
  }

  /** One frame as a picture. @returns {Promise<Shown>} */
  async still(frame) {
    const canvas = document.createElement("canvas");
    const context = canvas.getContext("2d");
    const captured = frame > 0 ? await (await this.open())?.capture(frame) : null;
    if (captured) {
      Object.assign(canvas, { width: captured.width, height: captured.height });
      context.putImageData(captured, 0, 0);
    } else {
      // What browsers draw of an animated image is its first frame.
      const { url, picture } = await this.moving();
      Object.assign(canvas, { width: picture.naturalWidth, height: picture.naturalHeight });
      context.drawImage(picture, 0, 0);
      URL.revokeObjectURL(url);
    }
    return shownOf(canvas);
  }

  close() {
    this.#isClosed = true;
    this.#opening?.then((opened) => opened?.close());
  }
}

/** Whether the page's policy lets it show pictures of its own. */
export function mayShowPictures() {
  return shownOf(document.createElement("canvas")).then(({ url }) => !URL.revokeObjectURL(url), () => false);
}

/** What a canvas shows, as a picture. */
async function shownOf(canvas) {
  return shown(await new Promise((resolve) => canvas.toBlob(resolve)));
}

/** Makes an address, and lets the browser decode what is there: it can be shown without a gap. */
async function shown(blob) {
  const url = URL.createObjectURL(blob);
  const picture = new Image();
  picture.src = url;
  try {
    await picture.decode();
  } catch (error) {
    URL.revokeObjectURL(url);
    throw error;
  }
  return { url, picture };
}
