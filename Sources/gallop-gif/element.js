// <gallop-gif>: the document's side of a player. Attributes, sight, size, the user's wishes, what is shown without a player.

import { client } from "./client.js";
import { GallopMedia } from "./media.js";
import { motionPlan, ONCE_LIMIT } from "./motion.js";
import { observe, onMotionChange, prefersReducedMotion, unobserve } from "./page.js";

const STYLE = `
:host { display: inline-block; position: relative; max-width: 100%; vertical-align: bottom; }
:host([hidden]) { display: none; }
[part=sizer] { visibility: hidden; }
[part=sizer], [part=picture], [part=poster], [part=plain] {
  display: block; box-sizing: border-box; width: 100%; height: 100%; object-fit: var(--gallop-fit, fill); }
[part=picture], [part=poster], [part=plain] { position: absolute; inset: 0; }
:host([resize-mode=contain]) { --gallop-fit: contain; }
:host([resize-mode=cover]) { --gallop-fit: cover; }
[part=frame] { position: absolute; inset: 0; outline-offset: -2px; }
[part=frame]:focus-visible { outline: 2px solid Highlight; box-shadow: inset 0 0 0 4px Canvas; }
[part=frame]:not([tabindex]) { pointer-events: none; }`;

/** Properties that may be set before the element is defined; the source comes last. */
const SETTINGS = ["alt", "poster", "controls", "motion", "resizeMode", "preload", "autoplay", "loop", "late", "delays",
  "range", "mode", "crossOrigin", "src", "srcObject"];

const MESSAGE_WITHOUT_CORS = "The server of this GIF does not let pages read it (it sends no CORS header). "
  + "It is shown as a plain image, without control of its frames.";
const MESSAGE_PLAIN = "It is shown as a plain image, without control of its frames.";

let sheet;

function part(name, tag) {
  const element = document.createElement(tag);
  element.part.add(name);
  // A part is found by its attribute in the styles, too.
  element.setAttribute("part", name);
  return element;
}

/** An animated GIF that behaves like a video. */
export class GallopGIF extends GallopMedia {
  // A field would make esbuild 0.17 write all private members as maps.
  static get observedAttributes() {
    return ["src", "crossorigin", "alt", "controls", "poster", "motion", "mode", "range", "loop",
      "late", "delays", "resize-mode", "autoplay", "preload"];
  }

  #internals;
  #root;
  #sizer;
  #frame;
  #picture = null;
  /** The player before, which has left its canvas to the next one. */
  #former = null;
  #poster = null;
  #plain = null;
  #standIn = null;
  #controls = null;
  #blob = null;
  #serial = 0;
  #isVisible = false;
  #box = null;
  #once = 0;
  #isFollowing = false;
  #life = null;
  #callbacksToSkip = 0;

  constructor() {
    super();
    this.#internals = this.attachInternals?.() ?? {};
    this.#root = this.attachShadow({ mode: "open", delegatesFocus: true });
    if (!sheet) {
      sheet = new CSSStyleSheet();
      sheet.replaceSync(STYLE);
    }
    this.#root.adoptedStyleSheets = [sheet];
    [this.#sizer, this.#frame] = [part("sizer", "canvas"), part("frame", "div")];
    Object.assign(this.#sizer, { width: 0, height: 0 });
    this.#sizer.setAttribute("aria-hidden", "true");
    this.#root.append(this.#sizer, this.#frame);
    this.addEventListener("keydown", this.#press);
    for (const type of ["pointerenter", "pointerleave", "focusin", "focusout"]) {
      this.addEventListener(type, this.#hover);
    }
  }

  // The document

  connectedCallback() {
    if (this.#life) return;
    this.#life = new AbortController();
    // While an element is upgraded, the callback of its attribute comes late: the load below has done its work.
    this.#callbacksToSkip = ["src", "crossOrigin"].filter((name) => Object.hasOwn(this, name)).length;
    for (const name of SETTINGS) this.#upgrade(name);
    onMotionChange(this.#changeMotion, this.#life.signal);
    observe(this, this.#see, this.#measure);
    this.#describe();
    if (this.networkState === this.NETWORK_EMPTY) {
      if (this._hasSource) this.load();
    } else if (!this.paused || this.preload !== "none" || this.readyState > 0) this._open();
    for (const name of ["currentTime", "defaultPlaybackRate", "playbackRate", "volume", "muted"]) this.#upgrade(name);
  }

  disconnectedCallback() {
    // An element that is only moved is connected again before this runs.
    queueMicrotask(() => {
      if (this.isConnected || !this.#life) return;
      this.#life.abort();
      this.#life = null;
      unobserve(this);
      this._rest();
      this._close();
    });
  }

  /** A move within the document changes nothing. */
  connectedMoveCallback() {}

  attributeChangedCallback(name, before, after) {
    if (before === after && name !== "src") return;
    switch (name) {
      case "src":
      case "crossorigin": this.#choose(); break;
      case "mode": this._setMode(this.mode); break;
      case "range": this._setRange(this.range); break;
      case "loop":
      case "late":
      case "delays":
        this._connection?.send("options", { options: { plays: this._plays, late: this._late, delays: this.delays } });
        break;
      case "motion": this.#changeMotion(); break;
      case "resize-mode": this.#sendBox(); break;
      case "poster": this.#showPoster(); break;
      case "autoplay":
      case "preload": this.#wantMore(); break;
      default: this.#describe();
    }
  }

  /** Takes a property that was set before the element was defined. */
  #upgrade(name) {
    if (!Object.hasOwn(this, name)) return;
    const value = this[name];
    delete this[name];
    this[name] = value;
  }

  #choose() {
    if (this.#callbacksToSkip > 0) this.#callbacksToSkip -= 1;
    else if (this.#life) this.load();
  }

  /** Loads what a new `preload` or `autoplay` asks for beyond the one before. */
  #wantMore() {
    if (!this.#life || this.networkState !== this.NETWORK_IDLE || this.readyState === this.HAVE_ENOUGH_DATA) return;
    if (!this._connection) {
      if (this.preload !== "none" || this.autoplay) this._open();
    } else if (!this.#isLazy) this._connection.send("want");
  }

  /** Whether the first frame is enough for now. */
  get #isLazy() {
    return this.preload === "metadata" && !this.autoplay && this.paused;
  }

  // The player

  get _hasSource() {
    return this.#blob !== null || Boolean(this.getAttribute("src"));
  }

  load() {
    if (!this.#life) return;
    this.#plain = null;
    this.#showPlain();
    super.load();
    this.#showPoster();
  }

  /** Opens a player, once the host is there; what has happened meanwhile counts. */
  async _open() {
    if (!this.#life || this._connection || !this._hasSource || this.error) return;
    const serial = (this.#serial += 1);
    const port = await client.port();
    if (serial !== this.#serial || !this.#life) return;
    const player = {
      request: this.#request, ...this.#canvasFor(port), options: this._playerOptions, box: this.#devices,
      isVisible: this.#isVisible, isWatched: this._isWatched,
      isLazy: this.#isLazy,
    };
    const receive = (message) => serial === this.#serial && this._receive(message);
    this._attach(client.open(port, player, receive));
  }

  /** The canvas of the player before, as a new one costs much, or a new one. */
  #canvasFor(port) {
    const former = this.#former;
    this.#former = null;
    if (former?.port === port) return { canvasOf: former.id };
    this.#picture?.remove();
    this.#picture = part("picture", "canvas");
    this.#picture.setAttribute("aria-hidden", "true");
    this.#sizer.after(this.#picture);
    return { canvas: port.isWorker ? this.#picture.transferControlToOffscreen() : this.#picture };
  }

  _close() {
    this.#serial += 1;
    clearTimeout(this.#once);
    this.#former = this._connection ?? this.#former;
    super._close();
    this.#former?.close(this.#life !== null);
    if (this.#life) return;
    this.#former = null;
    this.#picture?.remove();
    this.#picture = null;
  }

  get #request() {
    if (this.#blob) return { blob: this.#blob };
    const credentials = this.crossOrigin === "use-credentials" ? "include" : "same-origin";
    return { url: this.currentSrc, credentials };
  }

  _sized({ width, height }) {
    Object.assign(this.#sizer, { width, height });
    this._emit("resize");
    this.#controls?.update();
  }

  // Sight and size

  #see = (isVisible) => {
    this.#isVisible = isVisible;
    this._connection?.send("see", { isVisible });
  };

  #measure = (width, height) => {
    if (this.#box?.width === width && this.#box.height === height) return;
    this.#box = { width, height };
    this.#sendBox();
  };

  get _isSeen() {
    return this.#isVisible;
  }

  get #devices() {
    return this.#box && { ...this.#box, mode: this.resizeMode };
  }

  #sendBox() {
    if (this.#box) this._connection?.send("box", { box: this.#devices });
  }

  // Motion

  get #plan() {
    return motionPlan(this.getAttribute("motion"), prefersReducedMotion());
  }

  get _mayStart() {
    return this.#plan.startsByItself;
  }

  _start() {
    super._start();
    if (this.#poster) this.#poster.hidden = true;
  }

  /** The user, or the page for the user, decides: the policy leaves the playing alone. */
  _userActs() {
    this.#isFollowing = false;
    clearTimeout(this.#once);
    this.#once = 0;
  }

  /** Begins by itself, and ends by itself if the policy says so. */
  _startByItself() {
    this._start();
    if (!this.#plan.endsByItself) return;
    this.#once = setTimeout(() => this._rest(), ONCE_LIMIT);
  }

  _looped() {
    if (!this.#once) return;
    this._userActs();
    this._rest();
  }

  #changeMotion = () => {
    const { startsByItself, followsPointer } = this.#plan;
    if (this.autoplay && !startsByItself && !followsPointer) this._rest();
    this.#showPlain();
    this.#describe();
  };

  #hover = ({ type }) => {
    if (!this.#plan.followsPointer) return;
    if (type === "pointerenter" || type === "focusin") {
      if (!this.paused) return;
      this._start();
      this.#isFollowing = true;
    } else if (this.#isFollowing && !this.matches(":hover, :focus-within")) {
      this.#isFollowing = false;
      this._rest();
    }
  };

  // People

  /** Says to assistive technology what this is, and lets the keyboard reach it where there is something to do. */
  #describe() {
    if (!this.#life) return;
    const { alt } = this;
    const hasControls = this.controls;
    const isDecoration = this.getAttribute("alt") === "" && !hasControls;
    Object.assign(this.#internals, {
      role: hasControls ? "group" : isDecoration ? "presentation" : "img", ariaLabel: (!hasControls && alt) || null,
      ariaRoleDescription: hasControls ? "animated image" : null,
    });
    if (hasControls || this.#plan.followsPointer) {
      this.#frame.tabIndex = 0;
      Object.assign(this.#frame, { role: "img", ariaLabel: alt || "animated image" });
    } else this.#frame.removeAttribute("tabindex");
    if (this.#plain) this.#plain.alt = alt;
    if (hasControls && !this.#controls) this.#addControls();
    else if (!hasControls) {
      this.#controls?.remove();
      this.#controls = null;
    }
  }

  async #addControls() {
    const { Controls } = await import("./controls.js");
    if (!this.controls || this.#controls) return;
    this.#controls = new Controls(this);
    this.#root.append(this.#controls.element);
  }

  #press = (event) => {
    const isBar = event.composedPath()[0] !== this.#frame && event.composedPath()[0] !== this;
    if (event.defaultPrevented || isBar || event.altKey || event.ctrlKey || event.metaKey) return;
    const keys = {
      " ": () => (this.paused ? this.play().catch(() => {}) : this.pause()), ArrowRight: () => this.step(1),
      ArrowLeft: () => this.step(-1), Home: () => this.seekToFrame(0), End: () => this.seekToFrame(this.frameCount - 1),
    };
    keys.k = keys[" "];
    if (!keys[event.key]) return;
    event.preventDefault();
    keys[event.key]();
  };

  // Without a player

  #showPoster() {
    this.#poster?.remove();
    this.#poster = null;
    if (!this.poster || !this.paused || !this.#life) return;
    this.#poster = part("poster", "img");
    Object.assign(this.#poster, { src: this.poster, alt: "" });
    this.#sizer.after(this.#poster);
    (this.#picture ?? this.#sizer).after(this.#poster);
  }

  /** What cannot be played is shown as browsers show it. */
  async _fail(error) {
    const wasEmpty = this.readyState === 0;
    if (!wasEmpty || error.code === "internal") {
      super._fail(error);
      return;
    }
    const serial = this.#serial;
    const plain = part("plain", "img");
    const source = this.#blob ? URL.createObjectURL(this.#blob) : this.currentSrc;
    Object.assign(plain, { src: source, alt: this.alt });
    const isShown = await plain.decode().then(() => true, () => false);
    if (this.#blob) URL.revokeObjectURL(source);
    if (serial !== this.#serial) return;
    this.#plain = plain;
    Object.assign(this.#sizer, { width: plain.naturalWidth, height: plain.naturalHeight });
    this.#showPlain();
    // A fetch that fails where an image loads was refused to scripts alone.
    const isRefused = isShown && error.code === "unreadable" && !(error.value > 0);
    const message = isRefused ? MESSAGE_WITHOUT_CORS : isShown ? `${error.message} ${MESSAGE_PLAIN}` : error.message;
    super._fail({ ...error, code: isRefused ? "crossOrigin" : error.code, message });
  }

  /** Shows the plain image, or its first frame where it may not move. */
  #showPlain() {
    this.#standIn?.remove();
    const mayMove = this.autoplay && this._mayStart;
    this.#standIn = this.isPlain && !mayMove ? still(this.#plain) : this.#plain;
    if (this.#standIn) this.#frame.before(this.#standIn);
  }

  /** Whether a plain image stands in for the player. */
  get isPlain() {
    return this.#plain !== null && this.#plain.naturalWidth > 0;
  }

  // Source

  get src() {
    const src = this.getAttribute("src");
    return src ? new URL(src, this.baseURI).href : "";
  }

  set src(value) {
    this.#blob = null;
    if (value === null || value === undefined) this.removeAttribute("src");
    else this.setAttribute("src", value);
  }

  get currentSrc() { return this.#blob ? "" : this.src; }

  /** A file in memory instead of an address: a Blob, or the bytes. */
  get srcObject() { return this.#blob; }

  set srcObject(value) {
    this.#blob = value === null || value instanceof Blob ? value : new Blob([value]);
    this.#choose();
  }
}

/** The first frame of an image that may not move. */
function still(image) {
  const canvas = part("plain", "canvas");
  Object.assign(canvas, { width: image.naturalWidth, height: image.naturalHeight });
  canvas.getContext("2d").drawImage(image, 0, 0);
  return canvas;
}
