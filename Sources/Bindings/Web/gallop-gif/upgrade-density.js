// The width of an image whose natural size is not that of its file: srcset gives it a density.

// Layout has units of 1/64 or 1/60 of a pixel.
const ROUNDINGS = [0, 0.01, 0.02, 0.03];

/**
 * The width in CSS pixels at which a picture changes no box: the natural one is rounded, and so are boxes, each browser in
 * its way.
 * @param {HTMLImageElement} image
 * @param {number} pixels the width of the file
 * @param {(width: number) => void} set shows the picture at a width
 */
export function widthOf(image, pixels, set) {
  const sizeOf = () => Object.values(image.getBoundingClientRect().toJSON()).join();
  const before = sizeOf();
  const guess = contentWidth(image);
  // Most densities that pages name are round: 1.5, 2, 1.25.
  const density = Math.round((20 * pixels) / image.naturalWidth) / 20;
  return [pixels / density, ...ROUNDINGS.map((part) => guess + part)].find((width) => {
    set(width);
    return sizeOf() === before;
  }) ?? image.naturalWidth;
}

/** The width of an image's content box, where that is its natural width. */
function contentWidth(image) {
  const style = getComputedStyle(image);
  const parts = ["paddingLeft", "paddingRight", "borderLeftWidth", "borderRightWidth"];
  const frame = parts.reduce((sum, part) => sum + parseFloat(style[part]), 0);
  const width = parseFloat(style.width) - (style.boxSizing === "border-box" ? frame : 0);
  return Math.abs(width - image.naturalWidth) < 1 ? width : image.naturalWidth;
}
