// The picture that an image shows in place of its own, at the image's natural size.

// Layout has units of 1/64 or 1/60 of a pixel.
const ROUNDINGS = [0, 0.01, 0.02, 0.03];

/** The style property `content` of an image, and the addresses that it names. */
export class ShownContent {
  #image;
  #style;
  /** The image's width in CSS pixels; only a density makes it other than the file's. */
  #width = 0;
  /** @type {import("./upgrade-frames.js").Shown | null} */
  #shown = null;

  /** @param {HTMLImageElement} image @param {import("./upgrade-style.js").InlineStyle} style */
  constructor(image, style) {
    this.#image = image;
    this.#style = style;
  }

  /** @param {import("./upgrade-frames.js").Shown} shown */
  show(shown) {
    const former = this.#shown;
    this.#set(shown);
    // Asked at once, Chromium has the picture that it has decoded; at the next refresh the box could be empty for once.
    this.#image.getBoundingClientRect();
    this.#shown = shown;
    // The picture before is painted until the next refresh.
    if (former) requestAnimationFrame(() => URL.revokeObjectURL(former.url));
  }

  /** Gives the address back; the style is the image's. */
  leave() {
    if (this.#shown) URL.revokeObjectURL(this.#shown.url);
    this.#shown = null;
  }

  /** Where srcset has a density, the natural size is not that of the file. */
  #set({ url, picture }) {
    const [image, style] = [this.#image, this.#style];
    const { naturalWidth: pixels } = picture;
    if (!this.#width && image.naturalWidth === pixels) this.#width = pixels;
    if (this.#width === pixels) {
      style.set("content", `url("${url}")`);
      return;
    }
    const set = (width) => style.set("content", `image-set(url("${url}") ${pixels / width}x)`);
    if (this.#width) {
      set(this.#width);
      return;
    }
    // The property is rounded, and so are boxes, each browser in its way: what changes no box is the right width.
    const sizeOf = () => Object.values(image.getBoundingClientRect().toJSON()).join();
    const before = sizeOf();
    const guess = contentWidth(image);
    // Most densities that pages name are round: 1.5, 2, 1.25.
    const density = Math.round((20 * pixels) / image.naturalWidth) / 20;
    this.#width = [pixels / density, ...ROUNDINGS.map((part) => guess + part)].find((width) => {
      set(width);
      return sizeOf() === before;
    }) ?? image.naturalWidth;
    set(this.#width);
  }
}

/** The width of an image's content box, where that is its natural width. */
function contentWidth(image) {
  const style = getComputedStyle(image);
  const parts = ["paddingLeft", "paddingRight", "borderLeftWidth", "borderRightWidth"];
  const frame = parts.reduce((sum, part) => sum + parseFloat(style[part]), 0);
  const width = parseFloat(style.width) - (style.boxSizing === "border-box" ? frame : 0);
  return Math.abs(width - image.naturalWidth) < 1 ? width : image.naturalWidth;
}
