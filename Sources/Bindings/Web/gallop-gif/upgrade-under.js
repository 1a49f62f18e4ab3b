// Where the button of an image stands that has a bar of the page over its corner, which stays while the page scrolls.

// With less the button would crowd the rest of the picture.
const LEAST = 48;
const MOST_BARS = 4;

/**
 * The largest part of an image that no bar lies over; null where that is too small for a button.
 * @param {HTMLImageElement} image
 * @param {DOMRect} seen
 * @param {(x: number, y: number) => Element | undefined} topAt what lies on top at a point of the window
 */
export function freeOf(image, seen, topAt) {
  for (let bars = 0; bars < MOST_BARS; bars += 1) {
    const [x, y] = [seen.right - 16, seen.top + 16];
    const bar = barOf(image, topAt(x, y));
    if (!bar) return seen;
    const { left, top, right, bottom } = bar.getBoundingClientRect();
    const parts = [
      [seen.left, bottom, seen.right, seen.bottom],
      [seen.left, seen.top, seen.right, top],
      [seen.left, seen.top, left, seen.bottom],
      [right, seen.top, seen.right, seen.bottom],
    ].map((edges) => partOf(seen, edges)).filter(({ width, height }) => Math.min(width, height) >= LEAST);
    if (!parts.length) return null;
    seen = parts.reduce((one, other) => (other.width * other.height > one.width * one.height ? other : one));
  }
  return null;
}

/** The bar to which an element belongs, if it is one over the image. */
function barOf(image, over) {
  for (let element = over; element && !element.contains(image); element = element.parentElement) {
    if (/fixed|sticky/.test(getComputedStyle(element).position)) return element;
  }
  return null;
}

function partOf(seen, [left, top, right, bottom]) {
  const [x, y] = [Math.max(left, seen.left), Math.max(top, seen.top)];
  return new DOMRect(x, y, Math.min(right, seen.right) - x, Math.min(bottom, seen.bottom) - y);
}
