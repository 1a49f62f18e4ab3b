// The contract of HTMLMediaElement, kept for a player of the host. What concerns the document is in element.js.

import { COMMANDS, GallopError, MODES } from "./protocol.js";
import { CONSTANTS, EMPTY, frameAt, FrameChangeEvent, FUTURE, GallopMediaError, IDLE, LOADING, LoopEvent, NO_SOURCE, NOTHING,
  number, ranges, readyStateOf, timeAt } from "./media-values.js";
import { now, setTicking } from "./page.js";
import { GallopProperties } from "./properties.js";

const [NETWORK, DECODE, UNSUPPORTED] = [2, 3, 4];
const [SLOWEST, FASTEST] = [0.05, 20];

/** Why nothing can be asked of a GIF. @param {GallopMediaError | null} error what it failed with */
const refusal = (error) => new GallopError(error?.reason ?? "notLoaded", { message: error?.message ?? "No GIF is loaded." });
const abortError = (text) => new DOMException(text, "AbortError");

/** A media element without a picture of its own. `_open`, `_autoplays` and the attributes belong to its subclass. */
export class GallopMedia extends GallopProperties {
  #connection = null;
  #info = null;
  #details = null;
  #serial = 0;
  #networkState = EMPTY;
  #readyState = NOTHING;
  #error = null;
  #paused = true;
  #ended = false;
  #mayAutoplay = true;
  #isStarted = false;
  #rate = 1;
  #defaultRate = 1;
  #answer = null;
  #sent = 0;
  #seek = null;
  #startTime = 0;
  #loops = 0;
  #plays = [];
  #isWatched = false;
  #tick = () => this._emit("timeupdate");

  // Accessors, as an element's own fields would be found by pages that list its keys.
  get _connection() { return this.#connection; }
  get _mayAutoplay() { return this.#mayAutoplay; }
  get _info() { return this.#info; }

  // Events

  /** Fires an event as a task of its own, unless another source has been chosen meanwhile. */
  _emit(event) {
    const serial = this.#serial;
    queueMicrotask(() => {
      if (serial !== this.#serial) return;
      if (typeof event === "string") this._mark();
      this.dispatchEvent(typeof event === "string" ? new Event(event) : event);
    });
  }

  addEventListener(type, ...rest) {
    super.addEventListener(type, ...rest);
    if (type === "framechange") this._watch();
  }

  /** From now on the host reports each frame. */
  _watch() {
    if (this.#isWatched) return;
    this.#isWatched = true;
    this.#connection?.send("watch");
  }

  get _isWatched() {
    return this.#isWatched;
  }

  // Loading

  /** Forgets the source before, and begins with the present one. */
  load() {
    const wasBusy = this.#networkState === LOADING || this.#networkState === IDLE;
    this._close();
    this.#serial += 1;
    this.#rejectPlays(abortError("Another load began."));
    this.#seek?.reject(abortError("Another load began."));
    if (wasBusy) this._emit("abort");
    if (this.#networkState !== EMPTY) this._emit("emptied");
    const hadTime = this.#readyState > NOTHING && this.currentTime > 0;
    [this.#networkState, this.#readyState, this.#error] = [EMPTY, NOTHING, null];
    [this.#info, this.#details] = [null, null];
    [this.#paused, this.#ended, this.#mayAutoplay, this.#isStarted] = [true, false, true, false];
    [this.#answer, this.#seek, this.#startTime, this.#loops, this.#sent] = [null, null, 0, 0, 0];
    this.#updateTicking();
    if (hadTime) this._emit("timeupdate");
    this.#setRate(this.#defaultRate);
    if (!this._hasSource) return;
    this.#networkState = LOADING;
    this._emit("loadstart");
    if (this.preload === "none" && !this.autoplay) {
      this.#networkState = IDLE;
      this._emit("suspend");
    } else this._open();
  }

  /** What a fresh player is to do at once, where it begins or comes back. */
  _attach(connection) {
    this.#connection = connection;
    this.#sent = 0;
    const time = this.#readyState > NOTHING ? this.#placeOnReturn : this.#startTime;
    if (time > 0) this.#return(time);
    if (this.#seek) this.#seek.ack = this.#send(this.#seek.command, this.#seek.value);
    if (this.#runs) this.#send(COMMANDS.play);
  }

  #placeOnReturn = 0;
  /** The way back to where it was, until the player is there. */
  #returning = null;

  #return(time) {
    this.#returning = { time, frame: this.#answer?.frame, ack: this.#send(COMMANDS.seekInLoop, time * 1000) };
  }

  /** Releases the player; the element keeps what it knows. */
  _close() {
    this.#placeOnReturn = this.#answer ? this.currentTime : 0;
    this.#returning = null;
    if (this.#answer) {
      this.#answer = { ...this.#answer, frame: this.currentFrameIndex, time: this.#placeOnReturn * 1000, state: "paused" };
    }
    this.#connection = null;
    // The seek itself is kept: a player that comes back carries it out.
    if (this._absence) this.#seek?.reject(this._absence);
    this.#updateTicking();
  }

  /** Whether a player that begins now shows the file's first frame first. */
  get _startsAtFirstFrame() {
    return this.#readyState === NOTHING && this.#startTime === 0 && !this.#seek && this.mode !== "reverse" && !this.range;
  }

  get _playerOptions() {
    const plays = this._plays;
    return { rate: this.#rate || 1, mode: this.mode, range: this.range, plays, delays: this.delays, late: this.late,
      flashes: this._flashPolicy };
  }

  /** Takes a message of the host. */
  _receive(message) {
    switch (message.kind) {
      case "info": this.#grow(message); break;
      case "answer": this.#take(message); break;
      case "error": this._fail(message); break;
      case "flashes": this._takeFlashes(message); break;
      case "suspend": this.#suspend(); break;
      // The worker has ended; the element goes on in another one.
      case "lost":
        this._close();
        this._open();
        break;
    }
  }

  #grow({ kind, info, ...details }) {
    const isFirst = this.#readyState === NOTHING;
    if (info.byteCount < this.#info?.byteCount) return;
    const before = this.duration;
    // A loading that has rested goes on.
    if (this.#networkState === IDLE && !this.#info?.isComplete) this.#networkState = LOADING;
    this.#info = info;
    if (info.isComplete) this.#details = details;
    if (isFirst) {
      this._sized(info);
      if (this.#startTime > 0) {
        this._leavePoster();
        this._emit("seeking");
      }
    }
    const ready = readyStateOf(info);
    const steps = ["durationchange", "loadedmetadata", "loadeddata", "canplay", "canplaythrough"];
    if (isFirst) this._emit("durationchange");
    else if (this.duration !== before && !this.#answer) this._emit("durationchange");
    for (; this.#readyState < ready; ) this._emit(steps[(this.#readyState += 1)]);
    if (this.#networkState === LOADING) {
      this._emit("progress");
      if (info.isComplete) this.#suspend();
    }
    this._autoplayIfReady();
  }

  /** Begins by itself where that is wished, allowed, and possible. */
  _autoplayIfReady() {
    const isReady = this.#readyState >= FUTURE && this.#paused;
    if (isReady && this.#mayAutoplay && this.autoplay && this._mayStart) this._startByItself();
  }

  #suspend() {
    if (this.#networkState !== LOADING) return;
    this.#networkState = IDLE;
    this._emit("suspend");
    this._arrived();
  }

  /** Ends all playing, with the reason. */
  _fail(error) {
    const isEarly = this.#readyState === NOTHING;
    const code = isEarly ? UNSUPPORTED : error.code === "unreadable" ? NETWORK : DECODE;
    this.#error = new GallopMediaError(code, error);
    this.#networkState = isEarly ? NO_SOURCE : IDLE;
    this.#seek?.reject(new GallopError(error.code, error));
    this.#seek = null;
    if (this.#answer) {
      const frame = error.shown ?? this.#answer.frame;
      this.#answer = { ...this.#answer, frame, time: this.currentTime * 1000, at: now(), state: "failed" };
    }
    this.#rejectPlays(new DOMException(error.message, "NotSupportedError"));
    this.#updateTicking();
    this._failed();
  }

  // Playing

  #take(message) {
    const before = this.#answer;
    const isCurrent = message.ack >= this.#sent;
    // A player that comes back reads its file again; what was known of the whole file holds.
    const isBehind = before && this.#info?.isComplete && !message.isComplete;
    this.#answer = isBehind ? { ...message, duration: before.duration } : message;
    if (before && before.duration !== this.#answer.duration) this._emit("durationchange");
    if (message.ack >= this.#returning?.ack) {
      this.#returning = null;
      if (this.#startTime > 0) this._emit("seeked");
      this.#startTime = 0;
    }
    for (const event of message.events) this.#announce(event, isCurrent, message.at);
    if (this.#seek && message.ack >= this.#seek.ack) {
      const { resolve, command, value } = this.#seek;
      this.#seek = null;
      if (!this._isSeen) this.#answer = { ...this.#answer, frame: this.#frameSought(command, value) };
      this._emit("timeupdate");
      this._emit("seeked");
      queueMicrotask(resolve);
    }
    if (isCurrent) this.#follow(message, before?.isBuffering === true);
    this.#updateTicking();
  }

  /** The frame that a seek leads to where none is drawn, as the element is not seen. */
  #frameSought(command, value) {
    if (command === COMMANDS.seekToFrame) return value;
    return this.#details ? frameAt(this.#details.delays, this, this.#answer.time) : this.#answer.frame;
  }

  #announce(event, isCurrent, at) {
    if (event.kind === "frame") this._emit(new FrameChangeEvent(event, at - performance.timeOrigin));
    if (event.kind === "loop") {
      this.#loops = event.loops;
      this._emit(new LoopEvent(event));
      this._looped();
    }
    if (event.kind === "finished" && isCurrent) this.#end();
  }

  #end() {
    if (!this.#paused && !this.#isStarted) {
      // One frame is over as it begins; its end comes behind what the page does as it plays.
      this.#begin();
      const serial = this.#serial;
      queueMicrotask(() => serial === this.#serial && this.#end());
      return;
    }
    this.#ended = true;
    this._emit("timeupdate");
    if (!this.#paused) {
      this.#paused = true;
      this.#isStarted = false;
      this._emit("pause");
    }
    this._emit("ended");
    this.#resolvePlays();
  }

  /** Says when playing really begins, and when it waits. */
  #follow({ state, isBuffering }, wasBuffering) {
    if (this.#paused) return;
    const isPlaying = state === "playing" || (this.#rate === 0 && this.#readyState >= FUTURE);
    if (isPlaying && !isBuffering && (!this.#isStarted || wasBuffering)) this.#begin();
    else if (isBuffering && !wasBuffering && this.#isStarted) this._emit("waiting");
  }

  #begin() {
    this.#isStarted = true;
    this._emit("playing");
    this.#resolvePlays();
  }

  /** Plays. The promise is kept when playing begins. */
  play() {
    this._userActs?.();
    if (this.#error) {
      return Promise.reject(new DOMException(this.#error.message, "NotSupportedError"));
    }
    if (this._absence) return Promise.reject(this._absence);
    const promise = new Promise((resolve, reject) => this.#plays.push({ resolve, reject }));
    this._start();
    return promise;
  }

  /** Why nothing plays where the element is in no document; null where it is. */
  get _absence() {
    return this.isConnected ? null
      : new DOMException("The element is in no document.", "InvalidStateError");
  }

  /** Begins to play, at the user's or the element's own wish. */
  _start() {
    this.#mayAutoplay = false;
    if (this.#networkState === EMPTY && this._hasSource) this.load();
    if (this.#paused) {
      // As of media elements, also where a seek has led to the end: that is a nanosecond before it.
      const wasEnded = this.#ended || this.currentTime + 1e-6 > this.duration;
      this.#paused = false;
      this.#ended = false;
      this._emit("play");
      if (this.#readyState < FUTURE) this._emit("waiting");
      if (wasEnded) this.#seekBy(COMMANDS.seekInLoop, 0, 0).catch(() => {});
      if (this.#runs) this.#send(COMMANDS.play);
      else if (this.#answer) this.#follow(this.#answer, false);
    } else if (this.#isStarted) this.#resolvePlays();
    if (!this.#connection) this._open();
  }

  pause() {
    this._userActs?.();
    this._rest();
  }

  /** Stops where it is. */
  _rest() {
    this.#mayAutoplay = false;
    if (this.#paused) return;
    if (this.#answer) this.#answer = { ...this.#answer, time: this.currentTime * 1000, at: now(), state: "paused" };
    this.#paused = true;
    this.#isStarted = false;
    this.#send(COMMANDS.pause);
    this._emit("timeupdate");
    this._emit("pause");
    this.#rejectPlays(abortError("The playing was paused."));
    this.#updateTicking();
  }

  /** Whether time is to run: at a rate of 0 it stands, though nothing is paused. */
  get #runs() {
    return !this.#paused && this.#rate > 0;
  }

  #send(command, a = 0, b = 0) {
    if (this.#connection) this.#sent = this.#connection.command(command, a, b);
    return this.#sent;
  }

  #resolvePlays() {
    const plays = this.#plays.splice(0);
    queueMicrotask(() => plays.forEach(({ resolve }) => resolve()));
  }

  #rejectPlays(error) {
    const plays = this.#plays.splice(0);
    queueMicrotask(() => plays.forEach(({ reject }) => reject(error)));
  }

  #updateTicking() {
    const isRunning = this.#connection !== null && this.#isStarted && !this.#paused && this.#answer?.speed !== 0;
    setTicking(this.#tick, isRunning);
    this._moves(isRunning && !this.#answer?.isBuffering);
  }

  // Places

  get currentTime() {
    if (this.#seek?.time !== undefined) return this.#seek.time;
    if (this.#returning) return this.#returning.time;
    if (!this.#answer) return this.#startTime;
    return timeAt(this.#answer, this.#rate, now());
  }

  set currentTime(value) {
    const seconds = number(value);
    if (this.#readyState === NOTHING) {
      this.#startTime = Math.max(0, seconds);
      if (this.#startTime > 0) this._leaveFirst();
      if (this.#connection) this.#return(this.#startTime);
      else this._open();
    } else this.#seekBy(COMMANDS.seekInLoop, seconds * 1000, Math.min(Math.max(0, seconds), this.duration));
  }

  fastSeek(time) {
    this.currentTime = time;
  }

  /**
   * Shows a frame. The promise is kept when it is shown, or known to the player if the element is not seen. It is
   * rejected with the code `noSuchFrame` if the frame is not played.
   */
  seekToFrame(frame) {
    const index = Math.trunc(Number(frame));
    if (Number.isNaN(index)) return Promise.reject(new TypeError(`${String(frame)} is not the number of a frame.`));
    if (this.#info && !this.#isPlayed(index)) {
      const limit = this.frameCount;
      const message = `There is no frame ${index} in the range ${this.range ?? [0, limit]}.`;
      return Promise.reject(new GallopError("noSuchFrame", { message, value: index, limit }));
    }
    return this.#seekBy(COMMANDS.seekToFrame, index);
  }

  /** Whether a frame is among those played, or may be once more of the image has come. */
  #isPlayed(index) {
    const [first, end] = this.range ?? [0, Infinity];
    return index >= first && index < end && (index < this.frameCount || !this.#info.isComplete);
  }

  /** Pauses, and goes some frames on or back. */
  step(count = 1) {
    this.pause();
    const frames = Math.trunc(Number(count));
    if (!Number.isFinite(frames)) return Promise.reject(new TypeError(`${String(count)} is not a number of frames.`));
    return this.#seekBy(COMMANDS.step, frames);
  }

  #seekBy(command, value, time) {
    if (this._absence || this.#error || !this._hasSource) {
      return Promise.reject(this._absence ?? refusal(this.#error));
    }
    this.#seek?.resolve();
    this._leavePoster();
    this._leaveFirst();
    this.#ended = false;
    this._emit("seeking");
    const promise = new Promise((resolve, reject) => {
      this.#seek = { command, value, ack: this.#send(command, value), time, resolve, reject };
    });
    promise.catch(() => {});
    // What waits until it is needed is needed now.
    if (!this.#connection) this._open();
    return promise;
  }

  /** Holds the time while the user drags; seeks follow each other meanwhile. */
  beginScrubbing() {
    this.#send(COMMANDS.beginScrubbing);
  }

  /** Goes on as before the user's drag. */
  endScrubbing() {
    this.#send(COMMANDS.endScrubbing);
  }

  // What is known

  get networkState() { return this.#networkState; }
  get readyState() { return this.#readyState; }
  get error() { return this.#error; }
  get paused() { return this.#paused; }
  get ended() { return this.#ended; }
  get seeking() { return this.#seek !== null; }

  /** Seconds of one loop as it plays; NaN before it is known. */
  get duration() {
    if (!this.#info) return NaN;
    return (this.#answer?.duration ?? this.#info.duration) / 1000;
  }

  get buffered() { return ranges(this.duration); }
  get seekable() { return ranges(this.duration); }
  get played() { return ranges(this.currentTime); }
  get videoWidth() { return this.#info?.width ?? 0; }
  get videoHeight() { return this.#info?.height ?? 0; }
  get naturalWidth() { return this.videoWidth; }
  get naturalHeight() { return this.videoHeight; }
  get frameCount() { return this.#info?.frameCount ?? 0; }

  /** The frame shown last; -1 before the first. */
  get currentFrameIndex() {
    const { state, frame = -1 } = this.#returning ?? this.#answer ?? {};
    const isCurrent = this.#isWatched || state !== "playing" || frame < 0 || !this._isSeen;
    this._watch();
    if (isCurrent || !this.#details) return frame;
    // Until the host reports each frame, the time says which one is due.
    return frameAt(this.#details.delays, this, this.currentTime * 1000);
  }

  /** Loops that are over. */
  get loopsCompleted() { return this.#loops; }

  /** What the file says of itself; null before its size is known. Comments and applications come with its end. */
  get metadata() {
    if (!this.#info) return null;
    const { comments = [], applications = [] } = this.#details ?? {};
    return { ...this.#info, comments, applications };
  }

  /** The damage found while reading; `check()` finds that of the frames, too. */
  get diagnostics() { return this.#details?.diagnostics ?? []; }

  /** Facts about all frames so far. */
  frames() { return this.#ask("frames"); }

  /** The colours of a frame's palette, or of the global one. */
  palette(frame = -1) { return this.#ask("palette", frame); }

  /** Decodes every frame; returns all damage. */
  check() { return this.#ask("check"); }

  /** A frame at its full size; the present one if no other is named. */
  async captureFrame(frame) {
    const { pixels, width, height } = await this.#ask("capture", ...(frame === undefined ? [] : [frame]));
    return new ImageData(pixels, width, height);
  }

  #ask(question, ...values) {
    return this.#connection?.ask(question, ...values) ?? Promise.reject(refusal(this.#error));
  }

  // Settings

  get playbackRate() { return this.#rate; }

  set playbackRate(value) {
    this.#setRate(rateFrom(value));
  }

  #setRate(next) {
    if (next === this.#rate) return;
    if (this.#answer) this.#answer = { ...this.#answer, time: this.currentTime * 1000, at: now() };
    const before = this.#rate;
    this.#rate = next;
    if (next > 0) this.#send(COMMANDS.rate, next);
    if (!this.#paused && !(before && next)) this.#send(next > 0 ? COMMANDS.play : COMMANDS.pause);
    this._emit("ratechange");
  }

  get defaultPlaybackRate() { return this.#defaultRate; }

  set defaultPlaybackRate(value) {
    this.#defaultRate = rateFrom(value);
    this._emit("ratechange");
  }

  _setMode(mode) {
    this._leaveFirst();
    this.#send(COMMANDS.mode, Math.max(0, MODES.indexOf(mode)));
  }

  _setRange(range) {
    this._leaveFirst();
    this.#send(COMMANDS.range, ...(range ?? [1, 0]));
  }
}

/** A rate that is possible: 0 stands still, all others are clipped. */
function rateFrom(value) {
  const rate = number(value);
  return rate === 0 ? 0 : Math.min(FASTEST, Math.max(SLOWEST, rate));
}

for (const [name, value] of Object.entries(CONSTANTS)) {
  Object.defineProperty(GallopMedia, name, { value, enumerable: true });
  Object.defineProperty(GallopMedia.prototype, name, { value, enumerable: true });
}
