// Whether a GIF flashes more than WCAG 2.2 allows, and what a player does about it. Loaded where a page asks for either.

import { judgeIn } from "./judge.js";
import { compileModule } from "./module.js";
import { passBytes } from "./pass-bytes.js";
import { LIMITS } from "./player.js";
import { COMMANDS, MODES } from "./protocol.js";

const FLASH_POLICIES = ["allow", "warn", "hold", "slow"];
const FLASH_STATES = ["unjudged", "judging", "passes", "warned", "slowed", "held"];
const RESULTS = ["passes", "fails", "unknown"];
const REPORT_NUMBERS = 16;
/** Stands for a field that is full of GIFs; from 10 on it counts as full. */
const FULL = -1;
const SHARING_STEPS = [1, 2, 4, 9];
/** Verdicts that are kept of a GIF: a window that is resized has many sizes. */
const MOST_VERDICTS = 32;

let shared;
let place;
let beside;

/** Names another place for flashes.wasm than beside this file. It counts before the first question. */
export function useFlashes(wasm) {
  [place, shared] = [wasm, undefined];
}

/** Says where a bundler has put the module. */
export function findBeside(url) {
  beside = url;
}

function compiled() {
  return (shared ??= compile().catch((error) => {
    shared = undefined;
    throw error;
  }));
}

async function compile() {
  const source = place ?? beside ?? new URL("./flashes.wasm", import.meta.url);
  if (source.protocol !== "file:" || !globalThis.process?.versions?.node) return compileModule(source);
  // Bundlers for browsers look for names of modules.
  const files = "node:fs/promises";
  const { readFile } = await import(/* webpackIgnore: true */ /* @vite-ignore */ files);
  return compileModule(await readFile(source));
}

/** An instance of flashes.wasm. */
class Instance {
  constructor(module) {
    this.exports = new WebAssembly.Instance(module, {}).exports;
    this.exports._initialize();
  }

  // The memory may have grown in the call before.
  numbers(count) {
    return new Float64Array(this.exports.memory.buffer, this.exports.flashes_numbers(), count);
  }

  /** Begins a GIF with the limits of its player; 0 stands for the engine's own. */
  open({ streamBytes = 0, canvasPixels = 0, frames = 0, decodedBytes = 0, totalPixels = 0 } = {}) {
    const [secret] = crypto.getRandomValues(new Uint32Array(1));
    this.exports.flashes_open(streamBytes, canvasPixels, frames, decodedBytes, totalPixels, secret);
  }

  append(bytes) {
    const { memory, flashes_room: makeRoom, flashes_append: take } = this.exports;
    passBytes(memory, bytes, makeRoom, take);
  }
}

/**
 * Judges a GIF.
 * @param {WebAssembly.Module} module
 * @param {Uint8Array} bytes
 * @param {number[]} seen how it is seen, as `numbersOf` gives it
 * @param {object} [limits] those by which its player reads it
 * @returns {Float64Array | null} the verdict's numbers; null for what cannot be judged
 */
export function judge(module, bytes, seen, limits) {
  try {
    const instance = new Instance(module);
    instance.open(limits);
    instance.append(bytes);
    instance.numbers(seen.length).set(seen);
    const count = instance.exports.flashes_judge();
    return count > 0 ? instance.numbers(count).slice() : null;
  } catch {
    return null;
  }
}

/** How a GIF is seen, in the order of FlashNumbers.swift. */
function numbersOf({ size, rate, delays, mode, range, sharers, info, isPlayed = false }) {
  const [first, end] = range ?? [0, 0];
  return [size.width, size.height, rate, delays === "encoded" ? 1 : 0, Math.max(0, MODES.indexOf(mode)), first, end,
    sharers, info.width, info.height, info.frameCount, info.isComplete ? 1 : 0,
    isPlayed ? 1 : 0];
}

/** A verdict for the page. */
function reportOf(numbers) {
  const known = (value) => (Number.isNaN(value) ? null : value);
  const peak = (start) => (Number.isNaN(numbers[start]) ? null : {
    perSecond: numbers[start], fromMs: numbers[start + 1], frames: [numbers[start + 2], numbers[start + 3]],
    fieldShare: numbers[start + 4],
  });
  return {
    result: RESULTS[numbers[0]], general: peak(1), red: peak(6), safeRate: known(numbers[11]),
    safeSize: known(numbers[12]) && [numbers[12], numbers[13]], decoded: numbers[14] === 1,
    failsOnlyBesideOthers: numbers[15] === 1,
  };
}

/**
 * Judges the file of a GIF; null if it cannot be judged.
 * @param {Uint8Array} bytes
 * @param {object} info of the image
 * @param {object} [options] as of a GIF's `flashes`, but for a `size`
 * @param {{worker?: Worker, limits?: object}} [where] where it is judged, in the thread that asks if absent; and by which limits
 */
export async function flashesOf(bytes, info, options = {}, { worker, limits } = {}) {
  const { size = info, rate = 1, delays = "browser", mode = "forward", range, sharesField = false } = options;
  if (!(rate >= 0.05 && rate <= 20)) throw new RangeError(`A rate is a number from 0.05 to 20, not ${String(rate)}.`);
  const seen = numbersOf({ size, rate, delays, mode, range, sharers: sharesField ? FULL : 0, info });
  const module = await compiled();
  const here = () => judge(module, bytes, seen, limits);
  const verdict = worker ? await judgeIn(worker, { module, bytes: bytes.slice(), seen, limits }).catch(here) : here();
  return verdict && reportOf(verdict);
}

// Players

/** Judges for the players of a host, each content once. */
class Judge {
  #module;
  #limits;
  /** No worker judges where the engine itself is in the page. */
  #hasWorkers = Boolean(globalThis.WorkerGlobalScope);
  /** Of each source, by how it is seen. @type {WeakMap<object, Map<string, Float64Array>>} */
  #known = new WeakMap();
  /** The first one is being judged. @type {{source: object, seen: number[], askers: object[]}[]} */
  #jobs = [];

  constructor(module, limits) {
    this.#module = module;
    this.#limits = limits;
  }

  /** Has a source judged; `isWaiting` says whether the verdict is still wanted. */
  ask(source, seen, isWaiting, answer) {
    const known = this.#known.get(source);
    if (known?.has(`${seen}`)) {
      const numbers = known.get(`${seen}`);
      // Another question may come before the answer.
      queueMicrotask(() => isWaiting() && answer(numbers));
      return;
    }
    const same = this.#jobs.find((job) => job.source === source && `${job.seen}` === `${seen}`);
    if (same) same.askers.push({ isWaiting, answer });
    else this.#jobs.push({ source, seen, askers: [{ isWaiting, answer }] });
    const current = this.#jobs[0];
    this.#dropUnwanted();
    if (this.#jobs[0] !== current || (this.#jobs.length === 1 && !same)) this.#begin();
  }

  #keep({ source, seen }, numbers) {
    // What could not be judged, as for want of memory, may be asked for again.
    if (!numbers) return;
    const known = this.#known.get(source) ?? new Map();
    this.#known.set(source, known.set(`${seen}`, numbers));
    if (known.size > MOST_VERDICTS) known.delete(known.keys().next().value);
  }

  /** Ends what is not wanted any more, so that others need not wait for it. */
  #dropUnwanted() {
    const current = this.#jobs[0];
    this.#jobs = this.#jobs.filter(({ askers }) => askers.some(({ isWaiting }) => isWaiting()));
    if (this.#jobs[0] === current) return;
    if (this.#hasWorkers) postToPage({});
  }

  async #begin() {
    const job = this.#jobs[0];
    if (!job) return;
    const numbers = await this.#judged(job);
    if (this.#jobs[0] !== job) return;
    this.#jobs.shift();
    this.#keep(job, numbers);
    this.#dropUnwanted();
    this.#begin();
    for (const { isWaiting, answer } of job.askers) if (isWaiting()) answer(numbers);
  }

  /** In a worker of its own, so that no frame waits; where there can be none, here. */
  async #judged({ source, seen }) {
    // A source that has failed meanwhile has no bytes.
    if (!source.held) return null;
    const job = { module: this.#module, seen, limits: this.#limits };
    if (this.#hasWorkers) {
      const numbers = await judgeAtPage({ ...job, bytes: source.held() });
      if (numbers !== undefined) return numbers;
      this.#hasWorkers = false;
    }
    await new Promise((resolve) => setTimeout(resolve));
    const bytes = source.held?.();
    return bytes ? judge(job.module, bytes, seen, job.limits) : null;
  }
}

/** Has the page's worker judge; undefined if it has none. A worker that is ended never answers. */
function judgeAtPage(job) {
  const { port1, port2 } = new MessageChannel();
  return new Promise((resolve) => {
    port1.onmessage = ({ data }) => {
      port1.close();
      resolve(data);
    };
    postToPage({ job, port: port2 }, [port2, job.bytes.buffer]);
  });
}

function postToPage(message, transfers = []) {
  globalThis.postMessage([{ kind: "judge", ...message }], transfers);
}

/** Decides on the motion of a host's players. */
export class Guards {
  #parts;
  #instance = null;
  #judge = null;
  #guarded = new Set();
  #count = 0;

  /**
   * @param {object} parts
   * @param {unknown} parts.wasm another place of flashes.wasm
   * @param {(player: object) => void} parts.decide has a player follow a decision
   * @param {(player: object) => boolean} parts.isSeen
   * @param {(player: object, state: object) => void} parts.report tells the page
   */
  constructor(parts) {
    this.#parts = parts;
  }

  /** Compiles what decides; without it nothing that is to be held moves. Returns whether it is there. */
  async start() {
    if (this.#parts.wasm) useFlashes(this.#parts.wasm);
    const module = await compiled().catch(() => null);
    if (!module) return false;
    this.#instance = new Instance(module);
    this.#judge = new Judge(module, this.#parts.limits);
    return true;
  }

  /** Sets a player's policy. */
  protect(player, policy) {
    const number = FLASH_POLICIES.indexOf(policy);
    if (player.guard) player.guard.set(number);
    else player.guard = new Guard({ ...this.#parts, instance: this.#instance, judge: this.#judge, guards: this }, number);
    this.#guarded.add(player.guard);
    this.#share();
  }

  leave(guard) {
    this.#guarded.delete(guard);
    this.#share();
  }

  /** All of them count together, as the most that were there: a list that scrolls has now more, now fewer. */
  #share() {
    const count = SHARING_STEPS.find((step) => this.#guarded.size <= step) ?? FULL;
    if (count === this.#count || (count < this.#count && this.#guarded.size > 1)) return;
    this.#count = count;
    for (const guard of this.#guarded) guard.player && this.#parts.decide(guard.player);
  }

  /** How many share a field, in steps: with each step all are judged again. */
  get count() {
    return this.#count;
  }
}

/** What a player does about flashes: it stands between the host and the engine. */
class Guard {
  #parts;
  #handle = 0;
  #policy;
  #restEnd = Infinity;
  /** The motion that is left: its number, and the greatest speed. */
  #limit = [LIMITS.none, Infinity];
  /** The number of the newest question. */
  #asked = 0;
  /** What the page knows, where nothing decides. */
  #told = "unjudged";
  player = null;

  constructor(parts, policy) {
    this.#parts = parts;
    this.#policy = policy;
    this.#handle = parts.instance?.exports.flashes_guard(policy) ?? 0;
  }

  set(policy) {
    this.#policy = policy;
    if (this.#handle) this.#parts.instance.exports.flashes_policy(this.#handle, policy);
  }

  /** Carries out a command as `Engine.perform` does, with the motion that is left. */
  perform(engine, player, command, a, b, now) {
    this.player = player;
    const { handle } = player;
    const answers = [];
    const perform = (...values) => {
      const answer = engine.perform(handle, ...values, now);
      answers.push(answer);
      const isShown = answer.events.some(({ kind }) => kind === "frame");
      if (isShown && this.#handle) this.#restEnd = this.#parts.instance.exports.flashes_shown(this.#handle, now);
      return answer;
    };
    const isTick = command === COMMANDS.tick;
    if (isTick && now < this.#restEnd) perform(command, a, b);
    else {
      // What the command leads to is shown only once it is decided on.
      perform(COMMANDS.motion, LIMITS.frozen, 0);
      if (!isTick && command !== COMMANDS.motion) perform(command, a, b);
      this.#limit = this.#follow(player, answers.at(-1), now);
      perform(COMMANDS.motion, ...(this.#parts.isSeen(player) ? this.#limit : [LIMITS.still, 0]));
    }
    const [limit, speed] = this.#limit;
    const last = answers.at(-1);
    return {
      ...last, events: answers.flatMap(({ events }) => events), wakeAt: Math.min(last.wakeAt, this.#restEnd),
      isBuffering: last.isBuffering || limit >= LIMITS.still, speed: limit === LIMITS.paced ? speed : Infinity,
    };
  }

  #follow(player, { isJumping }, now) {
    const { instance } = this.#parts;
    if (!this.#handle) return this.#hold();
    // Before it is laid out its size is not known, and it is not seen.
    if (!player.box) return [this.#holds ? LIMITS.still : LIMITS.none, 0];
    const seen = numbersOf({ ...player.options, size: shownSize(player), rate: player.options.rate ?? 1,
      sharers: this.#parts.guards.count, info: player.source.info, isPlayed: true });
    instance.numbers(seen.length).set(seen);
    let count;
    try {
      count = instance.exports.flashes_follow(this.#handle, isJumping ? 1 : 0, now);
    } catch {
      // The instance has stopped for good.
      this.#handle = 0;
      return this.#hold();
    }
    const [limit, speed, restEnd, rate, isNew, state, slowedRate, ...report] = instance.numbers(count).slice();
    this.#restEnd = restEnd;
    if (!Number.isNaN(rate)) this.#ask(player, [...seen.slice(0, 2), rate, ...seen.slice(3)]);
    if (isNew) {
      this.#parts.report(player, { state: FLASH_STATES[state], rate: Number.isNaN(slowedRate) ? null : slowedRate,
        report: report.length ? reportOf(report) : null });
    }
    return [limit, speed];
  }

  /** Without what decides, nothing is known to pass. */
  #hold() {
    const state = this.#holds ? "held" : "unjudged";
    this.#restEnd = Infinity;
    if (state !== this.#told) this.#parts.report(this.player, { state, rate: null, report: null });
    this.#told = state;
    return [this.#holds ? LIMITS.still : LIMITS.none, 0];
  }

  get #holds() {
    return this.#policy > FLASH_POLICIES.indexOf("warn");
  }

  #ask(player, seen) {
    this.#asked += 1;
    const ticket = this.#asked;
    const isWaiting = () => this.#handle !== 0 && this.#asked === ticket;
    this.#parts.judge.ask(player.source, seen, isWaiting, (verdict) => {
      const { instance } = this.#parts;
      if (verdict) instance.numbers(REPORT_NUMBERS).set(verdict);
      instance.exports.flashes_take(this.#handle, verdict?.length ?? 0);
      this.#parts.decide(player);
    });
  }

  release() {
    if (this.#handle) this.#parts.instance.exports.flashes_release(this.#handle);
    this.#handle = 0;
    this.#parts.guards.leave(this);
  }
}

/** The size of a player's picture in CSS pixels, as if nothing of it were cut off. */
function shownSize({ source: { info }, box }) {
  if (!box || !(box.width > 0 && box.height > 0)) return info;
  const [across, down] = [box.width / info.width, box.height / info.height];
  const fit = { contain: Math.min(across, down), cover: Math.max(across, down) }[box.mode];
  const side = (of, scale) => Math.max(1, Math.round((of * (fit ?? scale)) / box.ratio));
  return { width: side(info.width, across), height: side(info.height, down) };
}
