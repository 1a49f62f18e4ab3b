// The owner of the engine: images, players, one clock. It runs in a worker or, as the fallback, in the page.

import { BrowserClock, HALF_REFRESH } from "./clock.js";
import { COMMANDS, Engine, EngineTrap, GallopError } from "./engine.js";
import { isMostlyEmpty, moveImages, trim } from "./memory.js";
import { Painter } from "./painter.js";
import { HostPlayer, SEEKS, WANTING } from "./player.js";
import { detailsOf, plain, QUESTIONS } from "./questions.js";
import { ImageSource, keyOf } from "./source.js";
import { Surface } from "./surface.js";

const MEBIBYTE = 1 << 20;
const DEFAULT_BUDGET = 128 * MEBIBYTE;
// A memory above this size is left for a fresh one when it is mostly empty.
const LARGE_MEMORY = 64 * MEBIBYTE;
const TRIM_INTERVAL = 500;
const IDLE_SLICE = 6;

/** Serves one page: takes messages, carries them out, and posts what happens. */
export class Host {
  #clock;
  #painter = new Painter();
  #post;
  #load;
  #engine = null;
  #starting = null;
  #sources = new Map();
  #players = new Map();
  /** The canvases of closed players whose elements go on with them. */
  #surfaces = new Map();
  #outbox = [];
  #transfers = [];
  #trapped = new Set();
  #isSettling = false;
  #isIdleAsked = false;
  #isHidden = false;
  #isCompacting = false;
  #budget = DEFAULT_BUDGET;
  #largeMemory;
  #limits = {};
  #restarts = 0;
  #trimmedAt = -Infinity;

  /**
   * @param {object} parts
   * @param {() => Promise<WebAssembly.Module>} parts.load
   * @param {(messages: object[], transfers: Transferable[]) => void} parts.post
   * @param {BrowserClock} [parts.clock]
   * @param {number} [parts.largeMemory] bytes of memory that are worth giving back
   */
  constructor({ load, post, clock = new BrowserClock(), largeMemory = LARGE_MEMORY }) {
    this.#load = load;
    this.#post = post;
    this.#clock = clock;
    this.#largeMemory = largeMemory;
    this.#painter.store.limit = this.#budget;
    clock.onWake(() => this.#tick());
  }

  /** Carries out one message of the page. */
  receive(message) {
    const player = this.#players.get(message.id);
    switch (message.op) {
      case "configure": this.#configure(message); break;
      case "open": this.#open(message); break;
      case "page": this.#hide(message.isHidden); break;
      case "ask": this.#ask(player, message); break;
      // A message may come after its player's end.
      case "close": this.#close(player, message); break;
      default: if (player) this.#direct(player, message);
    }
    this.#settleSoon();
  }

  #direct(player, message) {
    switch (message.op) {
      case "command": this.#command(player, message); break;
      case "options": this.#reopen(player, message.options); break;
      case "box": this.#resize(player, message.box); break;
      case "see":
        player.isVisible = message.isVisible;
        this.#see(player);
        break;
      case "watch": player.isWatched = true; break;
      case "want": this.#want(player); break;
    }
  }

  #configure({ budget, limits }) {
    if (budget > 0) this.#budget = budget;
    if (limits) this.#limits = limits;
    this.#trim();
  }

  // The engine

  /** The engine, started once for all callers. */
  async #ready() {
    if (this.#engine) return this.#engine;
    const starting = (this.#starting ??= this.#load().then((module) => Engine.create(module)));
    try {
      const engine = await starting;
      if (this.#starting === starting) this.#engine = engine;
      return this.#engine ?? this.#ready();
    } catch (error) {
      this.#starting = null;
      throw error;
    }
  }

  /** Does work for one image. An error fails that image alone; a trap moves all others to a fresh engine. */
  #attempt(source, work) {
    if (!this.#engine || source.error) return undefined;
    try {
      return work(this.#engine);
    } catch (error) {
      if (error instanceof EngineTrap) this.#renew(source);
      this.#fail(source, error);
      return undefined;
    }
  }

  #renew(culprit) {
    this.#restarts += 1;
    this.#trapped.add(culprit.key);
    this.#engine = this.#starting = null;
    for (const source of this.#sources.values()) {
      source.stop();
      source.image = 0;
      source.info = null;
      this.#painter.store.evict(source);
      for (const player of source.players) player.leave();
      if (source !== culprit && !source.error) this.#read(source, "force-cache");
    }
  }

  #fail(source, error) {
    if (source.error) return;
    const known = error instanceof GallopError ? error : new GallopError("internal", { message: String(error) });
    source.error = known;
    source.stop();
    this.#release(source);
    for (const player of source.players) this.#report(player, { kind: "error", ...plain(known) });
  }

  /** Takes an image and its players out of the engine. */
  #release(source) {
    const engine = this.#engine;
    for (const player of source.players) {
      if (engine && player.handle) engine.releasePlayer(player.handle);
      player.leave();
    }
    if (engine && source.image) engine.releaseImage(source.image);
    source.image = 0;
    source.held = null;
    this.#painter.store.evict(source);
  }

  // Images

  #open({ id, request, canvas, canvasOf, ...rest }) {
    const key = keyOf(request, id);
    const isNew = !this.#sources.has(key);
    if (isNew) this.#sources.set(key, new ImageSource(key, request));
    const source = this.#sources.get(key);
    const player = new HostPlayer(id, source, rest);
    if (canvas) player.surface = new Surface(canvas);
    else if (canvasOf) player.surface = this.#surfaces.get(canvasOf);
    this.#surfaces.delete(canvasOf);
    source.players.add(player);
    this.#players.set(id, player);
    if (isNew) this.#read(source);
    else if (source.error) this.#report(player, { kind: "error", ...plain(source.error) });
    else if (source.info) {
      this.#report(player, this.#infoMessage(player));
      this.#begin(player);
      source.resume();
    }
  }

  #close(player, { id, isCanvasKept }) {
    this.#leaveCanvas(id, player?.surface ?? this.#surfaces.get(id), isCanvasKept);
    if (!player) return;
    const { source } = player;
    this.#players.delete(player.id);
    source.players.delete(player);
    if (player.handle) this.#engine?.releasePlayer(player.handle);
    player.handle = 0;
    if (source.players.size > 0) return;
    source.stop();
    this.#release(source);
    this.#sources.delete(source.key);
    this.#painter.store.retry();
    this.#shrink();
  }

  /** A canvas either waits for the next player of its element, or gives its memory back. */
  #leaveCanvas(id, surface, isKept) {
    this.#surfaces.delete(id);
    if (!surface) return;
    if (isKept) this.#surfaces.set(id, surface.clear());
    else surface.release();
  }

  /** Reads an image to its end; players begin with the first bytes that give a size. */
  async #read(source, cache) {
    const pieces = source.pieces(cache);
    // The file and the engine are fetched at the same time.
    const start = pieces.next();
    const { abort } = source;
    try {
      const [first] = await Promise.all([start, this.#ready()]);
      if (abort.signal.aborted) return;
      if (this.#trapped.has(source.key)) throw new GallopError("engineTrap");
      source.image = this.#engine.openImage(this.#limits);
      for (let piece = first; !piece.done; piece = await pieces.next()) {
        if (abort.signal.aborted) return;
        this.#take(source, (engine) => engine.append(source.image, piece.value));
        if (!source.isWanted) {
          for (const player of source.players) this.#report(player, { kind: "suspend" });
          await source.whenWanted();
        }
      }
      if (abort.signal.aborted) return;
      this.#take(source, (engine) => {
        engine.finish(source.image);
        source.held = engine.heldFile(source.image);
      });
    } catch (error) {
      if (!abort.signal.aborted) this.#fail(source, error);
    } finally {
      pieces.return();
      this.#settleSoon();
    }
  }

  /** Lets an image grow, and its players with it. */
  #take(source, grow) {
    this.#attempt(source, (engine) => {
      grow(engine);
      source.info = engine.info(source.image);
    });
    if (!source.info) return;
    for (const player of source.players) this.#report(player, this.#infoMessage(player));
    for (const player of source.players) {
      if (player.handle) this.#perform(player, COMMANDS.grow, source.isComplete ? 1 : 0, 0, true);
      else this.#begin(player);
      // An order of frames that becomes known takes the poster away that is not shown yet.
      if (player.frame < 0 && player.answer?.state === "stopped") this.#perform(player, COMMANDS.poster, player.first);
      if (player.handle && player.target) this.#carryOut(player, player.target);
    }
  }

  #infoMessage({ source, options }) {
    const message = { kind: "info", info: source.info };
    if (!source.isComplete) return message;
    const details = this.#attempt(source, (engine) => detailsOf(engine, source.image, options.delays));
    return { ...message, ...details };
  }

  // Players

  #begin(player) {
    const { source } = player;
    if (player.handle || !player.canBegin(source.info)) return;
    this.#attempt(source, (engine) => {
      player.handle = engine.openPlayer(source.image, { ...player.options, isComplete: source.isComplete });
    });
    if (!player.handle) return;
    for (const command of player.opening(this.#isSeen(player))) this.#perform(player, ...command);
    for (const order of player.waiting.splice(0)) this.#carryOut(player, order);
    if (player.answer) this.#report(player, this.#answerMessage(player, []));
  }

  #command(player, { command, a = 0, b = 0, ack }) {
    player.note(command, a, b);
    if (WANTING.includes(command)) this.#want(player);
    const order = { command, a, b, ack };
    if (player.handle) this.#carryOut(player, order);
    else player.waiting.push(order);
  }

  /** From now on the player needs its whole file. */
  #want(player) {
    player.isLazy = false;
    player.source.resume();
  }

  #carryOut(player, order) {
    const { command, a, b, ack } = order;
    player.ack = Math.max(player.ack, ack);
    if (SEEKS.includes(command)) player.target = player.mustWait(order) ? order : null;
    if (player.target !== order) this.#perform(player, command, a, b, true);
  }

  /** Takes settings that a player has from its beginning. */
  #reopen(player, options) {
    Object.assign(player.options, options);
    if (!player.handle) return;
    this.#attempt(player.source, (engine) => engine.releasePlayer(player.handle));
    player.leave();
    this.#begin(player);
    if (player.source.info) this.#report(player, this.#infoMessage(player));
  }

  #perform(player, command, a = 0, b = 0, mustReport = false, at = this.#clock.now()) {
    if (!player.handle) return;
    const answer = this.#attempt(player.source, (engine) => engine.perform(player.handle, command, a, b, at));
    if (!answer) return;
    player.answer = answer;
    player.at = at;
    const { events } = answer;
    if (answer.state === "failed") {
      this.#fail(player.source, new GallopError("noFrames"));
      return;
    }
    const shown = events.findLast(({ kind }) => kind === "frame");
    if (shown) {
      player.frame = shown.frame;
      this.#draw(player);
    }
    if (player.handle && (mustReport || events.some((event) => player.isWatched || matters(event)))) {
      this.#report(player, this.#answerMessage(player, events));
    }
  }

  #answerMessage({ answer, done, at, frame }, events) {
    const { state, time, duration, isBuffering } = answer;
    return { kind: "answer", ack: done, at: this.#clock.origin + at, state, time, duration, isBuffering, frame, events };
  }

  #isSeen(player) {
    return player.isVisible && !this.#isHidden;
  }

  #see(player) {
    const isSeen = this.#isSeen(player);
    // What comes into sight shows a frame that the page does not know yet.
    this.#perform(player, COMMANDS.visibility, isSeen ? 2 : 0, 0, isSeen);
  }

  #hide(isHidden) {
    this.#isHidden = isHidden;
    for (const player of this.#players.values()) this.#see(player);
  }

  // Drawing

  #draw(player) {
    this.#attempt(player.source, (engine) => {
      try {
        this.#painter.draw(engine, player);
      } catch (error) {
        if (error.code !== "outOfMemory") throw error;
        // Renderers can be made again; without memory nothing can be drawn.
        for (const other of this.#sources.values()) if (other.image) engine.evict(other.image, 0);
        this.#painter.draw(engine, player);
      }
    });
  }

  #resize(player, box) {
    if (!player.source.info || !player.handle || player.frame < 0) player.box = box;
    else this.#attempt(player.source, (engine) => this.#painter.resize(engine, player, box));
  }

  /** Draws the next frames ahead, the most urgent one first, until something else is to be done. */
  #prepare(deadline) {
    this.#isIdleAsked = false;
    const due = this.#awaited();
    for (const [index, player] of due.entries()) {
      if (index > 0 && this.#clock.now() >= deadline) break;
      this.#attempt(player.source, (engine) => this.#painter.prepare(engine, player));
      // A trap or a failure changes the list.
      if (!player.handle) break;
      player.answer.next = -1;
    }
    this.#settleSoon();
  }

  #awaited() {
    const wants = (player) => player.handle && this.#isSeen(player) && this.#painter.mustPrepare(player);
    return [...this.#players.values()].filter(wants).sort((one, other) => one.answer.wakeAt - other.answer.wakeAt);
  }

  // Time

  #tick() {
    const now = this.#clock.now();
    for (const player of this.#players.values()) {
      const { wakeAt = Infinity } = player.answer ?? {};
      if (wakeAt <= now + HALF_REFRESH) this.#perform(player, COMMANDS.look, 0, 0, false, Math.max(now, wakeAt));
    }
    if (now - this.#trimmedAt >= TRIM_INTERVAL) this.#trim();
    this.#settle();
  }

  #settleSoon() {
    if (this.#isSettling) return;
    this.#isSettling = true;
    queueMicrotask(() => this.#settle());
  }

  /** Posts what has happened, and asks for the next wake-up and for idle time. */
  #settle() {
    this.#isSettling = false;
    if (this.#outbox.length) this.#post(this.#outbox.splice(0), this.#transfers.splice(0));
    let at = Infinity;
    let isSeen = false;
    for (const player of this.#players.values()) {
      if (!player.answer) continue;
      at = Math.min(at, player.answer.wakeAt);
      isSeen ||= this.#isSeen(player);
    }
    this.#clock.wake(at, isSeen);
    if (this.#isIdleAsked || !this.#awaited().length) return;
    this.#isIdleAsked = true;
    this.#clock.idle((deadline) => this.#prepare(deadline), Math.min(at, this.#clock.now() + IDLE_SLICE));
  }

  #report(player, message) {
    this.#outbox.push({ id: player.id, ...message });
    this.#settleSoon();
  }

  // Memory

  #trim() {
    this.#trimmedAt = this.#clock.now();
    if (!this.#engine) return;
    const isSeen = (player) => this.#isSeen(player);
    trim(this.#engine, this.#painter.store, this.#sources.values(), { budget: this.#budget, isSeen });
  }

  /** Gives memory back that no image needs: an instance keeps what it once had. */
  #shrink() {
    const engine = this.#engine;
    if (!engine || engine.memoryBytes < this.#largeMemory) return;
    if (this.#sources.size === 0) {
      this.#engine = this.#starting = null;
      return;
    }
    if (isMostlyEmpty(engine)) this.#compact();
  }

  /** Moves all images to a fresh engine, if all of them are complete. */
  async #compact() {
    if (this.#isCompacting) return;
    this.#isCompacting = true;
    try {
      const old = this.#engine;
      const engine = await Engine.create(await this.#load());
      const sources = [...this.#sources.values()].filter(({ error }) => !error);
      if (this.#engine !== old || !sources.every(({ held }) => held)) return;
      moveImages(engine, sources, this.#limits);
      this.#engine = engine;
      for (const player of this.#players.values()) this.#begin(player);
      this.#settleSoon();
    } catch {
      // The old engine goes on with all it has.
    } finally {
      this.#isCompacting = false;
    }
  }

  // Questions

  async #ask(player, { ticket, question, values = [] }) {
    let reply;
    try {
      if (question === "statistics") reply = { value: await this.#statistics() };
      else if (!player?.source.image || !this.#engine) throw new GallopError("notLoaded");
      else {
        let failure;
        const value = this.#attempt(player.source, (engine) => {
          try {
            return QUESTIONS[question](engine, player, values);
          } catch (error) {
            // A question about a frame that is not there harms no image.
            if (error instanceof EngineTrap) throw error;
            failure = error;
          }
        });
        if (failure ?? player.source.error) throw failure ?? player.source.error;
        reply = { value };
        if (value?.pixels) this.#transfers.push(value.pixels.buffer);
      }
    } catch (error) {
      reply = { error: plain(error) };
    }
    this.#outbox.push({ kind: "reply", ticket, ...reply });
    this.#settleSoon();
  }

  async #statistics() {
    const none = { images: 0, players: 0, renderers: 0, canvasBytes: 0, compressedBytes: 0, decodes: 0, memoryBytes: 0 };
    const figures = this.#engine?.statistics() ?? none;
    return { ...figures, storedBytes: this.#painter.store.byteCount, elements: this.#players.size, budget: this.#budget, restarts: this.#restarts };
  }
}

/** Whether the page must know of an event although it does not watch the frames. */
function matters({ kind, cause }) {
  return kind !== "frame" || (cause !== "play" && cause !== "loop");
}
