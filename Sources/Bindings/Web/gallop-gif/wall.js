// <gallop-wall>: a grid of thousands of GIFs of which only those in view exist, and only those seen play.
import { takeLazyProperties } from "./lazy-properties.js";
import { wear } from "./styles.js";
import { CAPTION_HEIGHT, STYLE } from "./wall-cell.js";
import {
  flightAfter, indexForKey, isSameItem, itemOf, layoutOf, placeAt, rowsInView, scrollTopFor, topOfPlace,
} from "./wall-layout.js";
import { WallRows } from "./wall-rows.js";
import "./index.js";

const Base = globalThis.HTMLElement ?? class {};
/** Rows are made before they are seen, this part of the view's height beyond each edge. */
const MARGIN = 0.5;
/** After a fast scroll, a pause of this many milliseconds means that it has ended. */
const SETTLED_MS = 90;

const prefersLess = () => globalThis.matchMedia?.("(prefers-reduced-motion: reduce)").matches ?? false;

/**
 * A virtualised grid of GIFs.
 *
 * Properties: `items` (URLs, or objects with `src`, `caption`, `alt`), `placeholder` (the URL of a picture).
 * Attributes: `columns` (0: as many as fit), `min-width` of a cell (160), `gap` (8), `aspect` (1.3333),
 * `placeholder`, `resize-mode` ("cover"), `motion` and `flashes`, which the cells hand on.
 * Events: `activate` {index, item} when a user chooses a cell; `viewchange` {first, end} when other items
 * come into view.
 */
export class GallopWall extends Base {
  static observedAttributes = ["columns", "min-width", "gap", "aspect", "placeholder", "resize-mode",
    "motion", "flashes"];

  #items = [];
  #layout = layoutOf({ width: 0, count: 0 });
  #view = null;
  /** The view's height, known from its observer: asking for it costs a layout. */
  #viewport = 0;
  #field = null;
  #list = null;
  #active = 0;
  #paused = new Set();
  #allPaused = false;
  #observer = null;
  #pending = 0;
  #flight = { top: 0, time: 0, isFast: false };
  #settling = 0;
  /** The cell that the keyboard is at. */
  #marked = null;
  #viewKey = "";
  /** What stood at the upper edge before the size began to change, and where it was put. */
  #kept = { index: 0, part: 0, top: 0 };

  constructor() {
    super();
    const root = this.attachShadow({ mode: "open", delegatesFocus: true });
    wear(root, [STYLE]);
    this.#view = root.appendChild(document.createElement("div"));
    this.#view.className = "view";
    this.#view.tabIndex = 0;
    this.#view.setAttribute("role", "grid");
    this.#field = this.#view.appendChild(document.createElement("div"));
    this.#field.className = "field";
    this.#field.setAttribute("role", "presentation");
    const wall = this;
    this.#list = new WallRows(this.#field, {
      get items() { return wall.#items; },
      isPaused: (index) => this.#isPaused(index),
      look: () => ({ placeholder: this.placeholder, motion: this.getAttribute("motion"), flashes: this.getAttribute("flashes"),
        resizeMode: this.getAttribute("resize-mode") ?? "cover", fades: () => this.#fades }),
    });
    this.#view.addEventListener("scroll", () => this.#schedule(), { passive: true });
    this.#view.addEventListener("keydown", (event) => this.#keyDown(event));
    this.#view.addEventListener("click", (event) => this.#click(event));
  }

  connectedCallback() {
    takeLazyProperties(this, ["items", "placeholder", "columns"]);
    this.#view.setAttribute("aria-label", this.getAttribute("aria-label") ?? "Animated images");
    // Not the view: a scrollbar that the list brings changes its size.
    this.#observer = new ResizeObserver(() => this.#arrange());
    this.#observer.observe(this);
    this.#arrange();
  }

  adoptedCallback() {
    wear(this.shadowRoot, [STYLE]);
  }

  disconnectedCallback() {
    this.#observer?.disconnect();
    this.#observer = null;
    cancelAnimationFrame(this.#pending);
    clearTimeout(this.#settling);
    this.#pending = 0;
    this.#list.clear();
  }

  attributeChangedCallback(name) {
    if (["placeholder", "resize-mode", "motion", "flashes"].includes(name)) this.#list.clear();
    this.#arrange();
  }

  /** What the wall shows. GIFs whose items are the same in a new list play on, and the place is kept. */
  get items() { return this.#items; }
  set items(list) {
    const before = this.#items;
    this.#items = Array.from(list ?? []);
    const isSame = (index) => isSameItem(before[index], this.#items[index]);
    this.#active = Math.min(this.#active, Math.max(0, this.#items.length - 1));
    this.#paused = new Set([...this.#paused].filter(isSame));
    this.#list.renew(this.#layout, isSame);
    this.#arrange();
  }
  get columns() { return Number(this.getAttribute("columns")) || 0; }
  set columns(value) { this.setAttribute("columns", String(Number(value) || 0)); }
  get placeholder() { return this.getAttribute("placeholder") ?? ""; }
  set placeholder(value) { this.setAttribute("placeholder", String(value ?? "")); }
  /** The item that the keyboard is at. */
  get activeIndex() { return this.#active; }
  /** Whether all of the wall stands still. */
  get paused() { return this.#allPaused; }
  /** The items that have cells now: first ..< end. */
  get inView() { return this.#itemsOf(this.#rows()); }

  /** Stops every GIF of the wall, also those that come into view later. */
  pause() { this.#pauseAll(true); }
  /** Lets the wall go on; items that a user has stopped stay still. */
  play() { this.#pauseAll(false); }

  /**
   * Brings an item into view: smoothly and centred unless the options say otherwise.
   * @param {number} index
   * @param {{behavior?: ScrollBehavior, block?: "center" | "start" | "end" | "nearest"}} [options]
   */
  scrollToItem(index, { behavior = "smooth", block = "center" } = {}) {
    if (!(index >= 0 && index < this.#items.length)) return;
    const view = { scrollTop: this.#view.scrollTop, viewport: this.#view.clientHeight };
    const top = scrollTopFor(this.#layout, Math.floor(index), view, block);
    this.#view.scrollTo({ top, behavior: prefersLess() ? "instant" : behavior });
  }

  /** The `<gallop-gif>` of an item, or null while the item has no cell. @param {number} index */
  elementOf(index) {
    return this.#list.cellOf(index)?.gif ?? null;
  }

  #number(name, absent) {
    const value = Number.parseFloat(this.getAttribute(name) ?? "");
    return Number.isFinite(value) && value >= 0 ? value : absent;
  }

  #arrange() {
    if (!this.isConnected) return;
    const before = this.#layout;
    this.#viewport = this.#view.clientHeight;
    const top = this.#view.scrollTop;
    if (top !== this.#kept.top) this.#kept = { ...placeAt(before, top), top };
    const width = this.#view.clientWidth;
    this.#fit(width);
    // The list may have brought a scrollbar, or taken it away.
    if (this.#view.clientWidth !== width) this.#fit(this.#view.clientWidth);
    const { columns, rows, rowHeight } = this.#layout;
    this.#view.setAttribute("aria-rowcount", String(rows));
    this.#view.setAttribute("aria-colcount", String(columns));
    if (columns !== before.columns) this.#list.clear();
    if (before.count > 0 && (columns !== before.columns || rowHeight !== before.rowHeight)) {
      this.#view.scrollTop = topOfPlace(this.#layout, this.#kept);
      this.#kept.top = this.#view.scrollTop;
    }
    this.#update();
  }

  /** Lays the list out in a width. */
  #fit(width) {
    const isCaptioned = this.#items.some((item) => itemOf(item).caption);
    this.#layout = layoutOf({
      width, count: this.#items.length, columns: this.columns,
      minimum: this.#number("min-width", 160), gap: this.#number("gap", 8),
      aspect: this.#number("aspect", 4 / 3) || 1, captionHeight: isCaptioned ? CAPTION_HEIGHT : 0,
    });
    this.#field.style.blockSize = `${this.#layout.height}px`;
  }

  #rows() {
    return rowsInView(this.#layout, this.#view.scrollTop, this.#viewport, MARGIN * this.#viewport);
  }

  #itemsOf({ first, end }) {
    const { columns } = this.#layout;
    return { first: first * columns, end: Math.min(this.#items.length, end * columns) };
  }

  /** Scroll events come in bursts; one look for each picture is enough. */
  #schedule() {
    if (!this.#pending) this.#pending = requestAnimationFrame((time) => this.#scrolled(time));
  }

  #scrolled(time) {
    this.#pending = 0;
    this.#flight = flightAfter(this.#flight,
      { top: this.#view.scrollTop, viewport: this.#viewport, time });
    clearTimeout(this.#settling);
    if (this.#flight.isFast) this.#settling = setTimeout(() => this.#settle(), SETTLED_MS);
    this.#update();
  }

  #settle() {
    this.#flight.isFast = false;
    this.#update();
  }

  #update() {
    const rows = this.#rows();
    this.#list.show(rows, this.#layout, this.#flight.isFast);
    this.#markActive();
    const { first, end } = this.#itemsOf(rows);
    if (this.#viewKey === `${first} ${end}`) return;
    this.#viewKey = `${first} ${end}`;
    this.dispatchEvent(new CustomEvent("viewchange", { detail: { first, end } }));
  }

  /** Whether GIFs fade in: in a scroll that costs pictures, and some users want less motion. */
  get #fades() { return performance.now() - this.#flight.time > SETTLED_MS && !prefersLess(); }

  #isPaused(index) { return this.#allPaused || this.#paused.has(index); }

  #pauseAll(isPaused) {
    this.#allPaused = isPaused;
    for (const cell of this.#list.cells) if (cell.index >= 0) cell.setPaused(this.#isPaused(cell.index));
  }

  #markActive() {
    const active = this.#list.cellOf(this.#active);
    if (active !== this.#marked) this.#marked?.element.classList.remove("active");
    this.#marked = active;
    active?.element.classList.add("active");
    const id = active?.element.id ?? null;
    if (id === this.#view.getAttribute("aria-activedescendant")) return;
    if (id) this.#view.setAttribute("aria-activedescendant", id);
    else this.#view.removeAttribute("aria-activedescendant");
  }

  #keyDown(event) {
    if (event.altKey || event.metaKey || this.#items.length === 0) return;
    const page = Math.floor(this.#view.clientHeight / this.#layout.rowHeight);
    const isMirrored = getComputedStyle(this.#view).direction === "rtl";
    const next = indexForKey(this.#layout, this.#active, event.key, { isWide: event.ctrlKey, page, isMirrored });
    if (next !== null) {
      this.#active = next;
      this.scrollToItem(next, { behavior: "instant", block: "nearest" });
      this.#update();
    } else if (event.key === "Enter") {
      this.#activate(this.#active);
    } else if (event.key === " ") {
      const index = this.#active;
      if (!this.#paused.delete(index)) this.#paused.add(index);
      this.#list.cellOf(index)?.setPaused(this.#isPaused(index));
    } else {
      return;
    }
    event.preventDefault();
  }

  #click(event) {
    const element = event.target.closest?.(".cell");
    const cell = this.#list.cells.find((candidate) => candidate.element === element);
    if (!cell || cell.index < 0) return;
    this.#active = cell.index;
    this.#markActive();
    // Chromium looks for the focus in the cell alone.
    this.#view.focus({ preventScroll: true });
    this.#activate(cell.index);
  }

  #activate(index) {
    const detail = { index, item: this.#items[index] };
    this.dispatchEvent(new CustomEvent("activate", { bubbles: true, composed: true, detail }));
  }
}

if (globalThis.customElements && !customElements.get("gallop-wall")) {
  customElements.define("gallop-wall", GallopWall);
}
