// A plain bar of the browser's own controls, loaded where `controls` asks for it.

const STYLE = `
[part=controls] { position: absolute; inset: auto 0 0; display: flex; gap: 4px; align-items: center; padding: 4px;
  background: color-mix(in srgb, Canvas 80%, transparent); color: CanvasText; font: 12px system-ui, sans-serif; }
[part=controls] input { flex: 1; min-width: 24px; margin: 0; }
[part=controls] button { min-width: 28px; min-height: 28px; padding: 0; font: inherit; }
[part=controls] span { font-variant-numeric: tabular-nums; }
@media (forced-colors: active) { [part=controls] { background: Canvas; border-top: 1px solid CanvasText; } }`;

/** Play and pause, a slider over the loop, and the frame shown. */
export class Controls {
  #media;
  #life = new AbortController();
  #button = document.createElement("button");
  #slider = document.createElement("input");
  // No live region: it changes with every frame, and would be read aloud each time.
  #place = document.createElement("span");

  /** @param {import("./element.js").GallopGIF} media */
  constructor(media) {
    this.#media = media;
    this.element = document.createElement("div");
    this.element.setAttribute("part", "controls");
    Object.assign(this.#slider, { type: "range", min: 0, step: "any", value: 0, ariaLabel: "Time" });
    this.element.append(this.#button, this.#slider, this.#place);
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(STYLE);
    media.shadowRoot.adoptedStyleSheets = [...media.shadowRoot.adoptedStyleSheets, sheet];
    const { signal } = this.#life;
    this.#button.addEventListener("click", () => (media.paused ? media.play().catch(() => {}) : media.pause()));
    this.#slider.addEventListener("input", () => (media.currentTime = this.#slider.value));
    for (const type of ["pointerdown", "pointerup", "pointercancel"]) {
      this.#slider.addEventListener(type, () => (type === "pointerdown" ? media.beginScrubbing() : media.endScrubbing()));
    }
    for (const type of ["play", "pause", "timeupdate", "durationchange", "framechange", "emptied"]) {
      media.addEventListener(type, this.update, { signal });
    }
    this.update();
  }

  /** Shows where the player stands. */
  update = () => {
    const { paused, duration, currentTime, currentFrameIndex, frameCount } = this.#media;
    this.#button.textContent = paused ? "▶" : "❚❚";
    this.#button.ariaLabel = paused ? "Play" : "Pause";
    this.#slider.max = duration || 0;
    this.#slider.value = currentTime;
    this.#slider.ariaValueText = `${currentTime.toFixed(1)} of ${(duration || 0).toFixed(1)} seconds`;
    this.#place.textContent = frameCount ? `#${Math.max(0, currentFrameIndex)} of ${frameCount}` : "";
  };

  remove() {
    this.#life.abort();
    this.element.remove();
  }
}
