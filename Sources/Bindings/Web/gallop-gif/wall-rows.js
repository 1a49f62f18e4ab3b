// The rows of a wall that exist: each takes over another row of the list when its own runs out of view.
import { WallCell } from "./wall-cell.js";
import { assignRows, topOfRow } from "./wall-layout.js";

/** The time for starting GIFs before one picture. */
const LOADING_MS = 3;

/** @typedef {{items: unknown[], isPaused: (index: number) => boolean, look: () => object}} Content */

export class WallRows {
  #field;
  #content;
  /** One for each slot: {element, cells, row}; `layout` and `placedRow` say where it lies. */
  #slots = [];
  /** The cells of all slots. */
  #cells = [];
  #loading = 0;

  /** @param {Element} field @param {Content} content */
  constructor(field, content) {
    this.#field = field;
    this.#content = content;
  }

  get cells() { return this.#cells; }

  /** The cell of an item; null while it has none. @param {number} index */
  cellOf(index) { return this.#cells.find((cell) => cell.index === index) ?? null; }

  /**
   * Shows these rows, and starts their GIFs unless they fly past.
   * @param {{first: number, end: number}} rows
   * @param {import("./wall-layout.js").Layout} layout
   * @param {boolean} isFast
   */
  show(rows, layout, isFast) {
    const assigned = assignRows(this.#slots.map((slot) => slot.row), rows);
    assigned.forEach((row, place) => {
      const slot = (this.#slots[place] ??= this.#make(layout));
      if (row !== slot.row) this.#fill(slot, row, layout);
      if (row !== null) this.#place(slot, layout);
    });
    this.rest();
    if (!isFast) this.#loadSome();
    for (const cell of this.#cells) cell.rest();
  }

  /**
   * Takes over a new list: a cell whose item is the same goes on.
   * @param {import("./wall-layout.js").Layout} layout
   * @param {(index: number) => boolean} isSame
   */
  renew(layout, isSame) {
    for (const slot of this.#slots) if (slot.row !== null) this.#fill(slot, slot.row, layout, isSame);
  }

  /** Removes all cells. */
  clear() {
    this.rest();
    for (const slot of this.#slots) {
      for (const cell of slot.cells) cell.empty();
      slot.element.remove();
    }
    this.#slots = [];
    this.#cells = [];
  }

  /** Starts no more GIFs until rows are shown again. */
  rest() {
    cancelAnimationFrame(this.#loading);
  }

  /** Starts the GIFs that have come into view: some before each picture, so that a scroll stays smooth. */
  #loadSome() {
    const end = performance.now() + LOADING_MS;
    for (const cell of this.#cells) {
      if (!cell.isWaiting) continue;
      if (performance.now() > end) {
        this.#loading = requestAnimationFrame(() => this.#loadSome());
        return;
      }
      cell.load(this.#content.items[cell.index], this.#content.isPaused(cell.index));
    }
  }

  #make({ columns }) {
    const element = this.#field.appendChild(document.createElement("div"));
    element.className = "row";
    element.setAttribute("role", "row");
    const look = this.#content.look();
    const cells = Array.from({ length: columns }, (_, column) => new WallCell(element, column, look));
    this.#cells.push(...cells);
    return { element, cells, row: null, layout: null, placedRow: null };
  }

  /** A slot takes over another row, or none. */
  #fill(slot, row, layout, isSame = () => false) {
    const { items, isPaused } = this.#content;
    slot.row = row;
    slot.element.hidden = row === null;
    if (row !== null) slot.element.setAttribute("aria-rowindex", String(row + 1));
    slot.cells.forEach((cell, column) => {
      const index = row === null ? Infinity : row * layout.columns + column;
      if (cell.index === index && isSame(index)) return;
      if (index < items.length) cell.show(index, items[index], isPaused(index));
      else cell.empty();
    });
  }

  #place(slot, layout) {
    if (slot.layout === layout && slot.placedRow === slot.row) return;
    Object.assign(slot, { layout, placedRow: slot.row });
    const { cellWidth, cellHeight, gap } = layout;
    slot.element.style.transform = `translateY(${topOfRow(layout, slot.row)}px)`;
    slot.element.style.blockSize = `${cellHeight}px`;
    slot.cells.forEach((cell, column) => cell.place(gap + column * (cellWidth + gap), cellWidth));
  }
}
