// One image whose bytes the page may not read (CORS, a policy, a disk): a picture over it pauses it.

import { ONCE_LIMIT } from "./motion.js";
import { InlineStyle } from "./upgrade-style.js";

/** Shows the first frame over an image that goes on unseen. It has the members of UpgradedImage. */
export class CoveredImage {
  #layer;
  #changed;
  #style;
  #timer;
  wish = null;
  isPlaying = true;
  frameCount = 0;
  frame = 0;

  /** @param {HTMLImageElement} image @param {import("./upgrade-layer.js").Layer} layer @param {() => void} changed */
  constructor(image, layer, changed) {
    this.image = image;
    this.#layer = layer;
    this.#changed = changed;
    this.#style = new InlineStyle(image);
  }

  async start(mayPlay, isOnce) {
    if (!mayPlay) this.pause();
    else if (isOnce) this.#endLater();
  }

  /** Plays on; `isOnce` ends it after five seconds: how long a loop takes is not known. */
  play(isOnce = false) {
    clearTimeout(this.#timer);
    if (isOnce) this.#endLater();
    if (this.isPlaying) return;
    this.isPlaying = true;
    this.#uncover();
    this.#changed();
  }

  #endLater() {
    this.#timer = setTimeout(() => this.pause(), ONCE_LIMIT);
  }

  pause() {
    clearTimeout(this.#timer);
    if (!this.isPlaying) return;
    this.isPlaying = false;
    const { image } = this;
    const canvas = document.createElement("canvas");
    Object.assign(canvas, { width: image.naturalWidth, height: image.naturalHeight });
    // The page cannot read this canvas any more, but it can show it.
    canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
    const { objectFit, objectPosition, borderRadius, filter, opacity } = getComputedStyle(image);
    Object.assign(canvas.style, { objectFit, objectPosition, borderRadius, filter, opacity });
    this.#layer.cover(image, { element: canvas, place: (where) => layOver(canvas, image, where) });
    // The picture alone leaves its box: what is transparent in the still would show it moving.
    this.#style.set("object-position", "-99999px 0");
    this.#style.set("overflow", "clip");
    this.#changed();
  }

  #uncover() {
    this.#style.restore();
    this.#layer.cover(this.image, null);
  }

  seek() {}

  restart() {}

  async prepare() {}

  leave() {
    clearTimeout(this.#timer);
    this.isPlaying = true;
    this.#uncover();
  }
}

/** Gives a cover the box in which its image paints. */
function layOver({ style }, image, { box, seen, origin }) {
  const own = getComputedStyle(image);
  // The image's own pixels, where a transform shows it larger or smaller.
  const scale = box.width / image.offsetWidth || 1;
  const side = (name) => (parseFloat(own[`border${name}Width`]) + parseFloat(own[`padding${name}`])) * scale;
  const [left, top] = [box.left + side("Left"), box.top + side("Top")];
  const [width, height] = [box.right - side("Right") - left, box.bottom - side("Bottom") - top];
  const clip = seen ?? { left, top, width: 0, height: 0 };
  const edges = [clip.top - top, left + width - clip.left - clip.width, top + height - clip.top - clip.height,
    clip.left - left];
  // Whole pixels: an edge between two would be blurred.
  const clipPath = `inset(${edges.map((edge) => `${Math.max(0, Math.floor(edge))}px`).join(" ")})`;
  Object.assign(style, { width: `${width}px`, height: `${height}px`, clipPath, visibility: seen ? "visible" : "hidden",
    left: `${left - origin.left}px`, top: `${top - origin.top}px` });
}
