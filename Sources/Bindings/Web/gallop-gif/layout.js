// How an element is laid out as <img> is. A custom element cannot be a replaced one: its box is told the size and the ratio
// of the picture instead, and where that is not enough, the element looks at what lays it out.

/** A box of the picture's size that no content and no border moves; the picture stands in its content box. */
export const LAYOUT_STYLE = `
:host { display: inline-block; contain: size layout; min-width: 0;
  overflow: clip; overflow-clip-margin: content-box; }
:host([hidden]) { display: none; }
:host(:state(inline):not([hidden])) { display: inline-block !important; }
:host(:state(block)) { width: max-content; }
:host(:state(start)) { align-self: start; }
:host(:state(left)) { justify-self: start; }
:host(:state(row)) { min-width: auto; }
:host(:state(content)) { min-width: min-content; }
:host(:state(column)) { min-height: min-content; }
:host(:state(soft)) { contain: layout; }
:host(:state(soft):state(block)) { width: fit-content; }
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
  const [, number, unit] = /^[\t\n\f\r ]*(\d+(?:\.\d+)?|\.\d+)(%?)/.exec(text ?? "") ?? [];
  return number === undefined ? null : { number: Number(number), unit: unit || "px" };
}

/**
 * The rule for one element's size.
 * @param {{width: number, height: number} | null} natural the picture's size in CSS pixels, once it is known
 * @param {{width: string | null, height: string | null}} attributes
 */
export function layoutRule(natural, attributes) {
  const [width, height] = [hint(attributes.width), hint(attributes.height)];
  const hints = width?.unit === "px" && height?.unit === "px" && width.number * height.number > 0
    ? { width: width.number, height: height.number } : null;
  const ratio = natural ?? hints;
  const own = width?.unit === "px" ? width.number : natural?.width ?? 0;
  const rules = [`:host { contain-intrinsic-size: ${natural?.width ?? 0}px 0; }`,
    `[part=room] { grid-template-columns: minmax(0, ${own}px); }`,
    `:host(:state(limited)) { min-width: min(${own}px, 100%); }`];
  if (ratio) rules.push(`:host { aspect-ratio: auto ${ratio.width} / ${ratio.height}; }`);
  // As specific as the states above, and after them.
  if (width) rules.push(`:host([width]) { width: ${width.number}${width.unit}; }`);
  if (width?.unit === "px") rules.push(":host(:state(soft)[width]) { width: auto; }");
  if (height) rules.push(`:host([height]) { height: ${height.number}${height.unit}; }`);
  return rules.join("\n");
}

/**
 * The states that matter where an element is laid out as it is.
 * @param {CSSStyleDeclaration} own computed
 * @param {CSSStyleDeclaration | null} parent computed
 * @param {CSSStyleValue | undefined} width as the page says it, where the browser tells that
 * @param {() => boolean} isWithinFit whether anything around it is as wide as its content
 */
function layoutStates(own, parent, width, isWithinFit) {
  const isPlaced = own.position === "absolute" || own.position === "fixed";
  const outer = isPlaced ? "" : parent?.display ?? "";
  const isFlex = outer.endsWith("flex");
  const isGrid = outer.endsWith("grid");
  const isColumn = isFlex && parent.flexDirection.startsWith("column");
  const isRow = isFlex && !isColumn;
  const isFree = isRow && width?.value === "auto";
  const isRelative = own.maxWidth.includes("%");
  const hasMargins = parseFloat(own.marginLeft) !== 0 || parseFloat(own.marginRight) !== 0;
  return {
    inline: own.display === "inline", row: isRow, column: isColumn,
    // Of its own an image is at the start of its cell; what the grid says of its items goes for it, too.
    start: isPlaced || (isGrid && parent.alignItems === "normal"),
    left: !isGrid || /^(?:normal|legacy)/.test(parent.justifyItems),
    block: own.display === "block" && own.float === "none" && !isPlaced && !isFlex && !isGrid,
    // Chromium does not count the size of what is contained as a flex item's least width.
    content: isFree && !isRelative,
    limited: isFree && isRelative,
    // With a width in percent an image asks for no room, though it takes some: so does a box in the element. It leaves room
    // for margins, which images do not.
    soft: !isFlex && (isRelative || width?.unit === "percent") && (!hasMargins || isWithinFit()),
  };
}

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
  const found = all.map((element) => {
    const own = getComputedStyle(element);
    const width = element.computedStyleMap?.().get("width");
    return layoutStates(own, styleAround(element), width, () => isWithinFit(element, fits));
  });
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
    const { display, float, position } = getComputedStyle(outer);
    const flows = /^(?:block|list-item|contents|flow-root)$/.test(display) && float === "none";
    const fits = !flows || position === "absolute" || position === "fixed";
    known.set(outer, fits || isWithinFit(outer, known));
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
