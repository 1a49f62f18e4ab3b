// A bar over the lower edge of an image, and drags on the picture itself: to the right is on, to the left is back.

import { moveTo, PauseButton } from "./upgrade-button.js";

const HEIGHT = 32;
const LEAST = 24;
const LEAST_WIDTH = 96;
/** With less the slider has no room beside the number. */
const NUMBER_WIDTH = 160;
const DRAG_START = 4;
const UPDATE = 100;

const STYLE = `
.bar { position: absolute; left: 0; top: 0; box-sizing: border-box; padding-inline-end: 8px;
  pointer-events: auto; display: flex; align-items: center; gap: 4px; background: rgb(0 0 0 / .72); color: #fff;
  font: 12px/1 system-ui, sans-serif; font-variant-numeric: tabular-nums }
.bar button { position: static; flex: none; width: 32px; height: 100% }
.narrow { padding: 0; background: none }
.narrow button { width: 100% }
.bar button i { width: 24px; height: 24px }
.bar:not(.narrow) button i:not(:hover *):not(:focus-visible *) { background: none; box-shadow: none }
.bar input { flex: 1; min-width: 24px; height: 24px; margin: 0; accent-color: #fff; cursor: pointer }
.bar input:focus-visible { outline: 2px solid #fff; outline-offset: -1px }
@media (forced-colors: active) {
  .bar { background: Canvas; color: CanvasText; border: 1px solid CanvasText } }
@media print { .bar { display: none } }`;

let sheet;

/** Play and pause, a slider over the frames, and the number of the frame. */
export class ScrubBar {
  element = document.createElement("div");
  #item;
  #button;
  #slider = document.createElement("input");
  // No live region: it changes with every frame.
  #number = document.createElement("span");
  #life = new AbortController();
  #timer = 0;
  #isSeeking = false;
  /** The drag on the picture. @type {{x: number, frame: number, isMoving: boolean, wasPlaying: boolean} | null} */
  #drag = null;

  /** @param {import("./upgrade-image.js").UpgradedImage} item @param {object} options those of PauseButton */
  constructor(item, options) {
    this.#item = item;
    this.#button = new PauseButton(item, options);
    this.element.className = "bar";
    this.#slider.type = "range";
    this.#slider.addEventListener("input", () => this.#seek(Number(this.#slider.value)));
    this.element.append(this.#button.element, this.#slider, this.#number);
    // A finger that moves sideways scrubs; up and down it scrolls the page.
    item.style.set("touch-action", "pan-y");
    const { signal } = this.#life;
    for (const type of ["pointerdown", "pointermove", "pointerup", "pointercancel"]) {
      item.image.addEventListener(type, this.#move, { signal });
    }
    item.image.addEventListener("dragstart", (event) => event.preventDefault(), { signal });
    item.prepare().then(() => this.update());
    this.update();
  }

  update() {
    const { frame, frameCount, isPlaying } = this.#item;
    this.#button.update();
    this.#slider.max = Math.max(0, frameCount - 1);
    this.#slider.value = frame;
    this.#slider.disabled = !frameCount;
    this.#slider.ariaLabel = this.#button.element.ariaLabel.replace(/^[^:]*:?\s*/, "") || "GIF";
    this.#number.textContent = this.#slider.ariaValueText = frameCount ? `#${frame} of ${frameCount}` : "";
    if (isPlaying && !this.#timer) this.#timer = setInterval(() => this.update(), UPDATE);
    if (isPlaying) return;
    clearInterval(this.#timer);
    this.#timer = 0;
  }

  place({ box, seen, isRendered, origin }) {
    const { element } = this;
    if (!sheet) (sheet = new CSSStyleSheet()).replaceSync(STYLE);
    const { adoptedStyleSheets: sheets } = element.getRootNode();
    if (!sheets.includes(sheet)) sheets.push(sheet);
    const { left, top, width, height } = seen ?? box;
    // Without room for the slider the button stands alone.
    const isNarrow = width < LEAST_WIDTH || height < HEIGHT;
    const side = Math.min(width, height) < HEIGHT ? LEAST : HEIGHT;
    this.#slider.hidden = isNarrow;
    this.#number.hidden = isNarrow || width < NUMBER_WIDTH;
    element.hidden = !isRendered || Math.min(box.width, box.height) < LEAST;
    element.classList.toggle("away", !seen || Math.min(width, height) < LEAST);
    element.classList.toggle("narrow", isNarrow);
    if (!element.hidden) moveTo(element, left, top + height - side, origin, isNarrow ? side : width, side);
  }

  /** Pauses at a frame. While a picture is in the making only the last of several wishes counts. */
  async #seek(frame) {
    const item = this.#item;
    item.stopAt(frame);
    if (this.#isSeeking) return;
    this.#isSeeking = true;
    for (let shown = -1; shown !== item.frame && !item.isPlaying; ) shown = await item.showStill();
    this.#isSeeking = false;
  }

  #move = (event) => {
    const { image, frame, frameCount, isPlaying } = this.#item;
    if (event.type === "pointerdown" && event.button === 0 && frameCount) {
      this.#drag = { x: event.clientX, frame, isMoving: false, wasPlaying: isPlaying };
    } else if (event.type === "pointermove" && this.#drag) {
      const way = event.clientX - this.#drag.x;
      if (!this.#drag.isMoving && Math.abs(way) < DRAG_START) return;
      if (!this.#drag.isMoving) image.setPointerCapture(event.pointerId);
      this.#drag.isMoving = true;
      const wanted = this.#drag.frame + Math.round((way / image.getBoundingClientRect().width) * frameCount);
      this.#seek(Math.min(frameCount - 1, Math.max(0, wanted)));
    } else if (this.#drag) this.#drop();
  };

  #drop() {
    const { isMoving, wasPlaying } = this.#drag;
    this.#drag = null;
    if (!isMoving) return;
    // The end of a drag is no click on the picture or on its link.
    const stop = (event) => {
      event.preventDefault();
      event.stopImmediatePropagation();
    };
    addEventListener("click", stop, { capture: true, once: true });
    setTimeout(() => removeEventListener("click", stop, { capture: true }));
    if (wasPlaying) this.#item.play();
  }

  /** Ends the listening to the image. */
  leave() {
    this.#life.abort();
    clearInterval(this.#timer);
  }
}
