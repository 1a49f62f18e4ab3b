// Inline style of an image that comes and goes without a trace, and that the page's own writing does not undo.

/** Properties set on an element for a while; `restore` brings the attribute back, letter by letter. */
export class InlineStyle {
  #element;
  /** The attribute as the page wrote it; undefined where the page has changed one that had these properties in it. */
  #before;
  /** The attribute with these properties in it. */
  #after;
  /** Values by name, and what the page has there. @type {Map<string, {value: string, own: [string, string]}>} */
  #properties = new Map();
  #changes = new MutationObserver(() => this.#renew());
  #isResting = false;

  /** @param {HTMLElement} element */
  constructor(element) {
    this.#element = element;
  }

  /** Sets a property, before all that style sheets say. */
  set(name, value) {
    this.#notice();
    const { style } = this.#element;
    const own = this.#properties.get(name)?.own ?? valueOf(style, name);
    style.setProperty(name, value, "important");
    [value] = valueOf(style, name);
    this.#properties.set(name, { value, own });
    this.#after = this.#written;
    this.#changes.observe(this.#element, { attributeFilter: ["style"] });
  }

  get #written() {
    return this.#element.getAttribute("style");
  }

  /** Takes for the page's own what it has written since; whether it has written anything. */
  #notice() {
    const now = this.#written;
    if (now === this.#after) return false;
    this.#before = now;
    for (const [name, property] of this.#properties) {
      const found = valueOf(this.#element.style, name);
      if (found.join() === `${property.value},important`) this.#before = undefined;
      else property.own = found;
    }
    return true;
  }

  /** Sets again what the page has overwritten: once a refresh, as a script of the page may do the same. */
  #renew() {
    if (this.#isResting || !this.#notice()) return;
    for (const [name, { value }] of this.#properties) this.#element.style.setProperty(name, value, "important");
    this.#after = this.#written;
    this.#isResting = true;
    requestAnimationFrame(() => {
      this.#isResting = false;
      this.#renew();
    });
  }

  restore() {
    this.#changes.disconnect();
    this.#notice();
    const element = this.#element;
    for (const [name, { own: [value, priority] }] of this.#properties) {
      if (value) element.style.setProperty(name, value, priority);
      else element.style.removeProperty(name);
    }
    this.#properties.clear();
    this.#after = undefined;
    // Where the page has changed a part of the style meanwhile, its changes stay.
    if (this.#before === null) element.removeAttribute("style");
    else if (![undefined, this.#written].includes(this.#before)) element.setAttribute("style", this.#before);
  }
}

const valueOf = (style, name) => [style.getPropertyValue(name), style.getPropertyPriority(name)];
