// Where the cells of a wall lie, and which of them a user sees: pure functions, no page.

/**
 * @typedef {{columns: number, rows: number, cellWidth: number, cellHeight: number, rowHeight: number,
 *   height: number, gap: number, count: number}} Layout
 */

/**
 * The grid of `count` cells in a width. `columns` 0 takes as many as have `minimum` pixels of width each.
 * @param {{width: number, count: number, columns?: number, minimum?: number, gap?: number, aspect?: number,
 *   captionHeight?: number}} options
 * @returns {Layout}
 */
export function layoutOf({ width, count, columns = 0, minimum = 160, gap = 8, aspect = 4 / 3,
  captionHeight = 0 }) {
  const room = Math.max(0, width - gap);
  const fitting = Math.floor(room / (minimum + gap));
  const used = Math.max(1, Math.floor(columns) || fitting);
  const cellWidth = Math.max(1, (room - used * gap) / used);
  const cellHeight = Math.max(1, Math.round(cellWidth / aspect)) + captionHeight;
  const rows = Math.ceil(count / used);
  const rowHeight = cellHeight + gap;
  const height = rows * rowHeight + gap;
  return { columns: used, rows, cellWidth, cellHeight, rowHeight, gap, count, height };
}

/**
 * The rows that are seen or lie within `margin` pixels of it: first ..< end.
 * @param {Layout} layout @param {number} scrollTop @param {number} viewport @param {number} [margin]
 * @returns {{first: number, end: number}}
 */
export function rowsInView(layout, scrollTop, viewport, margin = 0) {
  const first = Math.floor((scrollTop - margin - layout.gap) / layout.rowHeight);
  const end = Math.ceil((scrollTop + viewport + margin - layout.gap) / layout.rowHeight);
  const from = Math.min(layout.rows, Math.max(0, first));
  return { first: from, end: Math.max(from, Math.min(layout.rows, end)) };
}

/**
 * The distance of a row from the wall's upper edge.
 * @param {Layout} layout
 * @param {number} row
 * @returns {number}
 */
export function topOfRow(layout, row) {
  return layout.gap + row * layout.rowHeight;
}

/**
 * What stands at the upper edge: the first cell of its row, and how much of the row is above the edge.
 * @param {Layout} layout @param {number} scrollTop
 * @returns {{index: number, part: number}}
 */
export function placeAt({ rowHeight, columns }, scrollTop) {
  const row = Math.floor(scrollTop / rowHeight);
  return { index: row * columns, part: scrollTop / rowHeight - row };
}

/**
 * The scroll position that has a place at the upper edge.
 * @param {Layout} layout @param {{index: number, part: number}} place
 * @returns {number}
 */
export function topOfPlace({ rowHeight, columns }, { index, part }) {
  return Math.round((Math.floor(index / columns) + part) * rowHeight);
}

/**
 * The scroll position that shows a cell: `center`, `start`, `end`, or `nearest`, which moves as little as it
 * can.
 * @param {Layout} layout @param {number} index @param {{scrollTop: number, viewport: number}} view
 * @param {"center" | "start" | "end" | "nearest"} [block]
 * @returns {number}
 */
export function scrollTopFor(layout, index, { scrollTop, viewport }, block = "center") {
  const top = topOfRow(layout, Math.floor(index / layout.columns));
  const atStart = top - layout.gap;
  const atEnd = top + layout.rowHeight - viewport;
  let wanted = top + layout.cellHeight / 2 - viewport / 2;
  if (block === "start") wanted = atStart;
  if (block === "end") wanted = atEnd;
  if (block === "nearest") wanted = scrollTop > atStart ? atStart
    : Math.max(scrollTop, Math.min(atStart, atEnd));
  return Math.max(0, Math.min(wanted, layout.height - viewport));
}

/**
 * The cell that a key leads to; null for a key that is not the wall's.
 * @param {Layout} layout @param {number} index @param {string} key
 * @param {{isWide?: boolean, page?: number, isMirrored?: boolean}} [view] whether Ctrl is held, the rows of a page,
 *   and whether rows begin on the right
 * @returns {number | null}
 */
export function indexForKey(layout, index, key, { isWide = false, page = 1, isMirrored = false } = {}) {
  const { columns, count } = layout;
  if (count === 0) return null;
  const rowStart = index - (index % columns);
  const within = (wanted) => Math.max(0, Math.min(count - 1, wanted));
  const vertical = (rows) => {
    const wanted = index + rows * columns;
    if (wanted < 0) return rows === -1 ? index : index % columns;
    if (wanted < count) return wanted;
    const last = Math.floor((count - 1) / columns); // a short last row: its last cell
    return Math.floor(index / columns) < last ? within(wanted) : index;
  };
  switch (key) {
    case "ArrowRight":
      return within(index + (isMirrored ? -1 : 1));
    case "ArrowLeft":
      return within(index + (isMirrored ? 1 : -1));
    case "ArrowDown":
      return vertical(1);
    case "ArrowUp":
      return vertical(-1);
    case "PageDown":
      return vertical(Math.max(1, page));
    case "PageUp":
      return vertical(-Math.max(1, page));
    case "Home":
      return isWide ? 0 : rowStart;
    case "End":
      return isWide ? count - 1 : within(rowStart + columns - 1);
    default:
      return null;
  }
}

/**
 * Which slot shows which row. A slot keeps its row while the row is in view; the others take the rows that
 * are new.
 * @param {(number | null)[]} slots the row of each slot, null for an empty one
 * @param {{first: number, end: number}} rows
 * @returns {(number | null)[]} as long as needed; a slot without a row is empty
 */
export function assignRows(slots, { first, end }) {
  const assigned = slots.map((row) => (row !== null && row >= first && row < end ? row : null));
  const shown = new Set(assigned);
  let free = 0;
  for (let row = first; row < end; row += 1) {
    if (shown.has(row)) continue;
    while (free < assigned.length && assigned[free] !== null) free += 1;
    assigned[free] = row;
  }
  return assigned;
}

/** Whether two items look alike. @param {unknown} one @param {unknown} other */
export function isSameItem(one, other) {
  if (one === undefined || other === undefined) return false;
  const [a, b] = [itemOf(one), itemOf(other)];
  return a.src === b.src && a.caption === b.caption && a.alt === b.alt;
}

/** Faster than this many views a second, no user sees the pictures that fly past. */
const TOO_FAST = 4;

/**
 * Whether a scroll is too fast for its pictures. An event without a move says nothing of the speed.
 * @param {{top: number, time: number, isFast: boolean}} before
 * @param {{top: number, viewport: number, time: number}} now
 */
export function flightAfter(before, { top, viewport, time }) {
  const views = Math.abs(top - before.top) / Math.max(1, viewport);
  const seconds = Math.max(8, time - before.time) / 1000;
  return { top, time, isFast: views > 0 ? views / seconds > TOO_FAST : before.isFast };
}

/**
 * One item from what a page hands over: a URL, or an object in any of the usual words.
 * @param {unknown} raw @returns {{src: string, caption: string, alt: string}}
 */
export function itemOf(raw) {
  if (typeof raw === "string") return { src: raw, caption: "", alt: "" };
  const item = raw ?? {};
  const image = item.src ?? item.image ?? item.url ?? item.uri ?? item.imageURL ?? item.imageUrl ?? "";
  const src = typeof image === "object" && image ? image.uri ?? image.url ?? image.src ?? "" : image;
  const caption = String(item.caption ?? item.description ?? item.title ?? "");
  return { src: String(src), caption, alt: String(item.alt ?? caption) };
}
