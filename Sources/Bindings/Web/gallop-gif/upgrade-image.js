// One image of the page whose bytes can be read. It plays natively, from an address of its own, or shows one frame.

import { ShownContent } from "./upgrade-content.js";
import { InlineStyle } from "./upgrade-style.js";

const LONGEST_TIMER = 2 ** 31 - 1;

const refresh = () => new Promise(requestAnimationFrame);

/** Plays and stops one image. Of the image only the inline style changes. */
export class UpgradedImage {
  #frames;
  #changed;
  #content;
  /** How often the browser plays the file that it shows; 0 while a still stands there. */
  #plays = 0;
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
   * @param {import("./upgrade-density.js").widthOf} [widthOf]
   */
  constructor(image, frames, changed, widthOf) {
    this.image = image;
    this.#frames = frames;
    this.style = new InlineStyle(image);
    this.#content = new ShownContent(image, this.style, widthOf);
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

  /** Notes whether it is in sight. Where none of the images has been that share an animation, it begins again on return. */
  see(isSeen) {
    if (isSeen === this.#isSeen) return;
    this.#isSeen = isSeen;
    this.#once?.(isSeen);
    if (!this.isPlaying || !this.#plays) return;
    const place = this.#place;
    this.#content.shown.see(this.#content, isSeen);
    if (this.#startedAt === Infinity) this.#beginAgain(place, true);
  }

  /** Begins the loop again, as for an image that has loaded again. */
  restart() {
    if (this.isPlaying && this.#plays) this.#beginAgain(this.#place, false);
  }

  #beginAgain({ loops, isOver }, mayJoin) {
    clearTimeout(this.#timer);
    this.#loops = loops;
    if (isOver) this.#end();
    else if (this.#isSeen) this.#begin((this.#order += 1), mayJoin).catch(() => {});
  }

  /** Lets the engine read the file ahead of a pause. */
  prepare() {
    return this.#frames.open();
  }

  get frameCount() {
    return this.#frames.opened?.frameCount ?? 0;
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

  /** Plays from the beginning of a loop, at the browser's expense; from a still that stands there it never jumps. */
  async #begin(order, mayJoin = !this.#content.shown) {
    const plays = this.#playsLeft;
    const moving = await this.#frames.moving(plays, mayJoin);
    if (!this.#show(moving, order, 0)) return;
    this.#plays = plays;
    moving.see(this.#content, this.#isSeen);
    moving.start(false);
    this.#watchEnd(order);
    await refresh();
    // Its time begins with its first paint.
    moving.start(true);
  }

  get #startedAt() {
    return this.#content.shown?.startedAt;
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
    const opened = await this.#frames.open();
    if (!opened) return this.#begin(order);
    const stillOf = (frame) => this.#frames.still(frame);
    const show = (frame, still) => this.#show(still, order, frame);
    if (!(await opened.playRest(this.#frame, stillOf, show))) return;
    this.#loops += 1;
    return this.#loops < this.#frames.plays ? this.#begin(order) : this.#end();
  }

  /** Notices the end of what does not play for ever. */
  async #watchEnd(order) {
    if (this.#plays === Infinity) return;
    if (!(await this.#frames.open()) || order !== this.#order || !this.#isSeen) return;
    const left = this.#startedAt + this.#frames.opened.length * this.#plays - performance.now();
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

  /** Where it stands, as far as the browser's clock is known. */
  get #place() {
    const { opened } = this.#frames;
    if (!this.#plays || !opened) return { frame: this.#frame, loops: this.#loops };
    const elapsed = Math.max(0, performance.now() - this.#startedAt);
    const loops = Math.floor(elapsed / opened.length);
    const isOver = loops >= this.#plays;
    return { frame: isOver ? this.frameCount - 1 : opened.frameAfter(elapsed), loops: this.#loops + loops, isOver };
  }

  // Pictures

  async #showFrame(order, { frame, loops, isOver }) {
    if (!this.#show(await this.#frames.still(frame), order, frame)) return;
    this.#plays = 0;
    this.#loops = loops;
    this.#isOver = isOver;
    // The number of the frame has run on with the browser's clock until now.
    this.#changed();
  }

  /** Puts a picture in place of what is shown, if there is one and the order still holds; whether it does. */
  #show(shown, order, frame = this.#frame) {
    if (order !== this.#order) {
      shown?.release();
      return false;
    }
    if (shown) this.#content.show(shown);
    this.#frame = frame;
    return true;
  }
}
