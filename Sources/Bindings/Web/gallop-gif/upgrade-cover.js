// One image whose bytes the page may not read (CORS, a policy, a disk): a picture over it pauses it.

import { InlineStyle } from "./upgrade-style.js";

/** Shows the first frame over an image that goes on unseen. It has the members of UpgradedImage. */
export class CoveredImage {
  #layer;
  #changed;
  #style;
  /** Ends what lasts as long as a pause. */
  #pause = new AbortController();
  #isSeen = true;
  /** What ends it, where it plays once. @type {((isMoving: boolean) => void) | undefined} */
  #once;
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

  async start(mayPlay, onceLimit) {
    if (mayPlay) this.#limit(onceLimit);
    else this.pause();
  }

  /** Plays on; with a limit for five seconds in sight, as how long a loop takes is not known. */
  play(onceLimit) {
    this.#limit(onceLimit);
    if (this.isPlaying) return;
    this.isPlaying = true;
    this.#uncover();
    this.#changed();
  }

  #limit(onceLimit) {
    this.#once?.(false);
    this.#once = onceLimit?.(() => this.pause());
    this.#once?.(this.#isSeen);
  }

  /** Notes whether it is in sight: the time that it may play runs only there. */
  see(isSeen) {
    this.#isSeen = isSeen;
    this.#once?.(isSeen);
  }

  pause() {
    this.#limit();
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
    this.#hidePicture();
    this.#pause = new AbortController();
    const { signal } = this.#pause;
    // Paper has other places than the screen: there the image shows its own picture.
    addEventListener("beforeprint", () => this.#style.restore(), { signal });
    addEventListener("afterprint", () => this.#hidePicture(), { signal });
    this.#changed();
  }

  /** The picture alone leaves its box: what is transparent in the still would show it moving. */
  #hidePicture() {
    this.#style.set("object-position", "-99999px 0");
    this.#style.set("overflow", "clip");
  }

  #uncover() {
    this.#pause.abort();
    this.#style.restore();
    this.#layer.cover(this.image, null);
  }

  restart() {}

  async prepare() {}

  leave() {
    this.#limit();
    this.isPlaying = true;
    this.#uncover();
  }
}

/** Returns what gives a cover the box in which its image paints. */
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
  return () => Object.assign(style, { width: `${width}px`, height: `${height}px`, clipPath,
    visibility: seen ? "visible" : "hidden", left: `${left - origin.left}px`, top: `${top - origin.top}px` });
}
