// The values of the media contract: pure functions, events and errors.

// The network states of media elements, and their ready states.
const [EMPTY, IDLE, LOADING, NO_SOURCE] = [0, 1, 2, 3];
const [NOTHING, METADATA, CURRENT, FUTURE, ENOUGH] = [0, 1, 2, 3, 4];
export { EMPTY, FUTURE, IDLE, LOADING, NO_SOURCE, NOTHING };

/** The same under the names that pages know. */
export const CONSTANTS = {
  NETWORK_EMPTY: 0, NETWORK_IDLE: 1, NETWORK_LOADING: 2, NETWORK_NO_SOURCE: 3,
  HAVE_NOTHING: 0, HAVE_METADATA: 1, HAVE_CURRENT_DATA: 2, HAVE_FUTURE_DATA: 3, HAVE_ENOUGH_DATA: 4,
};

/** How far an image has arrived, in the words of media elements. */
export function readyStateOf(info) {
  if (!info) return NOTHING;
  if (info.isComplete) return ENOUGH;
  // The last frame so far may be cut.
  return info.frameCount > 2 ? FUTURE : info.frameCount > 1 ? CURRENT : METADATA;
}

/** Seconds in the loop at an instant: time runs on between the host's answers. */
export function timeAt(answer, rate, instant) {
  const { state, time, duration, isBuffering, at, speed = rate } = answer;
  if (state !== "playing" || isBuffering || !(duration > 0)) return time / 1000;
  return ((time + Math.max(0, instant - at) * Math.min(rate, speed)) % duration) / 1000;
}

/**
 * The frame at a time of the loop.
 * @param {number[]} delays of all frames, in milliseconds
 * @param {{mode: string, range: [number, number] | null}} order
 * @param {number} time in the loop as it plays, in milliseconds
 */
export function frameAt(delays, { mode, range }, time) {
  const [first, end] = range ?? [0, delays.length];
  const order = [...delays.keys()].slice(first, end);
  if (mode === "reverse") order.reverse();
  if (mode === "bounce") order.push(...order.slice(1, -1).reverse());
  let rest = time;
  return order.find((frame) => (rest -= delays[frame]) < 0) ?? order.at(-1) ?? -1;
}

/** Spans of time, shaped like TimeRanges. */
export function ranges(end) {
  const within = (index) => {
    if (index !== 0 || !(end > 0)) throw new DOMException("There is no such range.", "IndexSizeError");
  };
  return {
    length: end > 0 ? 1 : 0,
    start: (index) => (within(index), 0),
    end: (index) => (within(index), end),
  };
}

/** A frame that is shown. */
export class FrameChangeEvent extends (globalThis.Event ?? class {}) {
  /** `shownAt` is the instant on the page's clock, that of `performance.now()`. */
  constructor({ frame, frameCount, loop, lateness, skipped, cause, mediaTime }, shownAt) {
    super("framechange");
    Object.assign(this, { currentFrameIndex: frame, frameCount, loop, lateness, skippedFrames: skipped, cause });
    Object.assign(this, { mediaTime: mediaTime / 1000, shownAt });
    // No element learns of listeners from before its definition, or on ancestors: one that reads is heard of here.
    Object.defineProperty(this, "currentFrameIndex", { get: () => (this.target?._watch?.(), frame) });
  }
}

/** The end of a loop. */
export class LoopEvent extends (globalThis.Event ?? class {}) {
  constructor({ loops, left }) {
    super("loop");
    Object.assign(this, { loops, loopsLeft: left });
  }
}

/** What keeps a player in the page from being used; `code` as in MediaError, `reason` in the engine's words. */
export class GallopMediaError {
  constructor(code, { code: reason, message, frame, offset }) {
    Object.assign(this, { code, message, reason, frame, offset });
  }
}
for (const [index, name] of ["ABORTED", "NETWORK", "DECODE", "SRC_NOT_SUPPORTED"].entries()) {
  GallopMediaError[`MEDIA_ERR_${name}`] = GallopMediaError.prototype[`MEDIA_ERR_${name}`] = index + 1;
}

/** A finite number, as media elements take it. */
export function number(value) {
  const result = Number(value);
  if (!Number.isFinite(result)) throw new TypeError(`${String(value)} is not a finite number.`);
  return result;
}
