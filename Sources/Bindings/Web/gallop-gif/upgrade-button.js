// The button at an image: it pauses and plays, and with Shift it does so everywhere.

// Two bars, and a triangle.
const PAUSE = "polygon(0 0, 35% 0, 35% 100%, 65% 100%, 65% 0, 100% 0, 100% 100%, 0 100%)";
const PLAY = "polygon(10% 0, 100% 50%, 10% 100%)";
const LEAST = 24;

export const LABELS = { pause: "Pause animation", play: "Play animation", all: "with Shift: all on this page" };

/** A pause button that looks and is named by what it does next. */
export class PauseButton {
  element = document.createElement("button");
  #icon = document.createElement("b");
  #item;
  #labels;
  #spotOf;

  /**
   * @param {import("./upgrade-image.js").UpgradedImage} item
   * @param {{labels: typeof LABELS, press: (isForAll: boolean) => void, spotOf?: (seen: DOMRect) => number[]}} options
   *   `spotOf` gives it a place and a size of its own on a paused image
   */
  constructor(item, { labels, press, spotOf }) {
    this.#item = item;
    this.#labels = labels;
    this.#spotOf = spotOf;
    this.element.append(document.createElement("i"));
    this.element.firstChild.append(this.#icon);
    this.element.addEventListener("click", (event) => press(event.shiftKey));
    this.element.addEventListener("pointerenter", () => item.prepare());
    this.element.addEventListener("focus", () => {
      item.prepare();
      item.image.scrollIntoView({ block: "nearest" });
    });
    this.update();
  }

  /** Shows what a press does now. */
  update() {
    const { image, isPlaying } = this.#item;
    const { pause, play, all } = this.#labels;
    const action = isPlaying ? pause : play;
    const name = image.ariaLabel || image.alt;
    this.element.ariaLabel = name ? `${action}: ${name}` : action;
    this.element.title = `${action} (${all})`;
    this.#icon.style.clipPath = isPlaying ? PAUSE : PLAY;
  }

  /** Stands in the corner of what is seen of the image. */
  place({ box, seen, isRendered, origin }) {
    const { element } = this;
    const { left, top, width, height } = seen ?? box;
    const least = Math.min(width, height);
    // Images without room have none; what is only out of sight stays within reach of the keyboard.
    element.hidden = !isRendered || Math.min(box.width, box.height) < LEAST;
    element.classList.toggle("away", !seen || least < LEAST);
    if (element.hidden) return;
    const side = least >= 96 ? 44 : least >= 48 ? 32 : LEAST;
    const spot = !this.#item.isPlaying && this.#spotOf?.(seen ?? box);
    const [x, y, size] = spot || [left + width - side, top, side];
    moveTo(element, x, y, origin, size, size);
  }
}

/** Puts an element at a point of the window, within the document: it must not make the page longer. */
export function moveTo({ style }, x, y, origin, width, height) {
  const right = Math.max(0, Math.min(x - origin.left, origin.scrollWidth - width));
  const down = Math.max(0, Math.min(y - origin.top, origin.scrollHeight - height));
  Object.assign(style, { width: `${width}px`, height: `${height}px`, transform: `translate(${right}px, ${down}px)` });
}
