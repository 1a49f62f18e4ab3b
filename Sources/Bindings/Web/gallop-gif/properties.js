// The properties that need no player: reflected attributes, and the sound that a GIF does not have.

import { hint } from "./layout.js";
import { MODES } from "./protocol.js";
import { number } from "./media-values.js";
import { MOTIONS } from "./motion.js";

const RESIZE_MODES = ["stretch", "contain", "cover"];
const RANGE = /^\s*(\d+)\s*(?:,|\.\.<)\s*(\d+)\s*$/;

/** The numbers of a range's text; null if it is none. */
function rangeOf(text) {
  return RANGE.exec(text)?.slice(1).map(Number) ?? null;
}

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
  get srcset() { return this.getAttribute("srcset") ?? ""; }
  set srcset(value) { this.#reflect("srcset", value); }
  get sizes() { return this.getAttribute("sizes") ?? ""; }
  set sizes(value) { this.#reflect("sizes", value); }
  get loading() { return this.#oneOf("loading", ["eager", "lazy"]); }
  set loading(value) { this.#reflect("loading", value); }
  get width() { return this.#side("width"); }
  set width(value) { this.#reflect("width", value); }
  get height() { return this.#side("height"); }
  set height(value) { this.#reflect("height", value); }
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

  /** The frames to play as [first, end), or null for all; so is a range that has no frame of the file. */
  get range() {
    const [first, end] = rangeOf(this.getAttribute("range")) ?? [];
    return first < end && !this.#isBeyond(first) ? [first, end] : null;
  }

  /** Takes a pair of numbers, or a text as the attribute has it. */
  set range(value) {
    if (value === null || value === undefined || value === "") return this.#reflect("range", null);
    const pair = typeof value === "string" ? rangeOf(value) : Array.from(value, Number);
    if (pair?.length !== 2 || pair.some(Number.isNaN)) {
      throw new TypeError(`A range is a pair of frames, [first, end]: ${String(value)} is none.`);
    }
    const [first, end] = pair;
    const isRange = pair.every(Number.isInteger) && first >= 0 && first < end && !this.#isBeyond(first);
    if (!isRange) throw new RangeError(`The range ${first},${end} has no frame.`);
    this.#reflect("range", `${first},${end}`);
  }

  #isBeyond(frame) {
    return this._info?.isComplete === true && frame >= this._info.frameCount;
  }

  /**
   * Whether it plays for ever. Without the attribute the file decides; loop="3" plays three times, any other text for ever.
   * Set to false, it plays once.
   */
  get loop() {
    if (this.hasAttribute("loop")) return this._plays === Infinity;
    return this._info?.plays === Infinity;
  }

  set loop(value) {
    const isForEver = value === true || value === Infinity;
    this.#reflect("loop", isForEver ? "" : value === false ? "1" : value);
  }

  /** Plays in all; 0 for what the file says. */
  get _plays() {
    if (!this.hasAttribute("loop")) return 0;
    const plays = Math.trunc(Number(this.getAttribute("loop")));
    return plays > 0 ? plays : Infinity;
  }

  /** The words of LatePolicy: "skip", "wait", or the most to catch up with; others count as skip. */
  get late() {
    const late = this.getAttribute("late");
    return late === "wait" ? late : Math.max(0, Math.trunc(Number(late)) || 0) || "skip";
  }
  set late(value) { this.#reflect("late", value); }
  get flashes() { return this.#oneOf("flashes", ["allow", "warn", "hold", "slow"]); }
  set flashes(value) { this.#reflect("flashes", value); }

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

  /** As of an image: the size on the page, or, without a page, what the attribute says. */
  #side(name) {
    const seen = this.isConnected ? parseFloat(getComputedStyle(this)[name]) : NaN;
    return Math.round(seen >= 0 ? seen : hint(this.getAttribute(name))?.number ?? 0);
  }

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
