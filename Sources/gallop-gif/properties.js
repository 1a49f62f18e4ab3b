// The properties that need no player: reflected attributes, and the sound that a GIF does not have.

import { MODES } from "./protocol.js";
import { number } from "./media-values.js";
import { MOTIONS } from "./motion.js";

const RESIZE_MODES = ["stretch", "contain", "cover"];
const RANGE = /^\s*(\d+)\s*(?:,|\.\.<)\s*(\d+)\s*$/;

/** An element whose attributes say what is to be played, and how. */
export class GallopProperties extends (globalThis.HTMLElement ?? class {}) {
  #volume = 1;
  #muted = true;

  get crossOrigin() { return this.getAttribute("crossorigin"); }
  set crossOrigin(value) { this.#reflect("crossorigin", value); }
  get alt() { return this.getAttribute("alt") ?? ""; }
  set alt(value) { this.#reflect("alt", value); }
  get poster() { return this.getAttribute("poster") ?? ""; }
  set poster(value) { this.#reflect("poster", value); }
  get preload() { return this.#oneOf("preload", ["auto", "metadata", "none"]); }
  set preload(value) { this.#reflect("preload", value); }
  get autoplay() { return this.hasAttribute("autoplay"); }
  set autoplay(value) { this.#toggle("autoplay", value); }
  get controls() { return this.hasAttribute("controls"); }
  set controls(value) { this.#toggle("controls", value); }
  get motion() { return MOTIONS.includes(this.getAttribute("motion")) ? this.getAttribute("motion") : "reduced"; }
  set motion(value) { this.#reflect("motion", value); }
  get mode() { return this.#oneOf("mode", MODES); }
  set mode(value) { this.#reflect("mode", value); }
  get resizeMode() { return this.#oneOf("resize-mode", RESIZE_MODES); }
  set resizeMode(value) { this.#reflect("resize-mode", value); }
  get delays() { return this.#oneOf("delays", ["browser", "encoded"]); }
  set delays(value) { this.#reflect("delays", value); }

  /** The frames to play as [first, end), or null for all. */
  get range() {
    const [, first, end] = RANGE.exec(this.getAttribute("range")) ?? [];
    return Number(first) < Number(end) ? [Number(first), Number(end)] : null;
  }

  set range(value) {
    if (value === null || value === undefined) return this.#reflect("range", null);
    const [first, end] = [...value].map(number);
    const { frameCount, isComplete } = this._info ?? {};
    const isThere = Number.isInteger(first) && Number.isInteger(end) && first >= 0 && first < end
      && !(isComplete && first >= frameCount);
    if (!isThere) throw new RangeError(`The range ${first},${end} has no frame.`);
    this.#reflect("range", `${first},${end}`);
  }

  /**
   * Whether it plays for ever. Without the attribute the file decides; loop="3" plays three times.
   * Set to false, it plays once.
   */
  get loop() {
    if (this.hasAttribute("loop")) return this._plays === Infinity;
    return this._info?.plays === Infinity;
  }

  set loop(value) { this.setAttribute("loop", value === true || value === "" ? "" : Number(value) || 1); }

  /** Plays in all; 0 for what the file says. */
  get _plays() {
    if (!this.hasAttribute("loop")) return 0;
    const plays = Math.trunc(Number(this.getAttribute("loop")));
    return plays > 0 ? plays : Infinity;
  }

  /** What becomes of late frames: "skip", "wait", or the most to catch up with. */
  get late() { return this._late < 0 ? "wait" : this._late || "skip"; }
  set late(value) { this.#reflect("late", value); }

  /** The same as the engine's number. */
  get _late() {
    const late = this.getAttribute("late");
    return late === "wait" ? -1 : Math.max(0, Math.trunc(Number(late)) || 0);
  }

  // A GIF is silent; control bars ask all the same.
  get volume() { return this.#volume; }

  set volume(value) {
    const volume = number(value);
    if (volume < 0 || volume > 1) throw new DOMException("The volume is from 0 to 1.", "IndexSizeError");
    this.#volume = volume;
    this._emit("volumechange");
  }

  get muted() { return this.#muted; }

  set muted(value) {
    this.#muted = Boolean(value);
    this._emit("volumechange");
  }

  get textTracks() { return (this.#tracks ??= document.createElement("video").textTracks); }
  #tracks;

  canPlayType(type) { return /^image\/gif\b/i.test(type) ? "probably" : ""; }

  #oneOf(name, words) {
    const word = this.getAttribute(name);
    return words.includes(word) ? word : words[0];
  }

  #reflect(name, value) {
    if (value === null || value === undefined) this.removeAttribute(name);
    else this.setAttribute(name, value);
  }

  /** React passes an attribute without a value as "". */
  #toggle(name, value) {
    this.toggleAttribute(name, value === "" || Boolean(value));
  }
}
