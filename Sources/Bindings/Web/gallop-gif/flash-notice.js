// Why a GIF is held, over its picture, with a button that plays it. Loaded with the first GIF that is held.

const STYLE = `
[part=notice] { position: absolute; inset: 0; display: grid; place-items: center; container-type: size; pointer-events: none }
[part=notice][hidden] { display: none }
[part=notice] > div { display: flex; flex-direction: column; align-items: center; gap: 8px; box-sizing: border-box;
  max-inline-size: min(34ch, 100% - 16px); padding: 10px 12px; text-wrap: balance; border-radius: 8px; pointer-events: auto; text-align: center;
  background: color-mix(in srgb, Canvas 90%, transparent); color: CanvasText; font: 13px/1.35 system-ui, sans-serif }
[part=notice] p { margin: 0 }
[part=notice] button { padding: 4px 12px; border: 1px solid currentColor; border-radius: 5px; color: inherit; background: none;
  font: inherit; white-space: nowrap }
[part=notice] button:hover { background: color-mix(in srgb, currentColor 14%, transparent) }
[part=notice] button:focus-visible { outline: 2px solid CanvasText; outline-offset: 1px }
@container (max-width: 179px) or (max-height: 119px) {
  [part=notice] p { position: absolute; inline-size: 1px; block-size: 1px; overflow: hidden; clip-path: inset(50%) }
  [part=notice] > div { padding: 3px } }
@media (forced-colors: active) {
  [part=notice] > div { background: Canvas; border: 1px solid CanvasText }
  [part=notice] button { border-color: ButtonBorder; background: ButtonFace; color: ButtonText } }
@media print { [part=notice] { display: none } }`;

let sheet;

/** What stands over a GIF that is held. */
export class FlashNotice {
  #media;
  #text = document.createElement("p");
  #button = document.createElement("button");

  /** @param {import("./element.js").GallopGIF} media @param {() => void} play lets it play all the same */
  constructor(media, play) {
    this.#media = media;
    this.element = document.createElement("div");
    this.element.setAttribute("part", "notice");
    const box = this.element.appendChild(document.createElement("div"));
    Object.assign(this.#button, { type: "button", textContent: "Play" });
    this.#button.addEventListener("click", (event) => {
      // The picture under it may toggle, too.
      event.stopPropagation();
      play();
    });
    box.append(this.#text, this.#button);
    if (!sheet) (sheet = new CSSStyleSheet()).replaceSync(STYLE);
    media.shadowRoot.adoptedStyleSheets = [...media.shadowRoot.adoptedStyleSheets, sheet];
    media.shadowRoot.append(this.element);
  }

  /** Shows the reason, or nothing where the GIF is not held. */
  update() {
    const { flashState, alt } = this.#media;
    this.element.hidden = flashState.state !== "held";
    // The words of the other views. The number is the rule's: it is judged for a little more than its rate.
    this.#text.textContent = flashState.report ? "Flashes more than 3 times a second" : "Cannot be checked for flashes";
    this.#button.ariaLabel = `Play${alt && `: ${alt}`}`;
    this.#button.title = this.#text.textContent;
  }
}

