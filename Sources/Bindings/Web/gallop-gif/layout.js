// How an element is laid out as <img> is. A custom element cannot be a replaced one: its box is told the size and the ratio
// of the picture instead, and where that is not enough, the element looks at what lays it out.

/** A box of the picture's size that no content and no border moves; the picture stands in its content box. */
export const LAYOUT_STYLE = `
:host { display: inline-block; contain: size layout; min-width: 0;
  overflow: clip; overflow-clip-margin: content-box; }
:host([hidden]) { display: none; }
:host(:state(inline):not([hidden])) { display: inline-block !important; }
:host::backdrop { width: inherit; height: inherit; }
:host(:state(block)) { width: fit-content; }
:host(:state(start)) { align-self: unsafe start; }
:host(:state(left)) { justify-self: unsafe start; }
:host(:state(item)) { min-width: auto; }
:host(:state(content)) { min-width: min-content; }
:host(:state(limited)) { min-width: calc-size(min-content, min(size, 100%)); }
:host(:state(column)) { min-height: min-content; }
:host(:state(soft)) { contain: layout; break-inside: avoid; }
:host(:state(soft)) [part=room] { display: grid; }
[part=room] { display: none; }
:host(:state(broken)) { contain: layout; aspect-ratio: auto; }
:host(:state(broken):not([width], [height])) { contain: none; position: relative; }
[part=box] { position: absolute; inset: 0; display: grid; grid-template: 100% / 100%; box-sizing: border-box;
  padding: inherit; object-fit: inherit; object-position: inherit; }
[part=box] > * { grid-area: 1 / 1; display: block; width: 100%; height: 100%; min-width: 0; min-height: 0;
  object-fit: inherit; object-position: inherit; }
:host(:state(broken)) [part=box] { position: static; display: contents; }
:host(:state(broken)) [part=picture] { display: none; }
:host(:state(broken):not([width], [height])) [part=plain] { width: auto; height: auto; }
:host([resize-mode=contain]) { object-fit: contain; }
:host([resize-mode=cover]) { object-fit: cover; }`;

/** What an attribute for a length says, as HTML reads it: pixels or a percentage; null if it says nothing. */
export function hint(text) {
  const [, number, unit] = /^[\t\n\f\r ]*(\d*\.?\d+)(%?)/.exec(text ?? "") ?? [];
  return number ? { number: Number(number), unit: unit || "px" } : null;
}

/**
 * The rule for one element's size.
 * @param {{width: number, height: number}} natural the picture's size in CSS pixels; zeros until it is known
 * @param {Element} element its attributes count
 */
export function layoutRule(natural, element) {
  const [width, height] = ["width", "height"].map((name) => hint(element.getAttribute(name)));
  const isPixels = width?.unit === "px";
  const isReserved = isPixels && height?.unit === "px" && !natural.width;
  // With a zero in it a ratio counts for nothing.
  const ratio = isReserved ? { width: width.number, height: height.number } : natural;
  const room = (pixels) => `[part=room] { grid-template-columns: minmax(0, ${pixels}px); }`;
  // The length along the line: the other one would be a least one for what has another ratio.
  const rules = [
    `:host { contain-intrinsic-size: ${natural.width}px 0; aspect-ratio: auto ${ratio.width} / ${ratio.height}; }`,
    `:host(:state(vertical)) { contain-intrinsic-size: 0 ${natural.height}px; min-height: 0; }`, room(natural.width)];
  // As specific as the states above, and after them.
  if (width) rules.push(`:host([width]) { width: ${width.number}${width.unit}; }`);
  // With a percentage in it the width asks for no room: the room in the element does, as long as the attribute counts.
  if (isPixels) {
    rules.push(`:host(:state(soft)[width]) { width: calc(${width.number}px + 0%); }`,
      `:host(:state(sized)) ${room(width.number)}`);
  }
  if (height) rules.push(`:host([height]) { height: ${height.number}${height.unit}; }`);
  return rules.join("\n");
}

/** The states that matter where an element is laid out as it is. @param {Map<Element, boolean>} fits what is known */
function layoutStates(element, fits) {
  const own = getComputedStyle(element);
  const parent = isPlaced(own) ? null : styleAround(element);
  // What has no box has the size that the page says, not the one that it takes.
  const { width, height } = getComputedStyle(element, "::backdrop");
  const outer = parent?.display ?? "";
  const isFlex = outer.endsWith("flex");
  const isGrid = outer.endsWith("grid");
  const isColumn = isFlex && parent.flexDirection.startsWith("column");
  const isRow = isFlex && !isColumn;
  const isFree = isRow && !/\d/.test(width);
  const isVertical = !own.writingMode.startsWith("h");
  return {
    inline: own.display === "inline", block: !isFlex && !isGrid, item: isRow || isGrid, vertical: isVertical && !isFlex,
    sized: width.includes("px"),
    // Of its own an image is at the start of its cell; what the grid says of its items goes for it, too.
    start: !isFlex && (!isGrid || parent.alignItems === "normal"),
    left: !isGrid || /^(normal|legacy)/.test(parent.justifyItems),
    // Chromium does not count the size of what is contained as a flex item's least one. A length or a limit of the page's
    // would have to bound it.
    content: isFree && own.maxWidth === "none",
    limited: isFree && own.maxWidth === "100%",
    column: isColumn && height === "auto" && own.maxHeight === "none",
    // With a width in percent an image asks for no room, though it takes some: so does a box in the element. It leaves room
    // for margins, which images do not.
    soft: !isFlex && !isVertical && (own.maxWidth.includes("%") || width.endsWith("%"))
      && (own.marginInline === "0px" || isWithinFit(element, fits)),
  };
}

const isPlaced = ({ position }) => position === "absolute" || position === "fixed";

/** The elements to read. */
const waiting = new Set();

/**
 * Reads an element's states at the end of the task, together with those of others: styles are read once.
 * @param {(work: () => void) => void} later an observer of sizes must not change them at once
 */
export function readLayout(element, later = queueMicrotask) {
  if (waiting.size === 0) later(readWaiting);
  waiting.add(element);
}

function readWaiting() {
  const all = [...waiting].filter((element) => element.isConnected);
  waiting.clear();
  // The element's own answer to `display: inline` would hide what the page says now.
  for (const element of all) element._state("inline", false);
  const fits = new Map();
  const found = all.map((element) => layoutStates(element, fits));
  all.forEach((element, index) => {
    for (const [name, isSo] of Object.entries(found[index])) element._state(name, isSo);
  });
}

const above = ({ assignedSlot, parentElement, parentNode }) => assignedSlot ?? parentElement ?? parentNode?.host;

/** Whether anything around an element is as wide as its content, or may be. @param {Map<Element, boolean>} known */
function isWithinFit(element, known) {
  const outer = above(element);
  if (!outer) return false;
  if (!known.has(outer)) {
    const style = getComputedStyle(outer);
    const flows = /^(block|list-item|contents|flow-root)$/.test(style.display) && style.float === "none";
    known.set(outer, !flows || isPlaced(style) || isWithinFit(outer, known));
  }
  return known.get(outer);
}

/** The style of what lays an element out; null where there is nothing. */
function styleAround(element) {
  for (let outer = above(element); outer; outer = above(outer)) {
    const style = getComputedStyle(outer);
    if (style.display !== "contents") return style;
  }
  return null;
}
