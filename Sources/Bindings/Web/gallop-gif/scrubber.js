// <gallop-scrubber>: a playhead and the two knobs of a range, for pointers, touch and the keyboard.
import { takeLazyProperties } from "./lazy-properties.js";
import { control } from "./scrubber-control.js";
import { STYLE } from "./scrubber-style.js";
import { FIELD, fractionOf, knobFor, moveKnob, settle, valueAt, valueForKey } from "./scrubbing.js";
import { wear } from "./styles.js";

const Base = globalThis.HTMLElement ?? class {};
const NUMBERS = ["min", "max", "step", "value", "start", "end"];
const LABELS = { playhead: "Playhead", start: "Start of the range", end: "End of the range" };

/**
 * A slider of up to three knobs.
 *
 * Attributes and properties: `min` (0), `max` (1), `step` (0: none), `value` (the playhead), `start`, `end`
 * (the range; the whole track where absent), `knobs` ("both", "playhead" or "range"), `disabled`, `for` (the
 * id of a <gallop-gif> that the scrubber drives).
 * Events, which only a user causes: `begin`, `change`, `end`, with `detail` {knob, value, start, end}.
 * A knob that a user holds stays in the hand: code that sets its value changes nothing until it is let go.
 */
export class GallopScrubber extends Base {
  static observedAttributes = [...NUMBERS, "knobs", "disabled", "for"];

  #track = { min: 0, max: 1, step: 0, value: 0, start: 0, end: 1 };
  /** The values as they were asked for: a later, longer track may have room for them. */
  #wanted = { min: 0, max: 1, step: 0, value: 0, start: -Infinity, end: Infinity };
  #parts = null;
  #held = null; // {knob, pointer, before}; the pointer is null for the keyboard
  #describe = null;
  #endControl = null;

  constructor() {
    super();
    const root = this.attachShadow({ mode: "open", delegatesFocus: true });
    wear(root, [STYLE]);
    const make = (className, parent) => {
      const part = document.createElement("div");
      part.className = className;
      part.setAttribute("part", className);
      return parent.appendChild(part);
    };
    const track = make("track", root);
    this.#parts = { track, rail: make("rail", track), part: make("part", track) };
    for (const knob of ["start", "end", "playhead"]) {
      const handle = make(knob, track);
      handle.classList.add("knob");
      handle.setAttribute("part", `knob ${knob}`);
      handle.setAttribute("role", "slider");
      handle.dataset.knob = knob;
      this.#parts[knob] = handle;
    }
    track.addEventListener("pointerdown", (event) => this.#press(event));
    track.addEventListener("pointermove", (event) => this.#drag(event));
    for (const type of ["pointerup", "pointercancel", "lostpointercapture"]) {
      track.addEventListener(type, (event) => this.#release(event.pointerId));
    }
    track.addEventListener("keydown", (event) => this.#keyDown(event));
    track.addEventListener("keyup", () => this.#releaseKey());
    track.addEventListener("focusout", () => this.#releaseKey());
  }

  connectedCallback() {
    takeLazyProperties(this, [...NUMBERS, "knobs", "disabled", "describe"]);
    this.#show();
    this.#tie();
  }

  adoptedCallback() {
    wear(this.shadowRoot, [STYLE]);
  }

  disconnectedCallback() {
    this.#finish();
    this.#tie();
  }

  attributeChangedCallback(name, _before, text) {
    if (NUMBERS.includes(name)) this.#set(name, text);
    else if (name === "for") this.#tie();
    else this.#show();
  }

  get min() { return this.#track.min; }
  set min(value) { this.#set("min", value); }
  get max() { return this.#track.max; }
  set max(value) { this.#set("max", value); }
  get step() { return this.#track.step; }
  set step(value) { this.#set("step", value); }
  get value() { return this.#track.value; }
  set value(value) { this.#set("value", value); }
  get start() { return this.#track.start; }
  set start(value) { this.#set("start", value); }
  get end() { return this.#track.end; }
  set end(value) { this.#set("end", value); }
  get knobs() { return this.getAttribute("knobs") ?? "both"; }
  set knobs(value) { this.setAttribute("knobs", String(value)); }
  get disabled() { return this.hasAttribute("disabled"); }
  set disabled(value) { this.toggleAttribute("disabled", value === "" || Boolean(value)); }
  /** The knob in a user's hand, or null. */
  get held() { return this.#held?.knob ?? null; }
  /** Says a value in words for `aria-valuetext`: a function of the value and the knob. */
  get describe() { return this.#describe; }
  set describe(value) {
    this.#describe = typeof value === "function" ? value : null;
    this.#show();
  }

  /** Drives the GIF that `for` names, once both are in the document. */
  #tie() {
    this.#endControl?.();
    const id = this.isConnected && this.getAttribute("for");
    const gif = id && this.getRootNode().getElementById?.(id);
    this.#endControl = gif ? control(this, gif) : null;
  }

  #set(name, value) {
    const number = value === null || value === undefined || value === "" ? NaN : Number(value);
    const absent = { min: 0, max: 1, step: 0, value: 0, start: -Infinity, end: Infinity };
    const wanted = Number.isNaN(number) ? absent[name] : number;
    this.#wanted[name] = wanted;
    const heldField = this.#held ? FIELD[this.#held.knob] : null;
    if (name === heldField) return;
    const kept = heldField ? { [heldField]: this.#track[heldField] } : {};
    this.#track = settle({ ...this.#wanted, ...kept });
    this.#show();
  }

  #press(event) {
    if (event.button !== 0 || this.disabled || this.#held) return;
    const value = this.#valueUnder(event);
    const knob = event.target.dataset?.knob ?? knobFor(this.#track, value, this.#shown());
    if (!knob) return;
    event.preventDefault();
    try {
      this.#parts.track.setPointerCapture(event.pointerId);
    } catch {
      // A pointer that has gone already, or one that a test made up, cannot be captured.
    }
    this.#parts[knob].focus({ preventScroll: true });
    this.#begin(knob, event.pointerId);
    if (event.target.dataset?.knob === undefined) this.#move(value);
  }

  #drag(event) {
    if (this.#held?.pointer === event.pointerId) this.#move(this.#valueUnder(event));
  }

  #release(pointer) {
    if (this.#held?.pointer === pointer) this.#finish();
  }

  #keyDown(event) {
    const knob = event.target.dataset?.knob;
    if (!knob || this.disabled || event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.key === "Escape" && this.#held) {
      event.preventDefault();
      this.#move(this.#held.before);
      this.#finish();
      return;
    }
    const value = valueForKey(this.#track, knob, event.key);
    if (value === null || (this.#held && this.#held.pointer !== null)) return;
    event.preventDefault();
    if (!this.#held) this.#begin(knob, null);
    this.#move(value);
  }

  #releaseKey() {
    if (this.#held?.pointer === null) this.#finish();
  }

  #begin(knob, pointer) {
    this.#held = { knob, pointer, before: this.#track[FIELD[knob]] };
    this.#parts[knob].classList.add("held");
    this.#notify("begin", knob);
  }

  #move(value) {
    const { knob } = this.#held;
    const before = this.#track[FIELD[knob]];
    this.#track = moveKnob(this.#track, knob, value);
    if (this.#track[FIELD[knob]] === before) return;
    this.#wanted[FIELD[knob]] = this.#track[FIELD[knob]];
    this.#wanted.value = this.#track.value;
    this.#show();
    this.#notify("change", knob);
  }

  #finish() {
    if (!this.#held) return;
    const { knob } = this.#held;
    this.#held = null;
    this.#parts[knob].classList.remove("held");
    this.#notify("end", knob);
  }

  #notify(type, knob) {
    const { value, start, end } = this.#track;
    this.dispatchEvent(new CustomEvent(type,
      { bubbles: true, composed: true, detail: { knob, value, start, end } }));
  }

  #valueUnder(event) {
    const box = this.#parts.track.getBoundingClientRect();
    return valueAt(this.#track, box.width > 0 ? (event.clientX - box.left) / box.width : 0);
  }

  #shown() {
    return { playhead: this.knobs !== "range", range: this.knobs !== "playhead" };
  }

  #show() {
    const shown = this.#shown();
    const { min, max, start, end, value } = this.#track;
    for (const knob of ["playhead", "start", "end"]) {
      const handle = this.#parts[knob];
      const at = this.#track[FIELD[knob]];
      handle.hidden = knob === "playhead" ? !shown.playhead : !shown.range;
      handle.style.insetInlineStart = `${100 * fractionOf(this.#track, at)}%`;
      handle.tabIndex = this.disabled ? -1 : 0;
      const state = { valuemin: knob !== "start" && shown.range ? start : min,
        valuemax: knob !== "end" && shown.range ? end : max, valuenow: at,
        valuetext: this.#describe ? this.#describe(at, knob) : Number(at.toPrecision(6)),
        label: LABELS[knob], disabled: this.disabled };
      for (const [name, now] of Object.entries(state)) {
        const text = String(now);
        if (handle.getAttribute(`aria-${name}`) !== text) handle.setAttribute(`aria-${name}`, text);
      }
    }
    const from = shown.range ? start : min;
    this.#parts.part.style.insetInlineStart = `${100 * fractionOf(this.#track, from)}%`;
    const to = shown.range ? end : value;
    this.#parts.part.style.insetInlineEnd = `${100 - 100 * fractionOf(this.#track, to)}%`;
  }
}

if (globalThis.customElements && !customElements.get("gallop-scrubber")) {
  customElements.define("gallop-scrubber", GallopScrubber);
}
