// The decisions of a scrubber as pure functions: which knob a press takes, where it may go, what a key does.

/**
 * A scrubber's values: min <= start <= value <= end <= max.
 * @typedef {{min: number, max: number, step: number, value: number, start: number, end: number}} Track
 * @typedef {"playhead" | "start" | "end"} Knob
 */

/** The field of a track that a knob moves. */
export const FIELD = Object.freeze({ playhead: "value", start: "start", end: "end" });

/**
 * The value nearest to `value` on the track: within its ends and on a step, counted from `min`.
 * @param {Track} track @param {number} value @returns {number}
 */
export function snap({ min, max, step }, value) {
  const highest = Math.max(min, max);
  if (!Number.isFinite(value)) return value === Infinity ? highest : min;
  let snapped = value;
  if (step > 0) {
    snapped = min + Math.round((value - min) / step) * step;
    if (snapped > highest) snapped = min + Math.floor((highest - min) / step + 1e-9) * step;
    snapped = Number(snapped.toPrecision(12)); // 0.1 + 0.2 is 0.3 to a user
  }
  return Math.min(highest, Math.max(min, snapped));
}

/**
 * The track with a knob moved. A range's knob stops at the other one and pushes the playhead, which stays in the range.
 * @param {Track} track @param {Knob} knob @param {number} value @returns {Track}
 */
export function moveKnob(track, knob, value) {
  const wanted = snap(track, value);
  let { start, end } = track;
  if (knob === "start") start = Math.min(wanted, end);
  else if (knob === "end") end = Math.max(wanted, start);
  return { ...track, start, end, value: Math.min(end, Math.max(start, knob === "playhead" ? wanted : track.value)) };
}

/**
 * The track with every knob inside it, after its ends or its step have changed.
 * @param {Track} track @returns {Track}
 */
export function settle(track) {
  const start = snap(track, track.start);
  const end = Math.max(start, snap(track, track.end));
  return { ...track, start, end, value: Math.min(end, Math.max(start, snap(track, track.value))) };
}

/** Where a value lies on the track, 0 ... 1. @param {Track} track @param {number} value @returns {number} */
export function fractionOf({ min, max }, value) {
  return max > min ? Math.min(1, Math.max(0, (value - min) / (max - min))) : 0;
}

/**
 * The value at a place of the track, 0 ... 1.
 * @param {Track} track
 * @param {number} fraction
 * @returns {number}
 */
export function valueAt({ min, max }, fraction) {
  return min + Math.min(1, Math.max(0, fraction)) * (max - min);
}

/**
 * The knob that a press on the track takes: the playhead where there is one, else the nearer knob of the
 * range. Where both knobs of the range lie on one place, the side of the press decides, so that neither is
 * ever stuck.
 * @param {Track} track @param {number} value @param {{playhead: boolean, range: boolean}} shown
 * @returns {Knob | null}
 */
export function knobFor(track, value, shown) {
  if (shown.playhead) return "playhead";
  if (!shown.range) return null;
  const toStart = Math.abs(value - track.start);
  const toEnd = Math.abs(value - track.end);
  if (toStart !== toEnd) return toStart < toEnd ? "start" : "end";
  if (track.start === track.end) return freeKnob(track, value);
  return "start";
}

/** Which of two knobs on one place can still move towards `value`. */
function freeKnob(track, value) {
  if (value < track.start) return "start";
  if (value > track.end) return "end";
  return track.start > track.min ? "start" : "end";
}

/**
 * Where a key moves a knob; null for a key that is not the scrubber's.
 * @param {Track} track @param {Knob} knob @param {string} key @returns {number | null}
 */
export function valueForKey(track, knob, key) {
  const value = track[FIELD[knob]];
  const small = track.step > 0 ? track.step : (track.max - track.min) / 100;
  switch (key) {
    case "ArrowRight":
    case "ArrowUp":
      return value + small;
    case "ArrowLeft":
    case "ArrowDown":
      return value - small;
    case "PageUp":
      return value + 10 * small;
    case "PageDown":
      return value - 10 * small;
    case "Home":
      return track.min;
    case "End":
      return track.max;
    default:
      return null;
  }
}
