// One layer behind the page's content holds the buttons; they follow their images without a place in the page's layout.

// The page must not take a click or a key on a button for one of its own.
const KEPT = ["click", "pointerdown", "pointerup", "mousedown", "mouseup", "keydown", "keyup"];
const QUIET_TURNS = 12;
const EVENTS = ["scroll", "resize", "load", "transitionrun", "animationstart", "pointerover"];

/** The buttons of one upgraded page and their places. */
export class Layer {
  #host = document.createElement("gallop-layer");
  #root = this.#host.attachShadow({ mode: "closed" });
  #life = new AbortController();
  /** @type {Map<HTMLImageElement, {control: Control | null, cover: Control | null,
   *   isSeen: boolean, seen?: DOMRect, whole?: DOMRect, key: string}>} `seen` of the `whole` was in sight when asked */
  #places = new Map();
  #turn = 0;
  #quiet = 0;
  /** @type {Promise<void> | null} */
  #placing = null;
  #bars;
  #changed;

  /** @param {(image: HTMLImageElement, isSeen: boolean) => void} changed tells whether an image is in sight */
  constructor(changed) {
    this.#changed = changed;
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(STYLE);
    this.#root.adoptedStyleSheets = [sheet];
    const { signal } = this.#life;
    for (const type of KEPT) this.#host.addEventListener(type, (event) => event.stopPropagation(), { signal });
    // A hidden page holds its animations, each browser in its way.
    document.addEventListener("visibilitychange", () => this.#places.forEach(this.#tell), { signal });
    for (const type of EVENTS) addEventListener(type, this.move, { signal, capture: true, passive: true });
    this.#sizes.observe(document.documentElement);
  }

  #sizes = new ResizeObserver(() => this.move());
  #sights = new IntersectionObserver((entries) => entries.forEach((entry) => this.#see(entry)));

  /**
   * Begins to follow an image.
   * @param {HTMLImageElement} image
   * @param {Control | null} control
   */
  add(image, control) {
    // Behind the body, which may not have been there when a script in the page's head began.
    if (!this.#host.isConnected) document.documentElement.append(this.#host);
    if (control) this.#root.insertBefore(control.element, this.#next(image));
    this.#places.set(image, { control, cover: null, isSeen: true, key: "" });
    this.#tell(this.#places.get(image), image);
    this.#sights.observe(image);
    this.#sizes.observe(image);
    this.move();
  }

  #tell = ({ isSeen }, image) => this.#changed(image, isSeen && !document.hidden);

  /** The control in front of which one stands: Tab goes through them in the images' order. */
  #next(image) {
    let next = null;
    for (const [other, { control }] of this.#places) {
      if (control && isBefore(image, other) && (!next || isBefore(other, next))) next = other;
    }
    return next && this.#places.get(next).control.element;
  }

  /** Lays a picture over an image, under the buttons, or takes it away. @param {Control | null} cover */
  cover(image, cover) {
    const place = this.#places.get(image);
    if (!place) return;
    place.cover?.element.remove();
    place.cover = cover;
    if (cover) this.#root.prepend(cover.element);
    // Before the next refresh, and once for all that are covered in one go.
    this.#placing ??= Promise.resolve().then(() => {
      this.#placing = null;
      this.#place();
    });
    this.move();
  }

  remove(image) {
    const place = this.#places.get(image);
    if (!place) return;
    place.control?.element.remove();
    place.cover?.element.remove();
    this.#places.delete(image);
    this.#sights.unobserve(image);
    this.#sizes.unobserve(image);
  }

  /** Ends the layer. */
  leave() {
    this.#life.abort();
    cancelAnimationFrame(this.#turn);
    this.#sights.disconnect();
    this.#sizes.disconnect();
    this.#host.remove();
  }

  // Following

  /** Follows the images until they have rested for some refreshes. */
  move = () => {
    this.#quiet = 0;
    this.#turn ||= requestAnimationFrame(this.#follow);
  };

  #follow = () => {
    this.#quiet = this.#place() ? 0 : this.#quiet + 1;
    this.#turn = this.#quiet < QUIET_TURNS && this.#places.size ? requestAnimationFrame(this.#follow) : 0;
  };

  /** Notes which part of an image scrolling ancestors and the window leave. */
  #see({ target, isIntersecting: isSeen, intersectionRect: seen, boundingClientRect: whole }) {
    const place = this.#places.get(target);
    if (!place) return;
    Object.assign(place, { isSeen, seen, whole });
    this.#tell(place, target);
    this.move();
  }

  /** Brings everything to its place; whether something has moved. */
  #place() {
    const { left, top } = this.#host.getBoundingClientRect();
    const { scrollWidth, scrollHeight } = document.documentElement;
    const origin = { left, top, scrollWidth, scrollHeight };
    let hasMoved = false;
    // All boxes are read before anything moves.
    const turns = [...this.#places].map(([image, place]) => {
      const box = image.getBoundingClientRect();
      const isRendered = box.width > 0 && image.checkVisibility({ opacityProperty: true, visibilityProperty: true });
      const key = JSON.stringify([box, left, top, isRendered, place.isSeen, place.seen, place.whole]);
      const isMoved = place.key !== key;
      hasMoved ||= isMoved;
      place.key = key;
      const seen = isRendered && place.isSeen && place.seen ? partOf(box, place) : null;
      const free = seen && place.control && this.#freePart(image, seen);
      const layOver = place.cover?.place({ box, seen, origin });
      return () => {
        place.control?.place({ box, seen: free, isRendered, origin });
        layOver?.();
        if (!isMoved) return;
        // Asked again, the observer answers with the part that is seen now.
        this.#sights.unobserve(image);
        this.#sights.observe(image);
      };
    });
    for (const turn of turns) turn();
    return hasMoved;
  }

  /** The part that no bar of the page lies over; bars are known where something lies over the corner of a button. */
  #freePart(image, seen) {
    const topAt = (x, y) => document.elementsFromPoint(x, y).find((element) => element !== this.#host);
    const over = topAt(seen.right - 16, seen.top + 16);
    if (!over || over.contains(image)) return seen;
    this.#bars ??= import("./upgrade-under.js").then((bars) => {
      this.#bars = bars;
      this.move();
    });
    return this.#bars.freeOf?.(image, seen, topAt);
  }
}

const isBefore = (one, other) => one.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_FOLLOWING;

const partOf = (box, { seen, whole }) => new DOMRect(box.x + seen.x - whole.x, box.y + seen.y - whole.y,
  box.width + seen.width - whole.width, box.height + seen.height - whole.height);

// What is important in a shadow tree wins against all that the page says of its elements.
const STYLE = `
:host { all: initial !important; position: absolute !important; left: 0 !important; top: 0 !important; width: 0 !important;
  height: 0 !important; z-index: 2147483647 !important; pointer-events: none !important }
canvas, button { position: absolute; left: 0; top: 0; box-sizing: border-box; margin: 0 }
button { display: grid; place-items: center; padding: 0; border: none; background: none; pointer-events: auto;
  cursor: pointer; outline: none }
[hidden] { display: none !important }
.away { opacity: 0; pointer-events: none }
button i { display: grid; place-items: center; width: 75%; height: 75%; border-radius: 50%; box-sizing: border-box;
  min-width: 24px; min-height: 24px; background: #0000009e; box-shadow: 0 0 0 1.5px #ffffffbf }
button:hover i { background: #000 }
button:focus-visible i { background: #000; box-shadow: 0 0 0 3px #fff, 0 0 0 5px #000 }
b { width: 40%; height: 44%; background: #fff }
@media (forced-colors: active) {
  button i { background: ButtonFace; border: 2px solid ButtonText }
  b { background: ButtonText }
  button:focus-visible i { outline: 3px solid Highlight; outline-offset: 1px } }
@media print { button, canvas { display: none } }
`;

/**
 * What the layer keeps at an image; `seen` is the part that is in sight, in the window's pixels, and `origin` where the
 * layer stands there, and how large the document is. A cover reads what it needs, and returns what writes.
 * @typedef {{element: HTMLElement, place: (where: {box: DOMRect, seen: object | null, isRendered: boolean,
 *   origin: {left: number, top: number, scrollWidth: number, scrollHeight: number}}) => (() => void) | void}} Control
 */
