// One image of the page whose bytes can be read. It plays natively, from an address of its own, or shows one frame.

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
  /** How often the browser plays the file that it shows; 0 while a still stands there. */
  #plays = 0;
  #startedAt = 0;
  #loops = 0;
  #frame = 0;
  #isOver = false;
  /** Whether it is in sight, on a page that is seen. */
  #isSeen = true;
  /** What ends it, where it plays once. @type {((isMoving: boolean) => void) | undefined} */
  #once;
  #timer = 0;
  /** Counts the orders: what an earlier one still awaits has no effect. */
  #order = 0;

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
  start(mayPlay, onceLimit) {
    return mayPlay ? this.#play(onceLimit) : this.#showFrame(this.#order, { frame: 0, loops: 0 });
  }

  /** Plays on; with `onceLimit` of motion.js for one loop, or for five seconds in sight. */
  play(onceLimit) {
    this.#play(onceLimit).catch(() => {}); // what cannot be shown stands
  }

  async #play(onceLimit) {
    if (this.isPlaying && (onceLimit || !this.#once)) return;
    this.#limit(onceLimit);
    this.isPlaying = true;
    const order = (this.#order += 1);
    if (this.#isOver) {
      this.#isOver = false;
      this.#plays = this.#loops = this.#frame = 0;
    }
    this.#changed();
    // The browser's clock may still run: the pause before had no picture yet.
    if (this.#plays === this.#playsLeft && this.#startedAt < Infinity) this.#watchEnd(order);
    else if (this.#loops || this.#frame) await this.#goOn(order);
    else await this.#begin(order);
  }

  async pause() {
    if (!this.isPlaying) return;
    const order = this.#halt();
    if (this.#plays) await this.#frames.open();
    if (order === this.#order) await this.#showFrame(order, this.#place).catch(() => {});
  }

  /** Stands at a frame from now on; `showStill` shows it. */
  stopAt(frame) {
    this.#isOver = false;
    this.#plays = 0;
    this.#frame = frame;
    this.#halt();
  }

  /** Shows the frame at which it stands, and returns its number; another one may be wanted meanwhile. */
  async showStill() {
    const frame = this.#frame;
    const still = await this.#frames.still(frame).catch(() => null);
    if (still) this.#show(still, this.isPlaying ? -1 : this.#order);
    return frame;
  }

  #halt() {
    this.isPlaying = false;
    this.#limit();
    this.#order += 1;
    this.#changed();
    return this.#order;
  }

  /** Notes whether it is in sight. Browsers differ in what they do with the rest: the loop begins again on return. */
  see(isSeen) {
    if (isSeen === this.#isSeen) return;
    this.#isSeen = isSeen;
    this.#once?.(isSeen);
    this.restart();
  }

  /** Begins the loop again once it is seen, as for an image that has loaded again: its clock is not known. */
  restart() {
    if (!this.isPlaying || !this.#plays) return;
    const { loops, isOver } = this.#place;
    clearTimeout(this.#timer);
    this.#loops = loops;
    this.#startedAt = Infinity;
    if (isOver) this.#end();
    else if (this.#isSeen) this.#begin((this.#order += 1)).catch(() => {});
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
    return this.#place.frame;
  }

  /** Leaves the image as it was found. */
  leave() {
    this.#halt();
    // No order holds from now on.
    this.#order = NaN;
    this.style.restore();
    this.#content.leave();
  }

  // Playing

  /** Plays from the beginning of a loop, at the browser's expense. */
  async #begin(order) {
    const plays = this.#playsLeft;
    if (!this.#show(await this.#frames.moving(plays), order)) return;
    this.#plays = plays;
    this.#frame = 0;
    this.#startClock();
    this.#watchEnd(order);
    await refresh();
    // Its time begins with its first paint.
    if (order === this.#order) this.#startClock();
  }

  /** Out of sight no time runs. */
  #startClock() {
    this.#startedAt = this.#isSeen ? performance.now() : Infinity;
  }

  get #playsLeft() {
    return this.#once ? 1 : this.#frames.plays - this.#loops;
  }

  /** Lets it play once from now on, or as often as its file says. */
  #limit(onceLimit) {
    clearTimeout(this.#timer);
    this.#once?.(false);
    this.#once = onceLimit?.(() => this.pause());
    this.#once?.(this.#isSeen);
  }

  /** Shows the rest of the loop frame by frame, then lets the browser play on. */
  async #goOn(order) {
    if (!(await this.#frames.open())) return this.#begin(order);
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
    return this.#loops < this.#frames.plays ? this.#begin(order) : this.#end();
  }

  /** Notices the end of what does not play for ever. */
  async #watchEnd(order) {
    if (this.#plays === Infinity) return;
    if (!(await this.#frames.open()) || order !== this.#order || !this.#isSeen) return;
    const left = this.#startedAt + this.#length * this.#plays - performance.now();
    this.#timer = setTimeout(() => this.#end(), Math.min(left, LONGEST_TIMER));
  }

  #end() {
    this.#limit();
    this.isPlaying = false;
    this.#isOver = true;
    this.#plays = 0;
    this.#frame = this.frameCount - 1;
    this.#changed();
  }

  // Places

  get #length() {
    return this.#frames.delays.reduce((sum, delay) => sum + delay, 0);
  }

  /** Where it stands, as far as the browser's clock is known. */
  get #place() {
    const { delays } = this.#frames;
    if (!this.#plays || !delays) return { frame: this.#frame, loops: this.#loops };
    const length = this.#length;
    const elapsed = Math.max(0, performance.now() - this.#startedAt);
    const loops = Math.floor(elapsed / length);
    if (loops >= this.#plays) return { frame: delays.length - 1, loops: this.#loops + loops, isOver: true };
    let left = elapsed % length;
    return { frame: delays.findIndex((delay) => (left -= delay) < 0), loops: this.#loops + loops };
  }

  // Pictures

  async #showFrame(order, { frame, loops, isOver = false }) {
    if (!this.#show(await this.#frames.still(frame), order)) return;
    this.#plays = 0;
    this.#frame = frame;
    this.#loops = loops;
    this.#isOver = isOver;
    // The number of the frame has run on with the browser's clock until now.
    this.#changed();
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
