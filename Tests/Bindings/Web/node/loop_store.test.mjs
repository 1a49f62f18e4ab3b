// What is kept of loops that are drawn: which parts, how many bytes, and when a loop is evicted.

import assert from "node:assert/strict";
import test from "node:test";
import "./rig.mjs";
import { load } from "./package_folder.mjs";

const { LoopStore } = await load("loop-store.js");
const SIZE = { width: 4, height: 2 };
const source = () => ({ isComplete: true });

/** A picture of 4 x 2 pixels whose bytes count up; it differs from the one before in a column. */
function picture(x, changedWidth, status = "complete") {
  const pixels = Uint8ClampedArray.from({ length: 32 }, (_, index) => index);
  return { ...SIZE, pixels, status, x, y: 0, changedWidth, changedHeight: 2 };
}

function stored(limit = 1000) {
  return Object.assign(new LoopStore(), { limit });
}

test("The first frame is kept as a whole, of the others what differs", () => {
  const [store, gif] = [stored(), source()];
  store.keep(gif, SIZE, 0, picture(1, 1));
  store.keep(gif, SIZE, 1, picture(1, 1));
  const [first, second] = store.way(gif, SIZE, -1, 1);
  assert.deepEqual([first.x, first.y, first.data.width, first.data.height], [0, 0, 4, 2]);
  assert.deepEqual([second.x, second.y, second.data.width, second.data.height], [1, 0, 1, 2]);
  assert.deepEqual([...second.data.data], [4, 5, 6, 7, 20, 21, 22, 23]);
  assert.equal(store.byteCount, 32 + 8);
});

test("A frame without any difference needs no pixels", () => {
  const [store, gif] = [stored(), source()];
  store.keep(gif, SIZE, 0, picture(0, 4));
  store.keep(gif, SIZE, 1, picture(0, 0));
  assert.deepEqual(store.way(gif, SIZE, 0, 1).map(({ data }) => data), [null]);
});

test("A way leads from the frame that is shown, or from the first; a gap has none", () => {
  const [store, gif] = [stored(), source()];
  for (const frame of [0, 1, 2, 4]) store.keep(gif, SIZE, frame, picture(0, 1));
  assert.equal(store.way(gif, SIZE, 0, 2).length, 2);
  assert.equal(store.way(gif, SIZE, 2, 2).length, 0);
  assert.equal(store.way(gif, SIZE, 2, 1).length, 2);
  assert.equal(store.way(gif, SIZE, 3, 4).length, 1);
  assert.equal(store.way(gif, SIZE, 2, 4), null);
  assert.equal(store.way(gif, SIZE, 4, 5), null);
  assert.equal(store.way(gif, { width: 2, height: 1 }, -1, 0), null);
});

test("A way over too many frames is none", () => {
  const [store, gif] = [stored(100_000), source()];
  for (let frame = 0; frame < 40; frame += 1) store.keep(gif, SIZE, frame, picture(0, 1));
  assert.equal(store.way(gif, SIZE, 7, 39).length, 32);
  assert.equal(store.way(gif, SIZE, 6, 39), null);
});

test("What is damaged, and a file that still arrives, is not kept", () => {
  const [store, gif] = [stored(), source()];
  store.keep(gif, SIZE, 0, picture(0, 4, "partial"));
  store.keep({ isComplete: false }, SIZE, 0, picture(0, 4));
  assert.equal(store.byteCount, 0);
});

test("A loop that passes the limit is evicted as a whole, the others stay; it tries again when there is room", () => {
  const [store, small, large] = [stored(100), source(), source()];
  store.keep(small, SIZE, 0, picture(0, 4));
  for (const frame of [0, 1, 2]) store.keep(large, SIZE, frame, picture(0, 4));
  assert.equal(store.byteCount, 32);
  store.keep(large, SIZE, 0, picture(0, 4));
  assert.equal(store.byteCount, 32);
  store.evict(small);
  store.retry();
  for (const frame of [0, 1, 2]) store.keep(large, SIZE, frame, picture(0, 4));
  assert.equal(store.byteCount, 96);
});

test("Sizes that are no longer in use are evicted", () => {
  const [store, gif] = [stored(), source()];
  const other = { width: 2, height: 2 };
  store.keep(gif, SIZE, 0, picture(0, 4));
  store.keep(gif, other, 0, { ...picture(0, 2), ...other });
  store.evict(gif, [other]);
  assert.equal(store.byteCount, 16);
  store.evict(gif);
  assert.equal(store.byteCount, 0);
});
