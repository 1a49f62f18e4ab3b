// The transport: what the buttons, the scrubber and the keys do with the player, and what they show of it.
import { sayTime } from "./model.js";

const $ = (id) => document.getElementById(id);
const RATES = [0.1, 0.25, 0.5, 1, 2, 4, 8];

/** Commands for the player. `moved` is called whenever another frame or range is shown. */
export class Transport {
  #gif = $("gif");
  #scrubber = $("scrubber");
  #analysis = null;
  #moved;
  /** Whether nothing has been asked of the file that was opened last: then it plays by itself. */
  #isUntouched = false;
  frame = 0;
  range = null;

  /** @param {(transport: Transport) => void} moved */
  constructor(moved) {
    this.#moved = moved;
    const gif = this.#gif;
    gif.addEventListener("framechange", () => this.#arrived(gif.currentFrameIndex));
    for (const type of ["play", "pause", "ended"]) gif.addEventListener(type, () => this.#show());
    this.#scrubber.describe = (value) => `frame #${value} of ${this.#analysis?.frames.length ?? 0}`;
    const onPlayhead = (act) => ({ detail }) => detail.knob === "playhead" && act();
    this.#scrubber.addEventListener("begin", onPlayhead(() => gif.beginScrubbing()));
    this.#scrubber.addEventListener("change", ({ detail }) => this.#scrub(detail));
    this.#scrubber.addEventListener("end", onPlayhead(() => gif.endScrubbing()));
    for (const button of document.querySelectorAll("[data-do]")) {
      button.addEventListener("click", () => this.do(button.dataset.do));
    }
    for (const button of document.querySelectorAll("[data-mode]")) {
      button.addEventListener("click", () => this.setMode(button.dataset.mode));
    }
    $("rate").addEventListener("change", () => this.setRate(Number($("rate").value)));
  }

  get mode() { return this.#gif.mode; }
  get rate() { return this.#gif.playbackRate; }
  get #last() { return (this.#analysis?.frames.length ?? 1) - 1; }

  /** Takes over another file, at the place that a link asks for, and plays it once `mayPlay` says so. */
  open(analysis, { frame = null, range = null, mode = "forward", rate = 1 } = {}, mayPlay) {
    this.#analysis = analysis;
    this.range = null;
    this.frame = 0;
    this.#gif.range = null;
    const isStill = frame !== null || matchMedia("(prefers-reduced-motion: reduce)").matches;
    this.#gif.srcObject = new Blob([analysis.bytes], { type: "image/gif" });
    Object.assign(this.#scrubber, { max: this.#last, value: 0, start: 0, end: this.#last });
    this.#scrubber.knobs = this.#last > 0 ? "both" : "playhead";
    this.setMode(mode);
    this.setRange(range);
    const start = async () => {
      this.setRate(rate);
      if (frame !== null) this.seek(frame);
      this.#isUntouched = true;
      if (!isStill && await mayPlay && this.#analysis === analysis && this.#isUntouched) this.#gif.play().catch(() => {}); // its `error` event says why
    };
    this.#gif.addEventListener("canplaythrough", start, { once: true });
    this.#arrived(0);
  }

  do(what) {
    this.#isUntouched = false;
    const gif = this.#gif;
    const [first, end] = this.range ?? [0, this.#last + 1];
    if (what === "toggle") {
      if (gif.paused) gif.play().catch(() => {});
      else gif.pause();
    }
    if (what === "on") this.step(1);
    if (what === "back") this.step(-1);
    if (what === "first") this.seek(first);
    if (what === "last") this.seek(end - 1);
  }

  step(count) {
    this.#isUntouched = false;
    this.#gif.step(count).catch(() => {});
  }

  seek(frame) {
    this.#isUntouched = false;
    const within = Math.max(0, Math.min(this.#last, frame));
    if (this.range && (within < this.range[0] || within >= this.range[1])) this.setRange(null);
    this.#gif.seekToFrame(within).catch(() => {});
  }

  /** Plays only these frames: [first, end), or null for all. */
  setRange(range) {
    const isAll = !range || (range[0] <= 0 && range[1] > this.#last);
    this.range = isAll ? null
      : [Math.max(0, Math.min(range[0], this.#last)), Math.min(range[1], this.#last + 1)];
    if (this.range && this.range[0] >= this.range[1]) this.range = null;
    this.#gif.range = this.range;
    const [first, end] = this.range ?? [0, this.#last + 1];
    Object.assign(this.#scrubber, { start: first, end: end - 1 });
    this.#moved(this);
  }

  /** Begins or ends the range at the frame shown. */
  cut(isStart) {
    const [first, end] = this.range ?? [0, this.#last + 1];
    this.setRange(isStart ? [this.frame, Math.max(end, this.frame + 1)]
      : [Math.min(first, this.frame), this.frame + 1]);
  }

  setMode(mode) {
    this.#gif.mode = mode;
    for (const button of document.querySelectorAll("[data-mode]")) {
      button.setAttribute("aria-pressed", String(button.dataset.mode === mode));
    }
  }

  setRate(rate) {
    const select = $("rate");
    const isListed = [...select.options].some(({ value }) => Number(value) === rate);
    if (!isListed) select.append(new Option(`${rate}×`, rate));
    select.value = String(rate);
    this.#gif.playbackRate = rate;
  }

  /** The next faster or slower speed of the list. */
  changeRate(steps) {
    const at = RATES.findIndex((rate) => rate >= this.rate);
    this.setRate(RATES[Math.max(0, Math.min(RATES.length - 1, at + steps))]);
  }

  #scrub({ knob, value, start, end }) {
    if (knob === "playhead") this.seek(value);
    else this.setRange([start, end + 1]);
  }

  #arrived(frame) {
    if (!this.#analysis || frame < 0) return;
    this.frame = frame;
    this.#show();
    this.#moved(this);
  }

  #show() {
    const isPaused = this.#gif.paused;
    $("toggle-icon").setAttribute("href", isPaused ? "#play" : "#pause");
    document.querySelector("[data-do=toggle]").setAttribute("aria-label", isPaused ? "Play" : "Pause");
    this.#scrubber.value = this.frame;
    bold($("place"), `#${this.frame}`, ` of ${this.#analysis.frames.length}`);
    bold($("time"), sayTime(this.#analysis.starts[this.frame]), ` / ${sayTime(this.#analysis.duration)}`);
  }
}

/** Shows a figure: its first part bold. What changes with each frame is no live region, which would be read out. */
function bold(figure, strong, rest) {
  figure.firstElementChild ?? figure.append(document.createElement("b"));
  figure.firstElementChild.textContent = strong;
  if (figure.childNodes.length < 2) figure.append("");
  figure.childNodes[1].textContent = rest;
}
