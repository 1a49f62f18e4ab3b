// A bar of controls, loaded where `controls` asks for it: play and pause, a slider over the loop, the frame shown.

/** What the element adds to its styles for the bar. */
export const STYLE = `
[part=controls] { position: absolute; inset: auto 0 0; container-type: inline-size; direction: ltr;
  pointer-events: none; transition: opacity .25s }
[part=controls].faded { opacity: 0 }
[part=bar] { display: flex; gap: 6px; align-items: center; padding: 2px 6px 2px 2px; pointer-events: auto;
  background: color-mix(in srgb, Canvas 82%, transparent); color: CanvasText; font: 12px system-ui, sans-serif;
  -webkit-user-select: none; user-select: none }
.faded [part=bar] { pointer-events: none }
button { flex: none; display: grid; place-items: center; inline-size: 28px; block-size: 28px; margin: 0;
  padding: 0; border: 1px solid transparent; border-radius: 5px; color: inherit; background: none }
button:hover { background: color-mix(in srgb, currentColor 14%, transparent) }
[part=bar] :focus-visible { outline: 2px solid CanvasText; outline-offset: -2px }
svg { inline-size: 16px; block-size: 16px; fill: currentColor }
input { flex: 1; min-inline-size: 0; block-size: 28px; margin: 0 }
span { font-variant-numeric: tabular-nums; white-space: nowrap }
@container (max-width: 159px) { span { display: none } }
@container (max-width: 99px) {
  input { display: none } [part=bar] { inline-size: max-content; padding: 2px; border-top-right-radius: 7px } }
@media (prefers-reduced-motion: reduce) { [part=controls] { transition: none } }
@media (forced-colors: active) {
  [part=bar] { background: Canvas; border-top: 1px solid CanvasText }
  [part=bar] :focus-visible { outline: 3px solid Highlight }
  button { border-color: ButtonBorder; background: ButtonFace; color: ButtonText } }
@media print { [part=controls] { display: none } }`;

/** While it plays, the bar fades so long after the last sign of the user. */
const FADE_AFTER_MS = 2000;
const SHAPES = { play: "M4 2.2v11.6L13.6 8z", pause: "M3.5 2.5h3.2v11H3.5zM9.3 2.5h3.2v11H9.3z" };
const SVG = "http://www.w3.org/2000/svg";
const CHANGES = ["play", "pause", "timeupdate", "durationchange", "framechange", "progress", "emptied", "loadstart", "load",
  "error", "flashes"];

/** What keys do on an element's picture, and on its slider. @param {import("./element.js").GallopGIF} media */
export function press(media, frame, event) {
  const [target] = event.composedPath();
  const isSlider = target.type === "range";
  const isOther = target !== frame && target !== media && !isSlider;
  if (event.defaultPrevented || isOther || event.altKey || event.ctrlKey || event.metaKey) return;
  const [first, end] = media.range ?? [0, media.frameCount];
  const keys = {
    " ": () => (media.paused ? media.play() : media.pause()), ArrowRight: () => media.step(1),
    ArrowLeft: () => media.step(-1), Home: () => media.seekToFrame(first), End: () => media.seekToFrame(end - 1),
  };
  keys.k = keys[" "];
  if (isSlider) {
    // A slider ends where the loop does; there and back has each frame twice.
    const place = media.mode === "reverse" ? end - 1 - media.currentFrameIndex : media.currentFrameIndex - first;
    const step = (count) => {
      const within = media.mode === "bounce" ? count : Math.min(end - first - 1 - place, Math.max(-place, count));
      return within === 0 ? null : media.step(within);
    };
    Object.assign(keys, { ArrowRight: () => step(1), ArrowUp: () => step(1), ArrowLeft: () => step(-1),
      ArrowDown: () => step(-1), PageUp: () => step(10), PageDown: () => step(-10) });
  }
  if (!keys[event.key]) return;
  event.preventDefault();
  keys[event.key]()?.catch(() => {}); // what cannot be shown says so by its `error`
}

/** Play and pause, a slider over the loop, and the frame shown. */
export class Controls {
  #media;
  /** The picture as far as the keyboard reaches it. */
  #picture;
  #life = new AbortController();
  #button = document.createElement("button");
  #shape = document.createElementNS(SVG, "path");
  #slider = document.createElement("input");
  // No live region: it changes with every frame, and would be read aloud each time.
  #place = document.createElement("span");
  #fading = 0;
  #isScrubbing = false;

  #letFlash;

  /** @param {import("./element.js").GallopGIF} media @param {(mayFlash: boolean) => void} letFlash plays what is held all the same */
  constructor(media, letFlash) {
    this.#media = media;
    this.#picture = media.shadowRoot.querySelector("[part=frame]");
    this.#letFlash = letFlash;
    this.element = document.createElement("div");
    this.element.setAttribute("part", "controls");
    const bar = this.element.appendChild(document.createElement("div"));
    bar.setAttribute("part", "bar");
    Object.assign(this.#slider, { type: "range", min: 0, step: "any", value: 0 });
    this.#button.type = "button";
    const picture = this.#button.appendChild(document.createElementNS(SVG, "svg"));
    picture.setAttribute("viewBox", "0 0 16 16");
    picture.setAttribute("aria-hidden", "true");
    picture.append(this.#shape);
    bar.append(this.#button, this.#slider, this.#place);
    this.#listen();
    this.update();
    this.#appear();
  }

  #listen() {
    const { signal } = this.#life;
    const on = (target, types, listener) => {
      for (const type of types) target.addEventListener(type, listener, { signal });
    };
    const media = this.#media;
    on(this.#button, ["click"], () => this.#toggle());
    on(this.#slider, ["input"], () => (media.currentTime = this.#slider.value));
    on(this.#slider, ["pointerdown", "pointerup", "pointercancel"], ({ type }) => this.#scrub(type === "pointerdown"));
    on(media, CHANGES, this.update);
    on(media, ["play", "pause", "error", "emptied", "pointermove", "pointerdown", "pointerup", "keydown", "focusin", "focusout"],
      () => this.#appear());
    // A finger leaves with every touch.
    on(media, ["pointerleave"], ({ pointerType }) => pointerType === "mouse" && this.#fade());
    on(media, ["click"], (event) => this.#click(event));
    // As of a video, what is done here is not for the link or the button around the element.
    on(this.element, ["click"], (event) => {
      event.preventDefault();
      event.stopPropagation();
    });
  }

  /** A GIF that is held for its flashes stands, whatever it was asked. */
  get #isHeld() { return this.#media.flashState.state === "held"; }

  #toggle() {
    if (this.#isHeld) this.#letFlash(true);
    else if (this.#media.paused) this.#media.play().catch(() => {}); // its `error` event says why
    else this.#media.pause();
  }

  #scrub(isScrubbing) {
    this.#isScrubbing = isScrubbing;
    if (isScrubbing) this.#media.beginScrubbing();
    else this.#media.endScrubbing();
  }

  /** A click on the picture plays and pauses where the attribute `click` says so. */
  #click(event) {
    if (!event.defaultPrevented && this.#media.getAttribute("click") === "toggle") this.#toggle();
  }

  // Sight

  /** What failed is not paused, and stands. */
  get #isPlaying() {
    const { paused, error, isPlain } = this.#media;
    return !paused && (!error || isPlain);
  }

  /** Shows the bar: for good while the player is paused, otherwise for a while. */
  #appear() {
    clearTimeout(this.#fading);
    this.element.classList.remove("faded");
    if (this.#isPlaying) this.#fading = setTimeout(() => this.#fade(), FADE_AFTER_MS);
  }

  /** Hides the bar, unless the user is at it. */
  #fade() {
    if (!this.#isPlaying || this.#isScrubbing) return;
    if (this.element.matches(":hover") || this.element.querySelector(":focus-visible")) return;
    this.element.classList.add("faded");
  }

  /** Shows where the player stands. */
  update = () => {
    const { alt, duration, currentTime, currentFrameIndex, frameCount, metadata, error, isPlain } = this.#media;
    const seconds = duration || 0;
    const paused = !this.#isPlaying || this.#isHeld;
    // Where there is nothing to play, and over the text of what cannot be shown.
    const isStill = frameCount === 1 && metadata.isComplete;
    const isEmpty = isStill || (error !== null && !isPlain && !frameCount);
    this.element.hidden = this.#media.networkState === 0 || isEmpty;
    // The picture is no stop for the keyboard where it has nothing to do.
    if (isEmpty) this.#picture.removeAttribute("tabindex");
    else this.#picture.tabIndex = 0;
    this.#shape.setAttribute("d", paused ? SHAPES.play : SHAPES.pause);
    // Which of several GIFs it is.
    const name = alt && `: ${alt}`;
    this.#button.ariaLabel = (paused ? "Play" : "Pause") + name;
    this.#slider.ariaLabel = `Time${name}`;
    this.#slider.max = seconds;
    this.#slider.value = currentTime;
    // A plain image has no time.
    this.#slider.disabled = seconds === 0;
    // More frames may follow while it loads.
    const count = metadata?.isComplete === false ? `${frameCount}+` : frameCount;
    const place = frameCount ? `#${Math.max(0, currentFrameIndex)} of ${count}` : "";
    this.#place.textContent = place;
    // Arrows lead from frame to frame, which may be closer together than a tenth of a second.
    this.#slider.ariaValueText = `${place && `${place}, `}${currentTime.toFixed(2)} of ${seconds.toFixed(2)} seconds`;
  };

  remove() {
    if (this.#isScrubbing) this.#scrub(false);
    clearTimeout(this.#fading);
    this.#life.abort();
    this.element.remove();
  }
}
