// The strip of frames: only the cells in view exist, and their pictures are drawn in idle time, in order.
import { sayBytes } from "./model.js";

const CELL = 108;
const EDGE = 12;
const THUMB = { width: 92, height: 72 };
const DRAWN_AT_ONCE_MS = 6;
const MOST_KEPT = 400;
const WORDS = { keep: "keep", background: "clear", previous: "restore" };

const whenIdle = globalThis.requestIdleCallback ?? ((work) => setTimeout(work, 8));

/** A horizontal list of an analysis's frames; calls `seek(frame)` when a user chooses one. */
export class Strip {
  #host;
  #field = document.createElement("div");
  #cells = new Map(); // by frame
  /**
   * Cells out of view with their pictures, the latest last: a range that is played again is not drawn again.
   */
  #kept = new Map();
  #analysis = null;
  #selected = -1;
  #range = null;
  #size = { width: 1, height: 1 };
  #isDrawing = false;

  /** @param {HTMLElement} host @param {(frame: number) => void} seek */
  constructor(host, seek) {
    this.#host = host;
    this.#field.className = "field";
    this.#field.setAttribute("role", "presentation");
    host.append(this.#field);
    host.addEventListener("scroll", () => this.#update(), { passive: true });
    this.#field.addEventListener("click", (event) => {
      const cell = event.target.closest(".frame");
      if (cell) seek(Number(cell.dataset.frame));
    });
    new ResizeObserver(() => this.#update()).observe(host);
  }

  show(analysis) {
    this.#analysis = analysis;
    for (const frame of [...this.#cells.keys()]) this.#drop(frame);
    this.#kept.clear();
    const { width, height } = analysis.info;
    const scale = Math.min(THUMB.width / width, THUMB.height / height, 4);
    this.#size = { width: Math.max(1, Math.round(width * scale)),
      height: Math.max(1, Math.round(height * scale)) };
    this.#field.style.inlineSize = `${2 * EDGE + analysis.frames.length * CELL}px`;
    this.#host.scrollLeft = 0;
    this.#selected = -1;
    this.#update();
  }

  /** Marks a frame, and brings it into view: at the left where it has run out of view to the right. */
  place(frame, range) {
    const isSame = frame === this.#selected && String(range) === String(this.#range);
    if (isSame) return;
    this.#mark(this.#selected, false);
    this.#selected = frame;
    this.#mark(frame, true);
    if (String(range) !== String(this.#range)) {
      this.#range = range;
      for (const [index, cell] of this.#cells) this.#shade(cell, index);
    }
    const left = EDGE + frame * CELL;
    const { scrollLeft, clientWidth } = this.#host;
    const before = left + CELL > scrollLeft ? left - EDGE : left - clientWidth + CELL + EDGE;
    if (left < scrollLeft) this.#host.scrollLeft = before;
    else if (left + CELL > scrollLeft + clientWidth) this.#host.scrollLeft = left - EDGE;
  }

  #mark(frame, isSelected) {
    const cell = this.#cells.get(frame);
    if (!cell) return;
    cell.element.setAttribute("aria-selected", String(isSelected));
    if (isSelected) this.#host.setAttribute("aria-activedescendant", cell.element.id);
  }

  #shade(cell, index) {
    const range = this.#range;
    cell.element.classList.toggle("outside", range !== null && (index < range[0] || index >= range[1]));
  }

  #update() {
    if (!this.#analysis) return;
    const { scrollLeft, clientWidth } = this.#host;
    const first = Math.max(0, Math.floor((scrollLeft - EDGE) / CELL) - 1);
    const last = Math.ceil((scrollLeft + clientWidth - EDGE) / CELL);
    const end = Math.min(this.#analysis.frames.length, last + 1);
    for (const frame of [...this.#cells.keys()]) if (frame < first || frame >= end) this.#drop(frame);
    for (let frame = first; frame < end; frame += 1) if (!this.#cells.has(frame)) this.#add(frame);
    this.#mark(this.#selected, true);
    this.#drawLater();
  }

  #drop(frame) {
    const cell = this.#cells.get(frame);
    this.#cells.delete(frame);
    cell.element.remove();
    cell.element.setAttribute("aria-selected", "false");
    this.#kept.set(frame, cell);
    if (this.#kept.size > MOST_KEPT) this.#kept.delete(this.#kept.keys().next().value);
  }

  #add(index) {
    const cell = this.#kept.get(index) ?? this.#make(index);
    this.#kept.delete(index);
    this.#shade(cell, index);
    this.#field.append(cell.element);
    this.#cells.set(index, cell);
  }

  #make(index) {
    const cell = makeCell();
    const frame = this.#analysis.frames[index];
    Object.assign(cell.canvas, this.#size);
    cell.element.id = `frame-${index}`;
    cell.element.dataset.frame = String(index);
    cell.element.style.insetInlineStart = `${EDGE + index * CELL}px`;
    cell.element.classList.toggle("key", frame.isKeyframe);
    cell.element.classList.toggle("damaged", isDamaged(frame));
    cell.element.title = `${frame.width} × ${frame.height} at ${frame.x}, ${frame.y}`
      + ` · ${sayBytes(frame.byteCount)}${frame.isKeyframe ? " · key frame" : ""}`;
    cell.number.textContent = `#${index}`;
    cell.delay.textContent = `${frame.delay} ms`;
    cell.disposal.textContent = WORDS[frame.disposal] ?? frame.disposal;
    cell.bytes.textContent = sayBytes(frame.byteCount);
    const { info } = this.#analysis;
    place(cell.rectangle, frame, info);
    const isWhole = frame.width === info.width && frame.height === info.height;
    cell.rectangle.hidden = isWhole; // it says nothing then
    return cell;
  }

  #drawLater() {
    if (this.#isDrawing) return;
    this.#isDrawing = true;
    whenIdle(() => this.#drawSome());
  }

  /** Draws pictures in order, so that each costs one decode, for as long as a user does not notice. */
  #drawSome() {
    this.#isDrawing = false;
    const end = performance.now() + DRAWN_AT_ONCE_MS;
    const waiting = [...this.#cells].filter(([, cell]) => !cell.isDrawn).sort(([a], [b]) => a - b);
    for (const [frame, cell] of waiting) {
      if (performance.now() > end) {
        this.#drawLater();
        return;
      }
      cell.isDrawn = true;
      try {
        const status = this.#analysis.draw(cell.canvas, frame);
        if (status !== "complete") cell.element.classList.add("damaged");
      } catch {
        cell.element.classList.add("damaged"); // its picture stays empty
      }
    }
  }
}

const isDamaged = (frame) => frame.isTruncated || (frame.status !== null && frame.status !== "complete");

/** Puts an overlay on a frame's rectangle, in parts of the picture. */
export function place(overlay, frame, { width, height }) {
  overlay.style.insetInlineStart = `${(100 * frame.x) / width}%`;
  overlay.style.insetBlockStart = `${(100 * frame.y) / height}%`;
  overlay.style.inlineSize = `${(100 * frame.width) / width}%`;
  overlay.style.blockSize = `${(100 * frame.height) / height}%`;
}

function makeCell() {
  const make = (name, parent, className = "") => {
    const part = document.createElement(name);
    if (className) part.className = className;
    parent?.append(part);
    return part;
  };
  const element = make("div", null, "frame");
  element.setAttribute("role", "option");
  element.setAttribute("aria-selected", "false");
  const picture = make("div", make("div", element, "thumb"));
  const canvas = make("canvas", picture);
  const rectangle = make("i", picture);
  const [top, bottom] = [make("div", element, "label"), make("div", element, "label")];
  return { element, canvas, rectangle, number: make("b", top), delay: make("span", top),
    disposal: make("span", bottom), bytes: make("span", bottom), isDrawn: false };
}
