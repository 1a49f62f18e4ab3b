// <gallop-gif>: the document's side of a player. Attributes, sight, size, the user's wishes, what is shown without a player.

import { client } from "./client.js";
import { FirstFrame } from "./first-frame.js";
import { LAYOUT_STYLE, layoutRule, readLayout } from "./layout.js";
import { takeLazyProperties } from "./lazy-properties.js";
import { GallopError } from "./protocol.js";
import { GallopMedia } from "./media.js";
import { mayHold, motionPlan, onceLimit } from "./motion.js";
import { observe, onMotionChange, prefersReducedMotion, unobserve, whenNear } from "./page.js";
import { part, plainImage, StandIn } from "./stand-in.js";
import { sheetFor, wear } from "./styles.js";

const STYLE = `${LAYOUT_STYLE}
[part=first] { order: -1; }
.early > [part=picture] { visibility: hidden; }
[part=frame] { position: absolute; inset: 0; outline-offset: -2px; }
[part=frame]:focus-visible { outline: 2px solid Highlight; box-shadow: inset 0 0 0 4px Canvas; }
[part=frame]:not([tabindex]) { pointer-events: none; }`;

/** Properties that may be set before the element is defined; the source comes last. */
const SETTINGS = ["alt", "poster", "controls", "motion", "resizeMode", "preload", "autoplay", "loop", "late", "delays",
  "flashes", "range", "mode", "crossOrigin", "width", "height", "loading", "sizes", "srcset", "src", "srcObject"];

/** How the picture fills its box; with `none` it has its own size. */
const FITS = { fill: "stretch", contain: "contain", "scale-down": "contain", cover: "cover" };

const MESSAGE_REFUSED = "The page may not read this GIF: CORS, connect-src or file: forbids it.";
const MESSAGE_PLAIN = " It is shown as a plain image, without control of its frames.";

const UNJUDGED = { state: "unjudged", rate: null, report: null };

/** A module that a GIF plays without; an empty one where its file cannot be loaded, which the page is told. */
const ifThere = (loading) => loading.catch((error) => (reportError(error), {}));

const noFile = () => new GallopError("unreadable", { message: "The element names no file." });

/** An animated GIF that behaves like a video. */
export class GallopGIF extends GallopMedia {
  // A field would make esbuild 0.17 write all private members as maps.
  static get observedAttributes() {
    return ["src", "srcset", "sizes", "crossorigin", "alt", "width", "height", "loading", "controls", "poster", "motion",
      "mode", "range", "loop", "late", "delays", "resize-mode", "autoplay", "preload", "flashes"];
  }

  #internals;
  #root;
  /** The element's size, as a sheet of its own: a page that forbids styles in elements allows it. */
  #layout;
  #styles = new Set();
  #box;
  #frame;
  #picture = null;
  /** The player before, which has left its canvas to the next one. */
  #former = null;
  #standIn;
  #first;
  #early = null;
  #controls = null;
  #blob = null;
  #serial = 0;
  #isVisible = false;
  #pixels = null;
  /** What ends it, where it plays once by itself. @type {((isMoving: boolean) => void) | null} */
  #once = null;
  #isFollowing = false;
  #isPointed = false;
  /** Whether it plays again where the cause of its rest is over: it left the document, or the user wants motion again. */
  #isResting = false;
  /** The file for this screen, where the page names several. @type {{url: string, density: number} | null} */
  #choice = null;
  #choosing = null;
  #isArrived = false;
  /** Whether the next player is to ask for the file, even if the host has kept it from before. */
  #isFresh = true;
  /** Whether the element is near enough to load, where it is to load late. */
  #isNear = false;
  #life = null;
  #callbacksToSkip = 0;
  /** Whether a poster may stand there, if the page names one. */
  #hasPoster = true;
  /** Whether the source has changed outside of the document. */
  #isStale = false;
  #flashState = UNJUDGED;
  /** Whether the user wants this GIF to play although it flashes. */
  #mayFlash = false;
  /** Whether what stands in as a plain image may be a GIF. */
  #mayBeGIF = false;
  #notice = null;
  #paper = null;
  #press;

  constructor() {
    super();
    this.#internals = this.attachInternals?.() ?? {};
    this.#root = this.attachShadow({ mode: "open", delegatesFocus: true });
    [this.#box, this.#frame] = [part("box", "div"), part("frame", "div")];
    this.#standIn = new StandIn(this.#box);
    this.#first = new FirstFrame(this.#box);
    this.adoptedCallback();
    this.#root.append(part("room", "div"), this.#box, this.#frame);
    for (const type of ["pointerenter", "pointerleave", "focusin", "focusout"]) {
      this.addEventListener(type, this.#hover);
    }
  }

  // The document

  connectedCallback() {
    this.#lay();
    if (this.#life) return;
    this.#life = new AbortController();
    // While an element is upgraded, the callback of its attribute comes late: the load below has done its work.
    this.#callbacksToSkip = ["src", "srcset", "sizes", "crossOrigin"].filter(
      (name) => Object.hasOwn(this, name) && this[name] !== undefined && this[name] !== null).length;
    takeLazyProperties(this, SETTINGS);
    const { signal } = this.#life;
    document.addEventListener("visibilitychange", this.#countPlain, { signal });
    for (const type of ["beforeprint", "afterprint"]) addEventListener(type, this.#print, { signal });
    addEventListener("resize", this.#lay, { signal });
    onMotionChange(this.#changeMotion, signal);
    observe(this, this.#see, this.#measure);
    this.#watchApproach();
    this.#describe();
    // After an error the pictures are gone: another try shows them again.
    const isOld = this.#isStale || (this.error && this.readyState > 0);
    if (this.networkState === this.NETWORK_EMPTY || isOld) {
      if (isOld || this._hasSource || this.hasAttribute("src")) this.load();
    } else if (!this.paused || this.preload !== "none" || this.readyState > 0) this._open();
    this.#goOn();
    takeLazyProperties(this, ["currentTime", "defaultPlaybackRate", "playbackRate", "volume", "muted"]);
  }

  disconnectedCallback() {
    // An element that is only moved is connected again before this runs.
    queueMicrotask(() => {
      if (this.isConnected || !this.#life) return;
      this.#life.abort();
      this.#life = null;
      this.#choosing?.abort();
      unobserve(this);
      this.#restForNow();
      this.#print({});
      this._close();
    });
  }

  /** The element has a document, which takes no sheets of another one. */
  adoptedCallback() {
    this.#layout = sheetFor(this.#root);
    this.#addStyle();
    this.#size();
  }

  #addStyle(style = STYLE) {
    this.#styles.add(style);
    wear(this.#root, this.#styles, this.#layout);
  }

  /** A move within the document changes nothing but its surroundings. */
  connectedMoveCallback() {
    this.#lay();
  }

  /** Its surroundings may have changed. */
  #lay = () => readLayout(this);

  attributeChangedCallback(name, before, after) {
    if (before === after && name !== "src") return;
    switch (name) {
      case "src":
      case "srcset":
      case "sizes":
      case "crossorigin": this.#choose(); break;
      case "mode": this._setMode(this.mode); break;
      case "range": this._setRange(this.range); break;
      case "loop":
      case "late":
      case "delays":
        this._connection?.send("options", { options: { plays: this._plays, late: this.late, delays: this.delays } });
        break;
      case "motion": this.#changeMotion(); break;
      case "flashes": this.#sendFlashes(); break;
      case "resize-mode": this.#sendPixels(); break;
      case "width":
      case "height": this.#size(); break;
      case "loading": this.#watchApproach(); break;
      case "poster": this.#showPoster(); break;
      case "autoplay":
      case "preload": this.#wantMore(); break;
      default: this.#describe();
    }
  }

  /** What the page may style: `:state(playing)`, `paused`, `loading` and `failed`. */
  _mark() {
    const isFailed = this.error && !this.isPlain;
    this._state("playing", !this.paused && !this.ended && !isFailed);
    this._state("paused", this.paused);
    this._state("loading", this.networkState === this.NETWORK_LOADING);
    this._state("failed", isFailed);
  }

  /** A state for the page's styles, `:state(name)`. */
  _state(name, isSo) {
    const { states } = this.#internals;
    try {
      if (isSo) states?.add(name);
      else states?.delete(name);
    } catch {
      // Before version 125 Chromium wanted other names: there the page's styles go without.
    }
  }

  #choose() {
    if (this.#callbacksToSkip > 0) this.#callbacksToSkip -= 1;
    else if (this.#life) this.load();
    else this.#isStale = true;
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
    return this.#blob !== null || Boolean(this.getAttribute("src")) || this.#hasCandidates;
  }

  /** Whether the page leaves the file to the screen. */
  get #hasCandidates() {
    return this.hasAttribute("srcset") || this.parentElement?.localName === "picture";
  }

  /** Chooses between the candidates, and again when the screen changes. */
  async #pick(serial) {
    const { choose, watch } = await import("./srcset.js");
    if (serial !== this.#serial) return;
    const former = this.#choice?.url;
    const { density } = this.#choice ?? {};
    this.#choice = choose(this);
    if (density !== undefined && density !== this.#choice.density) this.#size();
    this.#choosing?.abort();
    this.#choosing = new AbortController();
    watch(this, () => this.#pick(this.#serial), this.#choosing.signal);
    if (former !== undefined && former !== this.#choice.url && this.#life) this.load();
  }

  load() {
    if (!this.#life) return;
    this.#standIn.show(null);
    this.#size();
    this.#choice = null;
    this.#choosing?.abort();
    this.#isResting = this.#isArrived = this.#isNear = this.#isStale = false;
    this.#isFresh = this.#hasPoster = true;
    this.#mayFlash = false;
    this.#showFlashes(UNJUDGED);
    this.#limit(false);
    super.load();
    if (!this._hasSource) this.#size();
    this.#watchApproach();
    this.#showPoster();
    if (!this._hasSource && this.hasAttribute("src")) {
      this._fail(noFile());
    }
  }

  /** Whether loading waits until the element comes near. */
  get #isFar() {
    return this.loading === "lazy" && !this.#isNear && this.paused;
  }

  #watchApproach() {
    const open = () => this.networkState === this.NETWORK_LOADING && this._open();
    if (this.loading === "eager") open();
    else if (this.#life && !this.#isNear) {
      whenNear(this, () => {
        this.#isNear = true;
        open();
      });
    }
  }

  /** Opens a player, once the host is there; what has happened meanwhile counts. */
  async _open() {
    try {
      await this.#openPlayer();
    } catch (error) {
      const message = `The engine cannot be loaded: ${error.message}.`;
      if (this.#life && !this._connection && !this.error) this._fail(new GallopError("engineUnavailable", { message }));
    }
  }

  async #openPlayer() {
    if (!this.#life || this._connection || !this._hasSource || this.error || this.#isFar) return;
    const serial = (this.#serial += 1);
    // Anew each time: the screen may be another one when an element returns.
    if (this.#hasCandidates && !this.#blob) await this.#pick(serial);
    if (serial !== this.#serial || !this.#life) return;
    if (!this.#blob && !this.currentSrc) {
      this._fail(noFile());
      return;
    }
    if (this.#first.isOver) this.#first = new FirstFrame(this.#box);
    client.fetchEarly(this.#request, this.#mayShowFirst && this.#first).then((frame) => {
      if (serial !== this.#serial || this.#first.isOver) return;
      this.#early = frame;
      this.#showFirst();
    });
    const port = await client.port();
    if (serial !== this.#serial || !this.#life) return;
    const player = {
      request: this.#request, ...this.#canvasFor(port), options: this._playerOptions, box: this.#device,
      isVisible: this.#isVisible, isWatched: this._isWatched,
      isLazy: this.#isLazy, isFresh: this.#isFresh,
    };
    this.#isFresh = false;
    const receive = (message) => {
      if (serial !== this.#serial) return;
      this._receive(message);
      if (this.#first.isOver) return;
      if (!this.#isVisible) this._leaveFirst();
      else if (message.events?.some(({ kind }) => kind === "frame")) {
        this.#first.leaveSoon(this.#picture);
        this.#early = null;
      }
    };
    this._attach(client.open(port, player, receive));
  }

  /** Whether the file's first frame is what is to be seen, before there is a player. */
  get #mayShowFirst() {
    return !this.#isLazy && this._startsAtFirstFrame && !(this.#hasPoster && this.poster);
  }

  #showFirst() {
    if (!this.#early || !this.#isVisible || !this.#mayShowFirst) return;
    this.#first.show(this.#early);
    this.#size();
  }

  /** Takes the browser's own first frame away. */
  _leaveFirst() {
    this.#first.leave();
    this.#early = null;
  }

  /** The canvas of the player before, as a new one costs much, or a new one. */
  #canvasFor(port) {
    const former = this.#former;
    this.#former = null;
    if (former?.port === port) return { canvasOf: former.id };
    this.#picture?.remove();
    this.#picture = Object.assign(part("picture", "canvas"), { width: 1, height: 1 });
    this.#picture.ariaHidden = "true";
    this.#box.prepend(this.#picture);
    return { canvas: port.isWorker ? this.#picture.transferControlToOffscreen() : this.#picture };
  }

  _close() {
    this.#serial += 1;
    this._leaveFirst();
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

  _sized() {
    this.#size();
    this._emit("resize");
    this.#controls?.update();
  }

  // Sight and size

  #see = (isVisible) => {
    this.#isVisible = isVisible;
    if (isVisible) this.#showFirst();
    else this._leaveFirst();
    this.#countPlain();
    this._connection?.send("see", { isVisible });
  };

  #measure = (width, height) => {
    if (this.#pixels?.width === width && this.#pixels.height === height) return;
    this.#pixels = { width, height };
    readLayout(this, setTimeout);
    this.#sendPixels();
  };

  get _isSeen() {
    return this.#isVisible;
  }

  /** Where the picture is seen: the device's pixels, and how it fills them. */
  get #device() {
    // The style decides; the attribute is one way to set it.
    const mode = FITS[this.#pixels && getComputedStyle(this).objectFit];
    return mode ? { ...this.#pixels, mode, ratio: devicePixelRatio } : null;
  }

  #sendPixels() {
    if (this.#pixels) this._connection?.send("box", { box: this.#device });
  }

  /** Gives the element the size of its picture, or what the attributes reserve for it. */
  #size() {
    const own = { width: this.#natural("width"), height: this.#natural("height") };
    const natural = own.width > 0 ? own : this.#standIn.posterSize ?? own;
    this.#layout?.replaceSync(layoutRule(natural, this));
    this._state("broken", this.#standIn.isBroken);
  }

  /** On paper the browser's own image stands for what was never seen, and has not been drawn. */
  #print = ({ type }) => {
    this.#paper?.remove();
    URL.revokeObjectURL(this.#paper?.src);
    const isDrawn = this.#picture?.width > 1 || this.isPlain || this.#standIn.posterSize;
    if (type !== "beforeprint" || isDrawn) return;
    this.#paper ??= Object.assign(part("plain", "img"), { alt: "" });
    this.#paper.src = this.#blob ? URL.createObjectURL(this.#blob) : this.currentSrc;
    this.#box.append(this.#paper);
  };

  // Motion

  get #plan() {
    return motionPlan(this.getAttribute("motion"), prefersReducedMotion());
  }

  get _mayStart() {
    return this.#plan.startsByItself;
  }

  _start() {
    if (this.isPlain) {
      this.#movePlain(true);
      return;
    }
    super._start();
    this.#showMotion();
  }

  /** The user, or the page for the user, decides: the policy leaves the playing alone. */
  _userActs() {
    this.#isFollowing = this.#isResting = false;
    this.#limit(false);
  }

  /** Stops until `#goOn`; what the user or the page has stopped stays so. */
  #restForNow() {
    this.#isResting ||= !this.paused || (this.autoplay && this._mayAutoplay);
    this._rest();
  }

  /** Plays on after a rest, if the policy lets it move. */
  #goOn() {
    if (!this.#isResting || !this._mayStart) return;
    this.#isResting = false;
    if (this.paused) this._startByItself();
  }

  /** Begins by itself, and ends by itself if the policy says so. */
  _startByItself() {
    this.#limit(this.#plan.endsByItself);
    this._start();
  }

  /** Lets it play once from now on, or not. */
  #limit(isOnce) {
    this.#once?.(false);
    this.#once = isOnce ? onceLimit(() => this._rest()) : null;
  }

  _moves(isMoving) {
    this.#once?.(isMoving);
  }

  /** A plain image moves as long as the browser shows it. */
  #countPlain = () => {
    if (this.isPlain) this._moves(this.#standIn.isMoving && this.#isVisible && !document.hidden);
  };

  _looped() {
    if (!this.#once) return;
    this._userActs();
    this._rest();
  }

  #changeMotion = () => {
    const { startsByItself, endsByItself, followsPointer } = this.#plan;
    if (!endsByItself) this.#limit(false);
    // What plays may go on until the pointer has been there and has left; a plain image knows no pointer.
    if (this.autoplay && !startsByItself && (!followsPointer || this.isPlain)) this.#restForNow();
    else {
      this.#goOn();
      this._autoplayIfReady();
    }
    this.#describe();
  };

  #hover = ({ type }) => {
    // In Firefox the element is still under the pointer by its style while it is told that it is not.
    if (type.startsWith("pointer")) this.#isPointed = type === "pointerenter";
    if (!this.#plan.followsPointer) return;
    if (type === "pointerenter" || type === "focusin") {
      if (!this.paused) return;
      this._start();
      this.#isFollowing = true;
    } else if (this.#isFollowing && !this.#isPointed && !this.matches(":focus-within")) {
      this.#isFollowing = false;
      this._rest();
    }
  };

  // Flashes

  get _flashPolicy() {
    const { flashes } = this;
    return flashes === "allow" ? undefined : this.#mayFlash ? "warn" : flashes;
  }

  #sendFlashes() {
    this.#showMotion();
    this._connection?.send("flashes", { policy: this._flashPolicy ?? "allow" });
    if (this.isPlain) this.#judgePlain();
    else if (!this._connection && !this._flashPolicy) this.#showFlashes(UNJUDGED);
  }

  /** Whether a plain image may not move: nothing can judge it. */
  get #holdsPlain() {
    return this.#mayBeGIF && mayHold(this._flashPolicy);
  }

  /** Takes the poster away once it plays: not while it stands for its flashes, or for a verdict on them. */
  #showMotion() {
    const stands = mayHold(this._flashPolicy) && !["passes", "slowed"].includes(this.#flashState.state);
    if (!this.paused && !stands) this._leavePoster();
  }

  #judgePlain() {
    this._takeFlashes(this.#holdsPlain ? { ...UNJUDGED, state: "held" } : UNJUDGED);
    if (this.#holdsPlain) this.#movePlain(false);
  }

  /** The verdict on the flashes, and what became of it. */
  get flashState() { return this.#flashState; }

  _takeFlashes({ state, rate, report }) {
    this.#showFlashes({ state, rate, report });
    this.#showMotion();
    this._emit(Object.assign(new Event("flashes"), this.#flashState));
  }

  /** Says why a GIF is held. */
  async #showFlashes(flashState) {
    this.#flashState = flashState;
    this.#describe();
    const isHeld = flashState.state === "held";
    if (!isHeld && !this.#notice) return;
    // Without its file there is no notice, and the page still has the event.
    const { FlashNotice, STYLE: style } = await ifThere(import("./flash-notice.js"));
    if (!FlashNotice) return;
    if (!this.#notice) {
      this.#addStyle(style);
      this.#notice = new FlashNotice(this, this.#letFlash);
    }
    this.#notice.update(this.#mayFlash);
  }

  /** Plays what is held, as its user wants, or holds it again. */
  #letFlash = (mayFlash) => {
    this.#mayFlash = mayFlash;
    this.#sendFlashes();
    if (mayFlash) this.play().catch(() => {}); // its `error` says why
  };

  // People

  /** Says to assistive technology what this is, and lets the keyboard reach it where there is something to do. */
  #describe() {
    if (!this.#life) return;
    const { alt } = this;
    const hasControls = this.controls;
    const isGroup = hasControls || this.#flashState.state === "held";
    const isDecoration = this.getAttribute("alt") === "" && !hasControls;
    Object.assign(this.#internals, {
      role: isGroup ? "group" : isDecoration ? "presentation" : "img", ariaLabel: (!hasControls && alt) || null,
      ariaRoleDescription: hasControls ? "animated image" : null,
    });
    if (hasControls || this.#plan.followsPointer) {
      this.#useKeys();
      this.#frame.tabIndex = 0;
      Object.assign(this.#frame, { role: "img", ariaLabel: alt || "animated image" });
    } else this.#frame.removeAttribute("tabindex");
    this.#standIn.alt = this.getAttribute("alt");
    if (hasControls) return;
    this.#controls?.remove();
    this.#controls = null;
  }

  /** Loads what an element needs that the keyboard reaches: the keys, and the bar. */
  async #useKeys() {
    const { Controls, press, STYLE: style } = await ifThere(import("./controls.js"));
    if (!Controls) return;
    this.#press ??= (event) => press(this, this.#frame, event);
    this.addEventListener("keydown", this.#press);
    if (!this.controls || this.#controls) return;
    this.#addStyle(style);
    this.#controls = new Controls(this, this.#letFlash);
    this.#root.append(this.#controls.element);
  }

  // Without a player

  #showPoster() {
    this.#standIn.showPoster(this.#hasPoster && this.#life ? this.poster : "", () => this.#size());
  }

  /** From the first playing or seek on its own frames are seen. */
  _leavePoster() {
    this.#hasPoster = false;
    this.#isNear = true;
    this.#showPoster();
  }

  /** What cannot be played is shown as browsers show it: a picture that they know, or the text that stands for it. */
  async _fail(error) {
    if (this.readyState > 0 || error.code === "internal") {
      this._leaveFirst();
      super._fail(error);
      return;
    }
    const serial = this.#serial;
    const image = await plainImage(this.#blob ?? this.currentSrc, this.getAttribute("alt"));
    if (serial !== this.#serial) return;
    this.#standIn.show(image);
    this._leaveFirst();
    this.#mayBeGIF = error.code !== "notAGIF";
    if (this.isPlain && this._flashPolicy) this.#judgePlain();
    if (this.isPlain) this.#movePlain(this.autoplay && this._mayStart);
    this.#limit(this.#standIn.isMoving && this.#plan.endsByItself);
    this.#countPlain();
    this.#size();
    // A fetch that fails where an image loads was refused to scripts alone.
    const isRefused = this.isPlain && error.code === "unreadable" && !(error.value > 0);
    const message = (isRefused ? MESSAGE_REFUSED : error.message) + (this.isPlain ? MESSAGE_PLAIN : "");
    super._fail({ ...error, code: isRefused ? "crossOrigin" : error.code, message });
  }

  /** A picture that is shown is no failure: `error` only says why it cannot be controlled. */
  _failed() {
    this.#isArrived = true;
    this._emit(this.isPlain ? "load" : "error");
  }

  /** All that is to be loaded for now has arrived. */
  _arrived() {
    if (this.#isArrived || this.readyState < 2) return;
    this.#isArrived = true;
    this._emit("load");
  }

  /** Whether a plain image stands in for the player. */
  get isPlain() {
    return this.#standIn.isPlain;
  }

  get paused() {
    return this.isPlain ? !this.#standIn.isMoving : super.paused;
  }

  play() {
    if (!this.isPlain) return super.play();
    this._userActs();
    this._start();
    return Promise.resolve();
  }

  _rest() {
    if (this.isPlain) this.#movePlain(false);
    else super._rest();
  }

  #movePlain(isMoving) {
    isMoving &&= !this.#holdsPlain;
    if (!this.#standIn.move(isMoving)) return;
    this.#countPlain();
    this._emit(isMoving ? "play" : "pause");
    if (isMoving) this._emit("playing");
  }

  // As an image

  get naturalWidth() { return Math.round(this.#natural("width")); }
  get naturalHeight() { return Math.round(this.#natural("height")); }

  /** In CSS pixels: what is chosen for a dense screen has more. */
  #natural(side) {
    const own = this.videoWidth ? { width: this.videoWidth, height: this.videoHeight } : this.#first.size;
    const { width, height } = this.#standIn.size ?? own ?? { width: 0, height: 0 };
    return (side === "width" ? width : height) / (this.#choice?.density ?? 1);
  }

  /** Whether there is nothing to load, or nothing more for now. */
  get complete() {
    return this.#isArrived || !(this._hasSource || this.hasAttribute("src"));
  }

  /** Resolves when the picture is there. What waits to come near is loaded now. */
  async decode() {
    const failure = () => this._absence ?? new DOMException("The picture cannot be shown.", "EncodingError");
    if (this._absence || !this._hasSource) throw failure();
    this.#isNear = true;
    if (!this.complete) this._open();
    while (!this.complete) {
      await new Promise((resolve) => {
        for (const type of ["load", "error", "emptied"]) this.addEventListener(type, resolve, { once: true });
        // None of these comes to an element that has left the document.
        this.#life.signal.addEventListener("abort", resolve);
      });
      if (this._absence || !this._hasSource) throw failure();
    }
    if (this.error && !this.isPlain && this.readyState < 2) throw failure();
  }

  // Source

  get src() {
    const src = this.getAttribute("src");
    return src ? resolved(src, this.baseURI) : "";
  }

  set src(value) {
    this.#blob = null;
    if (value === null || value === undefined) this.removeAttribute("src");
    else this.setAttribute("src", value);
  }

  get currentSrc() { return this.#blob ? "" : this.#choice?.url ?? this.src; }

  /** A file in memory instead of an address: a Blob, or the bytes. */
  get srcObject() { return this.#blob; }

  set srcObject(value) {
    this.#blob = value === null || value instanceof Blob ? value : new Blob([value]);
    this.#choose();
  }
}

/** An absolute address, or the text itself if it is none, as of images. */
function resolved(text, base) {
  try {
    return new URL(text, base).href;
  } catch {
    return text;
  }
}
