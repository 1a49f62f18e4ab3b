// Why a GIF is held, over its picture, with a button that plays it and stops it again. Loaded with the first GIF
// that is held.

/** What the element adds to its styles for the notice. */
export const STYLE = `
[part=notice] { position: absolute; inset: 0; display: grid; place-items: center; container-type: size; pointer-events: none }
[part=notice][hidden] { display: none }
[part=notice].barred { box-sizing: border-box; padding-block-end: 32px }
[part=notice] > div { display: flex; flex-direction: column; align-items: center; gap: 8px; box-sizing: border-box;
  max-inline-size: min(34ch, 100% - 16px); padding: 10px 12px; text-wrap: balance; border-radius: 8px; pointer-events: auto; text-align: center;
  background: color-mix(in srgb, Canvas 90%, transparent); color: CanvasText; font: 13px/1.35 system-ui, sans-serif }
[part=notice] p { margin: 0 }
[part=notice] button { inline-size: auto; block-size: auto; padding: 4px 12px; border: 1px solid currentColor; border-radius: 5px; color: inherit; background: none;
  font: inherit; white-space: nowrap }
[part=notice] button:hover { background: color-mix(in srgb, currentColor 14%, transparent) }
[part=notice] button:focus-visible { outline: 2px solid CanvasText; outline-offset: 1px }
[part=notice].plays { place-items: end start }
[part=notice].plays > div { margin: 4px; padding: 3px }
[part=notice].plays p { position: absolute; inline-size: 1px; block-size: 1px; overflow: hidden; clip-path: inset(50%) }
@container (max-width: 179px) or (max-height: 119px) {
  [part=notice] p { position: absolute; inline-size: 1px; block-size: 1px; overflow: hidden; clip-path: inset(50%) }
  [part=notice] > div { padding: 3px } }
@media (forced-colors: active) {
  [part=notice] > div { background: Canvas; border: 1px solid CanvasText }
  [part=notice] button { border-color: ButtonBorder; background: ButtonFace; color: ButtonText } }
@media print { [part=notice] { display: none } }`;

/** What stands over a GIF that is held. */
export class FlashNotice {
  #media;
  #text = document.createElement("p");
  #button = document.createElement("button");

  /** @param {import("./element.js").GallopGIF} media @param {(mayFlash: boolean) => void} letFlash plays it all the same, or stops it */
  constructor(media, letFlash) {
    this.#media = media;
    this.element = document.createElement("div");
    this.element.setAttribute("part", "notice");
    const box = this.element.appendChild(document.createElement("div"));
    this.#button.type = "button";
    this.#button.addEventListener("click", () => letFlash(media.flashState.state === "held"));
    box.addEventListener("click", (event) => {
      // The picture under it may toggle, or be in a link.
      event.preventDefault();
      event.stopPropagation();
    });
    box.append(this.#text, this.#button);
    media.shadowRoot.append(this.element);
  }

  /**
   * Shows the reason and a button that plays a GIF that is held; or, in a corner, one that stops what plays at its user's wish.
   *
   * @param {boolean} mayFlash whether the user has asked to play it
   */
  update(mayFlash) {
    const { flashState, flashes, alt, controls } = this.#media;
    const isHeld = flashState.state === "held";
    // A bar has a button of its own.
    const stops = mayFlash && !controls && (flashes === "hold" || flashes === "slow");
    this.element.hidden = !isHeld && !stops;
    this.element.classList.toggle("plays", !isHeld);
    this.element.classList.toggle("barred", controls);
    // The words of the other views. What plays at its user's wish may have no verdict.
    this.#text.textContent = !flashState.report ? (isHeld ? "Cannot be checked for flashes" : "")
      : flashState.report.failsOnlyBesideOthers ? "Flashes too much beside other GIFs" : "Flashes more than 3 times a second";
    this.#button.textContent = isHeld ? "Play" : "Stop";
    this.#button.ariaLabel = this.#button.textContent + (alt && `: ${alt}`);
    const { textContent } = this.#text;
    this.element.title = textContent && `${textContent}. The check informs, and certifies nothing.`;
  }
}
