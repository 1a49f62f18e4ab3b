// The players of one page on one clock. It runs in a worker or, as the fallback, in the page.

import { BrowserClock, HALF_REFRESH } from "./clock.js";
import { COMMANDS } from "./engine.js";
import { engineError } from "./errors.js";
import { loadFlashes } from "./flashes-loader.js";
import { Images } from "./images.js";
import { mayHold } from "./motion.js";
import { Painter } from "./painter.js";
import { HIDDEN, HostPlayer, LIMITS, SEEKS, VISIBLE, WANTING } from "./player.js";
import { answerTo, detailsOf, plain } from "./questions.js";
import { keyOf } from "./source.js";
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
  #images;
  #post;
  #players = new Map();
  /** The canvases of closed players whose elements go on with them. */
  #surfaces = new Map();
  #outbox = [];
  #transfers = [];
  #isSettling = false;
  #isIdleAsked = false;
  #isHidden = false;
  #budget = DEFAULT_BUDGET;
  /** What decides on flashes, once a player asks for it; and where its module is. */
  #guards = null;
  #flashes;
  #trimmedAt = -Infinity;

  /**
   * @param {object} parts
   * @param {() => Promise<WebAssembly.Module>} parts.load
   * @param {(messages: object[], transfers: Transferable[]) => void} parts.post
   * @param {BrowserClock} [parts.clock]
   * @param {number} [parts.largeMemory] bytes of memory that are worth giving back
   */
  constructor({ load, post, clock = new BrowserClock(), largeMemory = LARGE_MEMORY }) {
    this.#post = post;
    this.#clock = clock;
    const { store } = this.#painter;
    store.limit = this.#budget;
    this.#images = new Images({ load, store, largeMemory, observer: {
      grown: (source) => this.#grow(source),
      failed: (source) => this.#fail(source),
      waits: (source) => this.#reportAll(source, { kind: "suspend" }),
      moved: () => {
        for (const player of this.#players.values()) this.#begin(player);
        this.#settleSoon();
      },
      settle: () => this.#settleSoon(),
    } });
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
      case "answer": this.#images.hand(message); break;
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
      case "flashes": this.#guard(player, message.policy); break;
      case "watch": player.isWatched = true; break;
      case "want": this.#want(player); break;
    }
  }

  #configure({ budget, limits, flashes }) {
    if (budget > 0) this.#budget = budget;
    this.#flashes ??= flashes;
    if (limits) this.#images.limit(limits);
    this.#trim();
  }

  // Players

  #open({ id, request, canvas, canvasOf, isFresh, ...rest }) {
    const key = keyOf(request, id);
    const known = this.#images.find(key, isFresh);
    const source = known ?? this.#images.add(key, request);
    const player = new HostPlayer(id, source, rest);
    if (canvas) player.surface = new Surface(canvas);
    else if (canvasOf) player.surface = this.#surfaces.get(canvasOf);
    this.#surfaces.delete(canvasOf);
    source.players.add(player);
    this.#players.set(id, player);
    if (!known) this.#images.read(source);
    else if (source.info) {
      this.#report(player, this.#infoMessage(player));
      this.#begin(player);
      source.resume();
      this.#reportRest(player);
    }
  }

  #close(player, { id, isCanvasKept }) {
    this.#leaveCanvas(id, player?.surface ?? this.#surfaces.get(id), isCanvasKept);
    if (!player) return;
    const { source } = player;
    this.#players.delete(player.id);
    source.players.delete(player);
    if (player.handle) this.#images.engine?.releasePlayer(player.handle);
    player.handle = 0;
    player.guard?.release();
    if (source.players.size === 0) this.#images.leave(source);
  }

  /** A canvas either waits for the next player of its element, or gives its memory back. */
  #leaveCanvas(id, surface, isKept) {
    this.#surfaces.delete(id);
    if (!surface) return;
    if (isKept) this.#surfaces.set(id, surface.clear());
    else surface.release();
  }

  /** Lets the players of an image go on with what it has now. */
  #grow(source) {
    for (const player of source.players) this.#report(player, this.#infoMessage(player));
    for (const player of source.players) {
      if (player.handle) this.#perform(player, COMMANDS.grow, source.isComplete ? 1 : 0, 0, true);
      else this.#begin(player);
      if (player.handle && player.target) this.#carryOut(player, player.target);
      if (player.handle && !player.target) this.#carryOutWaiting(player);
    }
  }

  #infoMessage({ source, options }) {
    const message = { kind: "info", info: source.info };
    if (!source.isComplete) return message;
    const details = this.#images.attempt(source, (engine) => detailsOf(engine, source.image, options.delays));
    return { ...message, ...details };
  }

  #begin(player) {
    const { source } = player;
    if (player.handle || !player.canBegin(source.info)) return;
    if (player.options.flashes && !player.guard && !player.isHeld) {
      if (!player.isAsking) this.#guard(player, player.options.flashes);
      return;
    }
    this.#images.attempt(source, (engine) => {
      player.handle = engine.openPlayer(source.image, { ...player.options, isComplete: source.isComplete });
    });
    if (!player.handle) return;
    if (player.isHeld || !this.#isSeen(player)) this.#decide(player);
    for (const command of player.opening(this.#isSeen(player))) this.#perform(player, ...command);
    this.#carryOutWaiting(player);
    if (player.answer) this.#report(player, this.#answerMessage(player, []));
  }

  /** Lets the verdict on a player's flashes decide on its motion. */
  async #guard(player, policy) {
    player.options.flashes = policy;
    player.isAsking = true;
    // What plays already stands until something decides.
    if (player.handle && !player.guard && mayHold(policy)) this.#perform(player, COMMANDS.motion, LIMITS.still, 0, true);
    const guards = await (this.#guards ??= this.#loadGuards()).catch(() => null);
    player.isAsking = false;
    if (!this.#players.has(player.id)) return;
    const { flashes } = player.options;
    // What nothing can judge shows its first frame.
    player.isHeld = !guards && mayHold(flashes);
    if (guards) guards.protect(player, flashes);
    else {
      this.#guards = null;
      if (!player.isHeld) player.options.flashes = undefined;
      this.#report(player, { kind: "flashes", state: player.isHeld ? "held" : "unjudged", rate: null, report: null });
    }
    if (player.handle) this.#decide(player);
    else this.#begin(player);
  }

  async #loadGuards() {
    const { Guards } = await loadFlashes();
    const report = (player, state) => this.#report(player, { kind: "flashes", ...state });
    const guards = new Guards({ wasm: this.#flashes, decide: (player) => this.#decide(player), report,
      isSeen: (player) => this.#isSeen(player), limits: this.#images.limits });
    // Without its module what is to be held is held; the next player tries again.
    if (!(await guards.start())) this.#guards = null;
    return guards;
  }

  /** Has a player follow what is decided about its motion now: the time of what is not seen stands. */
  #decide(player) {
    const stands = player.isHeld || !this.#isSeen(player);
    this.#perform(player, COMMANDS.motion, stands ? LIMITS.still : LIMITS.none, 0, true);
    this.#settleSoon();
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
    // A step leads on from where the seek before it leads.
    if (command === COMMANDS.step && player.target && player.target !== order) {
      player.waiting.push(order);
      return;
    }
    player.ack = Math.max(player.ack, ack);
    if (SEEKS.includes(command)) player.target = player.mustWait(order) ? order : null;
    if (player.target !== order) this.#perform(player, command, a, b, true);
  }

  #carryOutWaiting(player) {
    for (const order of player.waiting.splice(0)) this.#carryOut(player, order);
  }

  /** Takes settings that a player has from its beginning. */
  #reopen(player, options) {
    Object.assign(player.options, options);
    if (!player.handle) return;
    this.#images.attempt(player.source, (engine) => engine.releasePlayer(player.handle));
    player.leave();
    this.#begin(player);
    if (!player.source.info) return;
    this.#report(player, this.#infoMessage(player));
    this.#reportRest(player);
  }

  /** Says that a file waits until more of it is wanted. */
  #reportRest(player) {
    if (!player.source.isWanted) this.#report(player, { kind: "suspend" });
  }

  #perform(player, command, a = 0, b = 0, mustReport = false, at = this.#clock.now()) {
    if (!player.handle) return;
    const answer = this.#images.attempt(player.source, (engine) => (player.guard
      ? player.guard.perform(engine, player, command, a, b, at) : engine.perform(player.handle, command, a, b, at)));
    if (!answer) return;
    if (player.isHeld) answer.isBuffering = true;
    player.answer = answer;
    player.at = at;
    const { events } = answer;
    if (answer.state === "failed") {
      this.#images.fail(player.source, engineError("noFrames"));
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

  #answerMessage(player, events) {
    const { answer, done, at, frame, source } = player;
    const { state, time, duration, isBuffering, speed } = answer;
    return { kind: "answer", ack: done, at: this.#clock.origin + at, state, time, duration, isBuffering, frame, events,
      speed: this.#isSeen(player) ? speed : 0, isComplete: source.isComplete };
  }

  #isSeen(player) {
    return player.isVisible && !this.#isHidden;
  }

  #see(player) {
    this.#perform(player, COMMANDS.visibility, this.#isSeen(player) ? VISIBLE : HIDDEN, 0, true);
    this.#decide(player);
  }

  #hide(isHidden) {
    this.#isHidden = isHidden;
    for (const player of this.#players.values()) this.#see(player);
  }

  // Drawing

  #draw(player) {
    this.#images.attempt(player.source, (engine) => {
      try {
        this.#painter.draw(engine, player);
      } catch (error) {
        if (error.code !== "outOfMemory") throw error;
        this.#images.evictRenderers();
        this.#painter.draw(engine, player);
      }
    });
  }

  #resize(player, box) {
    if (!player.source.info || !player.handle || player.frame < 0) player.box = box;
    else this.#images.attempt(player.source, (engine) => this.#painter.resize(engine, player, box));
    if (player.guard) this.#decide(player);
  }

  /** Draws the next frames ahead, the most urgent one first, until something else is to be done. */
  #prepare(deadline) {
    this.#isIdleAsked = false;
    const due = this.#awaited();
    for (const [index, player] of due.entries()) {
      if (index > 0 && this.#clock.now() >= deadline) break;
      this.#images.attempt(player.source, (engine) => this.#painter.prepare(engine, player));
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
      if (wakeAt <= now + HALF_REFRESH) this.#perform(player, COMMANDS.tick, 0, 0, false, Math.max(now, wakeAt));
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

  #fail({ players, error }) {
    for (const player of players) this.#report(player, { kind: "error", ...plain(error), shown: player.frame });
  }

  #reportAll({ players }, message) {
    for (const player of players) this.#report(player, message);
  }

  #report(player, message) {
    this.#outbox.push({ id: player.id, ...message });
    this.#settleSoon();
  }

  #trim() {
    this.#trimmedAt = this.#clock.now();
    this.#images.trim({ budget: this.#budget, isSeen: (player) => this.#isSeen(player) });
  }

  // Questions

  #ask(player, { ticket, question, values }) {
    const reply = question === "statistics" ? { value: this.#statistics() }
      : answerTo(question, this.#images, player, values);
    if (reply.value?.pixels) this.#transfers.push(reply.value.pixels.buffer);
    this.#outbox.push({ kind: "reply", ticket, ...reply });
    this.#settleSoon();
  }

  #statistics() {
    return { ...this.#images.statistics(), elements: this.#players.size, budget: this.#budget };
  }
}

/** Whether the page must know of an event although it does not watch the frames. */
function matters({ kind, cause }) {
  return kind !== "frame" || (cause !== "play" && cause !== "loop");
}
