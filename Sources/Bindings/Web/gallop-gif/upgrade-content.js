// The picture that an image shows in place of its own, at the image's natural size.

/** The style property `content` of an image, and the address that it names. */
export class ShownContent {
  #image;
  #style;
  #widthOf;
  /** The image's width in CSS pixels; only a density makes it other than the file's. */
  #width = 0;
  /** @type {import("./upgrade-frames.js").Shown | null} */
  shown = null;

  /**
   * @param {HTMLImageElement} image
   * @param {import("./upgrade-style.js").InlineStyle} style
   * @param {import("./upgrade-density.js").widthOf} [widthOf] where the natural size is not that of the file
   */
  constructor(image, style, widthOf) {
    this.#image = image;
    this.#style = style;
    this.#widthOf = widthOf;
  }

  /** @param {import("./upgrade-frames.js").Shown} shown */
  show(shown) {
    const former = this.shown;
    const { url, picture: { naturalWidth: pixels } } = shown;
    const set = (width) => this.#style.set("content", width === pixels ? `url("${url}")`
      : `image-set(url("${url}") ${pixels / width}x)`);
    this.#width ||= this.#widthOf?.(this.#image, pixels, set) ?? pixels;
    set(this.#width);
    this.shown = shown;
    former?.see(this, false);
    // Asked at once, Chromium has the picture that it has decoded; at the next refresh the box could be empty for once.
    // The first answer holds for all images that change in one go.
    queueMicrotask(() => this.#image.getBoundingClientRect());
    // The picture before is painted until the next refresh.
    requestAnimationFrame(() => former?.release());
  }

  /** Gives the address back; the style is the image's. */
  leave() {
    this.shown?.see(this, false);
    this.shown?.release();
    this.shown = null;
  }
}
