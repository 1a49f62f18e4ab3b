// Inline style of an image that comes and goes without a trace.

/** Properties set on an element for a while; `restore` brings the attribute back, letter by letter. */
export class InlineStyle {
  #element;
  #before = null;
  #after = null;
  /** What the element had by itself. @type {Map<string, [string, string]>} */
  #own = new Map();

  /** @param {HTMLElement} element */
  constructor(element) {
    this.#element = element;
  }

  /** Sets a property, before all that style sheets say. */
  set(name, value) {
    const { style } = this.#element;
    if (!this.#own.size) this.#before = this.#element.getAttribute("style");
    if (!this.#own.has(name)) this.#own.set(name, [style.getPropertyValue(name), style.getPropertyPriority(name)]);
    style.setProperty(name, value, "important");
    this.#after = this.#element.getAttribute("style");
  }

  restore() {
    if (!this.#own.size) return;
    const element = this.#element;
    // Where the page has changed the style meanwhile, its changes stay.
    const isUntouched = element.getAttribute("style") === this.#after;
    for (const [name, [value, priority]] of this.#own) {
      if (value) element.style.setProperty(name, value, priority);
      else element.style.removeProperty(name);
    }
    this.#own.clear();
    if (!isUntouched) return;
    if (this.#before === null) element.removeAttribute("style");
    else if (element.getAttribute("style") !== this.#before) element.setAttribute("style", this.#before);
  }
}
