// What is seen in place of a player: a poster before it plays, and a plain image where the page may not play the file.

/** An element that styles find by its part. */
export function part(name, tag) {
  const element = document.createElement(tag);
  element.part.add(name);
  // A part is found by its attribute in the styles, too.
  element.setAttribute("part", name);
  return element;
}

/** Shows a poster or a plain image in an element's box. */
export class StandIn {
  #box;
  #poster = null;
  /** The browser's image of the file, also where it could not show it: then its text stands there. */
  #image = null;
  /** The image, or its first frame. */
  #seen = null;
  isMoving = false;

  /** @param {HTMLElement} box */
  constructor(box) {
    this.#box = box;
  }

  /** Whether a picture of the browser's stands there. */
  get isPlain() {
    return this.#image !== null && this.#image.naturalWidth > 0;
  }

  /** Whether nothing can be shown but a text. */
  get isBroken() {
    return this.#image !== null && !this.isPlain;
  }

  /** The plain image's pixels; null without one. */
  get size() {
    return this.isPlain ? { width: this.#image.naturalWidth, height: this.#image.naturalHeight } : null;
  }

  /** Null for an image without a text: browsers show an icon for that, and nothing for an empty one. */
  set alt(text) {
    if (this.#image) describe(this.#image, text);
  }

  /** Shows an image from now on, or none; an image that may not move is shown by its first frame. */
  show(image, isMoving = false) {
    this.#image = image;
    this.isMoving = isMoving;
    this.#seen?.remove();
    this.#seen = this.isPlain && !isMoving ? firstFrame(image) : image;
    if (this.#seen) this.#box.append(this.#seen);
  }

  /** Lets the plain image move or not; returns whether that is new. */
  move(isMoving) {
    if (this.isMoving === isMoving) return false;
    this.show(this.#image, isMoving);
    return true;
  }

  /** The poster's size; null without one, and before it is there. */
  get posterSize() {
    return this.#poster && { width: this.#poster.naturalWidth, height: this.#poster.naturalHeight };
  }

  /** Shows a poster, or none for an empty address; `sized` is called when its size is known. */
  showPoster(address, sized) {
    this.#poster?.remove();
    this.#poster = address ? part("poster", "img") : null;
    if (!this.#poster) return;
    Object.assign(this.#poster, { src: address, alt: "", onload: sized });
    this.#box.append(this.#poster);
  }
}

/**
 * The image that a browser makes of a file, shown or broken.
 * @param {string | Blob} file
 * @param {string | null} alt
 */
export async function plainImage(file, alt) {
  const image = part("plain", "img");
  const source = file instanceof Blob ? URL.createObjectURL(file) : file;
  image.src = source;
  describe(image, alt);
  if (source) await image.decode().catch(() => {}); // its size tells
  if (file instanceof Blob) URL.revokeObjectURL(source);
  return image;
}

function describe(image, text) {
  if (text === null) image.removeAttribute("alt");
  else image.alt = text;
}

/** The first frame of an image that may not move. */
function firstFrame(image) {
  const canvas = part("plain", "canvas");
  Object.assign(canvas, { width: image.naturalWidth, height: image.naturalHeight });
  canvas.getContext("2d").drawImage(image, 0, 0);
  return canvas;
}
