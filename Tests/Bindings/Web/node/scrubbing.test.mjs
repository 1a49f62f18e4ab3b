import assert from "node:assert/strict";
import { test } from "node:test";
import { fractionOf, knobFor, moveKnob, settle, snap, valueAt,
  valueForKey } from "../../../../Sources/Bindings/Web/gallop-gif/scrubbing.js";

const track = { min: 0, max: 10, step: 1, value: 4, start: 2, end: 8 };

test("A value is put on the nearest step, counted from the minimum", () => {
  assert.equal(snap({ min: 0.5, max: 3, step: 1 }, 1.9), 1.5);
  assert.equal(snap({ min: 0, max: 1, step: 0.1 }, 0.3000001), 0.3);
});

test("A value beyond the last step goes to the last step", () => {
  assert.equal(snap({ min: 0, max: 10, step: 3 }, 10), 9);
  assert.equal(snap({ min: 0, max: 1, step: 0.1 }, 1), 1);
});

test("Without a step any value between the ends is good", () => {
  assert.equal(snap({ min: 0, max: 1, step: 0 }, 0.123), 0.123);
  assert.equal(snap({ min: 0, max: 1, step: 0 }, 7), 1);
  assert.equal(snap({ min: 0, max: 1, step: 0 }, -7), 0);
});

test("Infinite values are the ends, and nonsense is the minimum", () => {
  assert.equal(snap(track, Infinity), 10);
  assert.equal(snap(track, -Infinity), 0);
  assert.equal(snap(track, NaN), 0);
});

test("A track whose end lies before its start has one place", () => {
  assert.equal(snap({ min: 5, max: 2, step: 1 }, 9), 5);
  assert.equal(fractionOf({ min: 5, max: 2 }, 5), 0);
});

test("A knob of the range stops at the other knob", () => {
  assert.equal(moveKnob(track, "start", 9).start, 8);
  assert.equal(moveKnob(track, "end", 1).end, 2);
  assert.equal(moveKnob(track, "end", 1).start, 2);
});

test("The playhead stays in the range, and a knob of the range pushes it", () => {
  assert.equal(moveKnob(track, "playhead", 9).value, 8);
  assert.equal(moveKnob(track, "playhead", 0).value, 2);
  assert.deepEqual(moveKnob(track, "start", 6), { ...track, start: 6, value: 6 });
  assert.deepEqual(moveKnob(track, "end", 3), { ...track, end: 3, value: 3 });
});

test("Knobs move inside when the track becomes shorter", () => {
  assert.deepEqual(settle({ ...track, max: 3 }), { ...track, max: 3, value: 3, start: 2, end: 3 });
});

test("A press takes the playhead where there is one", () => {
  assert.equal(knobFor(track, 2, { playhead: true, range: true }), "playhead");
});

test("A press takes the nearer knob of the range", () => {
  const shown = { playhead: false, range: true };
  assert.equal(knobFor(track, 3, shown), "start");
  assert.equal(knobFor(track, 7, shown), "end");
  assert.equal(knobFor(track, 5, shown), "start");
});

test("Two knobs on one place are never stuck", () => {
  const shown = { playhead: false, range: true };
  assert.equal(knobFor({ ...track, start: 5, end: 5 }, 3, shown), "start");
  assert.equal(knobFor({ ...track, start: 5, end: 5 }, 7, shown), "end");
  assert.equal(knobFor({ ...track, start: 10, end: 10 }, 10, shown), "start");
  assert.equal(knobFor({ ...track, start: 0, end: 0 }, 0, shown), "end");
});

test("A press on a track without knobs takes none", () => {
  assert.equal(knobFor(track, 3, { playhead: false, range: false }), null);
});

test("Keys move by a step, by ten, and to the ends", () => {
  const moves = Object.fromEntries(
    ["ArrowRight", "ArrowUp", "ArrowLeft", "ArrowDown", "PageUp", "PageDown", "Home", "End",
      "a"].map((key) => [
      key,
      valueForKey(track, "playhead", key),
    ]),
  );
  assert.deepEqual(moves, {
    ArrowRight: 5, ArrowUp: 5, ArrowLeft: 3, ArrowDown: 3, PageUp: 14, PageDown: -6, Home: 0, End: 10,
      a: null,
  });
});

test("Without a step a key moves by a hundredth of the track", () => {
  assert.equal(valueForKey({ ...track, step: 0 }, "start", "ArrowRight"), 2.1);
});

test("Places and values are each other's inverse", () => {
  for (const value of [0, 1, 2.5, 10]) assert.equal(valueAt(track, fractionOf(track, value)), value);
});
