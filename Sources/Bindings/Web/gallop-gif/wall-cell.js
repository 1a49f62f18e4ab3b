// A cell of a wall: a frame with a GIF and its placeholder, and a caption. Cells are reused for other items.
import { itemOf } from "./wall-layout.js";

/** The style of the whole wall. */
export const STYLE = `
:host { display: block; block-size: 100%; min-block-size: 6em; position: relative; contain: strict;
  --cell: var(--gallop-cell, color-mix(in srgb, currentColor 8%, transparent)) }
:host([hidden]) { display: none }
.view { position: absolute; inset: 0; overflow: hidden auto; outline: none; overscroll-behavior: contain }
.field { position: relative }
.row { position: absolute; inset-block-start: 0; inset-inline: 0; contain: layout style }
.row[hidden], .cell[hidden] { display: none }
.cell { position: absolute; inset-block: 0; display: flex; flex-direction: column; border-radius: 8px;
  cursor: pointer }
.frame { position: relative; flex: 1; min-block-size: 0; overflow: hidden; border-radius: 8px;
  background: var(--cell) }
.loaded .frame { background: none }
gallop-gif { position: absolute; inset: 0; inline-size: 100%; block-size: 100% }
.empty gallop-gif, .failed gallop-gif { visibility: hidden }
.placeholder { position: absolute; inset: 0; inline-size: 100%; block-size: 100%; object-fit: cover }
.loaded .placeholder, .failed .placeholder, .placeholder:not([src]) { display: none }
.failure { position: absolute; inset: 0; display: flex; flex-direction: column; align-items: center;
  justify-content: center; gap: 6px; padding: 8px; text-align: center; opacity: .75;
  font: 12px/1.35 system-ui, sans-serif }
.failure::before { content: "!"; flex: none; inline-size: 20px; line-height: 20px; border-radius: 50%;
  border: 1.5px solid; font-weight: 600 }
.failure span { overflow: hidden; display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 3;
  overflow-wrap: anywhere }
.failure span:empty { display: none }
.paused:not(.failed) .frame::before { content: "❚❚"; position: absolute; inset: 6px 8px auto auto; z-index: 1;
  font-size: 12px;
  padding: 2px 6px; border-radius: 9px; color: #fff; background: rgb(0 0 0 / .55) }
.caption { block-size: 1.9em; line-height: 1.9em; font: 13px/1.9em system-ui, sans-serif; padding-inline: 4px;
  overflow: hidden; white-space: nowrap; text-overflow: ellipsis }
.caption:empty { display: none }
.view:focus-visible .active::after { content: ""; position: absolute; inset: 0; z-index: 2; border-radius: 8px;
  pointer-events: none; outline: 3px solid var(--gallop-active, #0b6bcb); outline-offset: -3px }
@media (forced-colors: active) { .frame { border: 1px solid CanvasText }
  .view:focus-visible .active::after { outline-color: Highlight } }
`;
/** The height of a caption, as in the style above. */
export const CAPTION_HEIGHT = 25;
/** The time in which a GIF appears. */
const FADE_MS = 180;

export class WallCell {
  /** The item that the cell stands for; -1 for none. */
  index = -1;
  #isStarted = false;
  #name = "";
  #frame;
  #caption;
  /** What stands in the frame of a GIF that cannot be shown; null for others. */
  #failure = null;

  /**
   * @param {Element} row
   * @param {number} column
   * @param {{placeholder: string, resizeMode: string, motion: string | null, flashes: string | null,
   *   fades: () => boolean}} look
   */
  constructor(row, column, look) {
    const make = (name, className, parent) => {
      const part = document.createElement(name);
      part.className = className;
      return parent.appendChild(part);
    };
    this.element = make("div", "cell", row);
    this.element.setAttribute("role", "gridcell");
    this.element.setAttribute("aria-colindex", String(column + 1));
    const frame = make("div", "frame", this.element);
    const placeholder = make("img", "placeholder", frame);
    placeholder.alt = "";
    if (look.placeholder) placeholder.src = look.placeholder;
    this.gif = document.createElement("gallop-gif");
    this.gif.setAttribute("resize-mode", look.resizeMode);
    for (const name of ["motion", "flashes"]) if (look[name] !== null) this.gif.setAttribute(name, look[name]);
    this.gif.setAttribute("autoplay", "");
    const arrive = () => {
      this.element.classList.add("loaded");
      if (look.fades()) this.gif.animate({ opacity: [0, 1] }, FADE_MS);
    };
    this.gif.addEventListener("loadeddata", arrive);
    // A plain image that stands in comes without data.
    this.gif.addEventListener("load", () => this.gif.isPlain && arrive());
    this.gif.addEventListener("error", () => {
      // A GIF that fails later shows its last frame.
      if (!this.element.classList.contains("loaded")) this.#fail(this.gif.error.message);
    });
    frame.append(this.gif);
    this.#frame = frame;
    this.#caption = make("div", "caption", this.element);
  }

  /** Stands for an item from now on. The former item's GIF ends with `load` or `rest`, which follows. */
  show(index, item, isPaused) {
    this.#isStarted = false;
    this.element.classList.remove("loaded", "active");
    this.#forgetFailure();
    this.index = index;
    this.element.hidden = false;
    const { caption, alt } = itemOf(item);
    this.element.id = `item-${index}`;
    this.#caption.textContent = caption;
    this.#name = alt || caption || `Animated image ${index + 1}`;
    this.element.setAttribute("aria-label", this.#name);
    this.element.classList.toggle("paused", isPaused);
  }

  /** Stands for nothing: the GIF and its memory go. */
  empty() {
    this.index = -1;
    this.element.hidden = true;
    this.element.classList.remove("loaded", "paused", "active");
    this.#forgetFailure();
    this.element.removeAttribute("id");
    this.#caption.textContent = "";
    this.#isStarted = false;
    this.rest();
  }

  /** Says instead of a picture that there is none, and why where a user asks: by the pointer or a screen reader. */
  #fail(message) {
    this.#forgetFailure();
    this.element.classList.add("failed");
    this.element.setAttribute("aria-label", `${this.#name}: ${message}`);
    this.#frame.title = message;
    this.#failure = this.#frame.appendChild(document.createElement("div"));
    this.#failure.className = "failure";
    this.#failure.setAttribute("aria-hidden", "true");
    // A caption stands below: the same words twice say no more.
    const { alt } = this.gif;
    const words = this.#failure.appendChild(document.createElement("span"));
    words.textContent = alt === this.#caption.textContent ? "" : alt;
  }

  #forgetFailure() {
    this.element.classList.remove("failed");
    this.#frame.removeAttribute("title");
    this.#failure?.remove();
    this.#failure = null;
  }

  /** Hides and ends the GIF of the former item, if the present one's has not started. */
  rest() {
    if (this.#isStarted) return;
    this.element.classList.add("empty");
    if (this.gif.hasAttribute("src")) this.gif.removeAttribute("src");
  }

  /** Whether the item's GIF has not been started. */
  get isWaiting() { return this.index >= 0 && !this.#isStarted; }

  /** Starts the GIF of the item, unless it has started. */
  load(item, isPaused) {
    const { src, alt } = itemOf(item);
    if (!this.isWaiting) return;
    this.#isStarted = true;
    this.element.classList.remove("empty");
    if (!src) {
      this.gif.removeAttribute("src");
      return;
    }
    this.gif.setAttribute("alt", alt);
    this.gif.toggleAttribute("autoplay", !isPaused);
    this.gif.setAttribute("src", src);
  }

  setPaused(isPaused) {
    this.element.classList.toggle("paused", isPaused);
    this.gif.toggleAttribute("autoplay", !isPaused);
    if (isPaused) this.gif.pause?.();
    else this.gif.play?.()?.catch?.(() => {}); // a GIF that cannot play says so by its `error`
  }

  place(left, width) {
    this.element.style.insetInlineStart = `${left}px`;
    this.element.style.inlineSize = `${width}px`;
  }
}
