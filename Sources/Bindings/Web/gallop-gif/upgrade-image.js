// One image of the page whose bytes can be read. It plays natively, from an address of its own, or shows one frame.

import { ONCE_LIMIT } from "./motion.js";
import { ShownContent } from "./upgrade-content.js";
import { InlineStyle } from "./upgrade-style.js";

const LONGEST_TIMER = 2 ** 31 - 1;

const refresh = () => new Promise(requestAnimationFrame);
const until = (instant) => new Promise((resolve) => setTimeout(resolve, instant - performance.now()));

/** Plays and stops one image. Of the image only the inline style changes. */
export class UpgradedImage {
  #frames;
  #changed;
  #content;
  /** Whether the browser's own clock runs. */
  #isNative = false;
  #startedAt = 0;
  #loops = 0;
  #frame = 0;
  #isOver = false;
  #isOnce = false;
  #timer = 0;
  /** Counts the orders: what an earlier one still awaits has no effect. */
  #order = 0;
  #isSeeking = false;

  /** What the user or the page has asked for; null leaves it to the policy. @type {"play" | "pause" | null} */
  wish = null;
  isPlaying = false;

  /**
   * @param {HTMLImageElement} image
   * @param {import("./upgrade-frames.js").Frames} frames
   * @param {() => void} changed
   */
  constructor(image, frames, changed) {
    this.image = image;
    this.#frames = frames;
    this.style = new InlineStyle(image);
    this.#content = new ShownContent(image, this.style);
    this.#changed = changed;
  }

  /** Takes over from the browser's own playing. Rejects where the page may show no picture of its own. */
  async start(mayPlay, isOnce) {
    this.isPlaying = mayPlay;
    this.#isOnce = isOnce;
    this.#changed();
    const order = (this.#order += 1);
    await (mayPlay ? this.#begin(order) : this.#showFrame(order, { frame: 0, loops: 0 }));
  }

  /** Plays on; `isOnce` ends it after one loop or five seconds. */
  play(isOnce = false) {
    if (this.isPlaying) return;
    this.isPlaying = true;
    this.#isOnce = isOnce;
    const order = (this.#order += 1);
    if (this.#isOver) this.#rewind();
    this.#changed();
    // The browser's clock may still run: the pause before had no picture yet.
    if (this.#isNative) this.#watchEnd(order);
    else if (this.#loops || this.#frame) this.#goOn(order).catch(() => {});
    else this.#begin(order).catch(() => {});
  }

  async pause() {
    if (!this.isPlaying) return;
    const order = this.#halt();
    let place = { frame: this.#frame, loops: this.#loops };
    if (this.#isNative) {
      await this.#frames.open();
      if (order !== this.#order) return;
      place = this.#placeAt(performance.now());
    }
    await this.#showFrame(order, place).catch(() => {});
  }

  /** Pauses at a frame. While a picture is in the making only the last of several wishes counts. */
  async seek(frame) {
    this.#isNative = this.#isOver = false;
    this.#frame = frame;
    this.#halt();
    if (this.#isSeeking) return;
    this.#isSeeking = true;
    for (let made = -1; made !== this.#frame && !this.isPlaying; ) {
      made = this.#frame;
      const still = await this.#frames.still(made).catch(() => null);
      if (still) this.#show(still, this.isPlaying ? -1 : this.#order);
    }
    this.#isSeeking = false;
  }

  #halt() {
    this.isPlaying = false;
    clearTimeout(this.#timer);
    this.#order += 1;
    this.#changed();
    return this.#order;
  }

  /** Begins the loop again: where an image was not seen, or has loaded again, its clock is not known. */
  restart() {
    if (!this.isPlaying || !this.#isNative) return;
    const { loops, isOver } = this.#placeAt(performance.now());
    this.#loops = loops;
    if (isOver) this.#end();
    else this.#begin((this.#order += 1)).catch(() => {});
  }

  /** Lets the engine read the file ahead of a pause. */
  prepare() {
    return this.#frames.open();
  }

  get frameCount() {
    return this.#frames.delays?.length ?? 0;
  }

  /** The frame that is shown, as far as it is known. */
  get frame() {
    return this.#isNative ? this.#placeAt(performance.now()).frame : this.#frame;
  }

  /** Leaves the image as it was found. */
  leave() {
    this.#order += 1;
    this.isPlaying = false;
    clearTimeout(this.#timer);
    this.style.restore();
    this.#content.leave();
  }

  // Playing

  /** Plays from the beginning of a loop, at the browser's expense. */
  async #begin(order) {
    const shown = await this.#frames.moving(this.#playsLeft);
    if (!this.#show(shown, order)) return;
    this.#isNative = true;
    this.#frame = 0;
    this.#startedAt = performance.now();
    this.#watchEnd(order);
    await refresh();
    // Its time begins with its first paint.
    if (order === this.#order) this.#startedAt = performance.now();
  }

  get #playsLeft() {
    return this.#isOnce ? 1 : this.#frames.plays - this.#loops;
  }

  /** Shows the rest of the loop frame by frame, then lets the browser play on. */
  async #goOn(order) {
    const isReadable = await this.#frames.open();
    if (order !== this.#order) return;
    if (!isReadable) {
      await this.#begin(order);
      return;
    }
    const { delays } = this.#frames;
    for (let due = performance.now(); this.#frame < delays.length; ) {
      due = Math.max(performance.now(), due + delays[this.#frame]);
      const next = this.#frame + 1;
      const still = next < delays.length ? await this.#frames.still(next) : null;
      await until(due);
      if (order !== this.#order) {
        if (still) URL.revokeObjectURL(still.url);
        return;
      }
      if (still) this.#show(still, order);
      this.#frame = next;
    }
    this.#loops += 1;
    this.#frame = delays.length - 1;
    if (this.#loops >= this.#frames.plays) this.#end();
    else await this.#begin(order);
  }

  /** Notices the end of what does not play for ever; playing once ends after five seconds, too. */
  async #watchEnd(order) {
    clearTimeout(this.#timer);
    if (this.#playsLeft === Infinity) return;
    if (this.#isOnce) this.#timer = setTimeout(() => this.pause(), ONCE_LIMIT);
    if (!(await this.#frames.open()) || order !== this.#order) return;
    const length = this.#length * this.#playsLeft;
    if (this.#isOnce && length > ONCE_LIMIT) return;
    clearTimeout(this.#timer);
    const left = this.#startedAt + length - performance.now();
    this.#timer = setTimeout(() => this.#end(), Math.min(left, LONGEST_TIMER));
  }

  #end() {
    this.isPlaying = this.#isNative = false;
    this.#isOver = true;
    this.#frame = this.frameCount - 1;
    this.#changed();
  }

  #rewind() {
    this.#isOver = this.#isNative = false;
    this.#loops = this.#frame = 0;
  }

  // Places

  get #length() {
    return this.#frames.delays.reduce((sum, delay) => sum + delay, 0);
  }

  #placeAt(instant) {
    const { delays } = this.#frames;
    if (!delays) return { frame: 0, loops: this.#loops };
    const length = this.#length;
    const elapsed = Math.max(0, instant - this.#startedAt);
    const loops = Math.floor(elapsed / length);
    if (loops >= this.#playsLeft) return { frame: delays.length - 1, loops: this.#loops + loops, isOver: true };
    let left = elapsed % length;
    return { frame: delays.findIndex((delay) => (left -= delay) < 0), loops: this.#loops + loops };
  }

  // Pictures

  async #showFrame(order, { frame, loops, isOver = false }) {
    if (!this.#show(await this.#frames.still(frame), order)) return;
    this.#isNative = false;
    this.#frame = frame;
    this.#loops = loops;
    this.#isOver = isOver;
  }

  /** Puts a picture in place of the image's own, if the order still holds. */
  #show(shown, order) {
    if (order !== this.#order) {
      URL.revokeObjectURL(shown.url);
      return false;
    }
    this.#content.show(shown);
    return true;
  }
}
