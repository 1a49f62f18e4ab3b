import assert from "node:assert/strict";
import { test } from "node:test";
import {
  assignRows, flightAfter, indexForKey, itemOf, layoutOf, placeAt, rowsInView, scrollTopFor, topOfPlace,
} from "../../../../Sources/Bindings/Web/gallop-gif/wall-layout.js";

const layout = layoutOf({ width: 410, count: 1000, columns: 4, gap: 10, aspect: 1 });

test("Cells of a fixed number of columns share the width", () => {
  assert.deepEqual(layout, {
    columns: 4, rows: 250, cellWidth: 90, cellHeight: 90, rowHeight: 100, gap: 10, count: 1000,
      height: 25_010,
  });
});

test("Without a number of columns as many fit as have their least width", () => {
  assert.equal(layoutOf({ width: 1000, count: 9, minimum: 160, gap: 8 }).columns, 5);
  assert.equal(layoutOf({ width: 50, count: 9, minimum: 160, gap: 8 }).columns, 1);
});

test("Captions make the cells higher", () => {
  assert.equal(layoutOf({ width: 410, count: 4, columns: 4, gap: 10, aspect: 1,
    captionHeight: 25 }).cellHeight, 115);
});

test("An empty wall has no rows, and one without a width is harmless", () => {
  assert.equal(layoutOf({ width: 410, count: 0 }).rows, 0);
  assert.ok(layoutOf({ width: 0, count: 5 }).rowHeight > 0);
});

test("Only rows that touch the view are in it", () => {
  assert.deepEqual(rowsInView(layout, 0, 300), { first: 0, end: 3 });
  assert.deepEqual(rowsInView(layout, 1000, 300), { first: 9, end: 13 });
  assert.deepEqual(rowsInView(layout, 1000, 300, 100), { first: 8, end: 14 });
});

test("A view beyond the end has no rows, and never a negative number", () => {
  const { first, end } = rowsInView(layout, 1e9, 300);
  assert.equal(end - first, 0);
});

test("An item is brought to the centre, an edge, or just into view", () => {
  const view = { scrollTop: 500, viewport: 300 };
  assert.equal(scrollTopFor(layout, 400, view), 10_010 + 45 - 150);
  assert.equal(scrollTopFor(layout, 400, view, "start"), 10_000);
  assert.equal(scrollTopFor(layout, 400, view, "end"), 10_010 + 100 - 300);
  assert.equal(scrollTopFor(layout, 24, view, "nearest"), 500);
  assert.equal(scrollTopFor(layout, 0, view, "nearest"), 0);
});

test("The first and the last item do not scroll beyond the wall", () => {
  const view = { scrollTop: 500, viewport: 300 };
  assert.equal(scrollTopFor(layout, 0, view), 0);
  assert.equal(scrollTopFor(layout, 999, view), 25_010 - 300);
});

test("What stands at the upper edge stays there in cells of another size and number", () => {
  const place = placeAt(layout, 1250);
  assert.deepEqual(place, { index: 48, part: 0.5 });
  assert.equal(topOfPlace(layout, place), 1250);
  const larger = layoutOf({ width: 810, count: 1000, columns: 4, gap: 10, aspect: 1 });
  assert.equal(topOfPlace(larger, place), 12.5 * larger.rowHeight);
  const narrow = layoutOf({ width: 210, count: 1000, columns: 3, gap: 10, aspect: 1 });
  assert.equal(topOfPlace(narrow, place), Math.round(16.5 * narrow.rowHeight));
});

test("Arrows move through the grid and stop at its edges", () => {
  assert.equal(indexForKey(layout, 5, "ArrowRight"), 6);
  assert.equal(indexForKey(layout, 0, "ArrowLeft"), 0);
  assert.equal(indexForKey(layout, 5, "ArrowRight", { isMirrored: true }), 4);
  assert.equal(indexForKey(layout, 5, "ArrowLeft", { isMirrored: true }), 6);
  assert.equal(indexForKey(layout, 5, "ArrowUp"), 1);
  assert.equal(indexForKey(layout, 1, "ArrowUp"), 1);
  assert.equal(indexForKey(layout, 999, "ArrowRight"), 999);
  assert.equal(indexForKey(layout, 999, "ArrowDown"), 999);
});

test("Down from the last full row reaches the last cell of a short row", () => {
  const short = layoutOf({ width: 410, count: 6, columns: 4, gap: 10, aspect: 1 });
  assert.equal(indexForKey(short, 3, "ArrowDown"), 5);
  assert.equal(indexForKey(short, 5, "ArrowDown"), 5);
});

test("Home and End stay in the row, and with Ctrl reach the ends", () => {
  assert.equal(indexForKey(layout, 6, "Home"), 4);
  assert.equal(indexForKey(layout, 6, "End"), 7);
  assert.equal(indexForKey(layout, 6, "Home", { isWide: true }), 0);
  assert.equal(indexForKey(layout, 6, "End", { isWide: true }), 999);
});

test("Pages move by what is seen at once and end in the first and last row", () => {
  assert.equal(indexForKey(layout, 6, "PageDown", { page: 3 }), 18);
  assert.equal(indexForKey(layout, 6, "PageUp", { page: 3 }), 2);
  assert.equal(indexForKey(layout, 990, "PageDown", { page: 3 }), 999);
  assert.equal(indexForKey(layout, 990, "x"), null);
});

test("A slot keeps its row while the row is in view, and others take the new rows", () => {
  assert.deepEqual(assignRows([], { first: 0, end: 3 }), [0, 1, 2]);
  assert.deepEqual(assignRows([0, 1, 2], { first: 1, end: 4 }), [3, 1, 2]);
  assert.deepEqual(assignRows([3, 1, 2], { first: 2, end: 4 }), [3, null, 2]);
  assert.deepEqual(assignRows([3, null, 2], { first: 10, end: 14 }), [10, 11, 12, 13]);
});

test("Items come as URLs or as objects in the usual words", () => {
  assert.deepEqual(itemOf("a.gif"), { src: "a.gif", caption: "", alt: "" });
  assert.deepEqual(itemOf({ image: { uri: "a.gif" }, description: "A" }),
    { src: "a.gif", caption: "A", alt: "A" });
  assert.deepEqual(itemOf({ src: "a.gif", caption: "A", alt: "B" }),
    { src: "a.gif", caption: "A", alt: "B" });
  assert.deepEqual(itemOf(null), { src: "", caption: "", alt: "" });
});

test("A scroll of several views a second is too fast for pictures, a slower one is not", () => {
  const start = { top: 0, time: 0, isFast: false };
  assert.equal(flightAfter(start, { top: 300, viewport: 300, time: 100 }).isFast, true);
  assert.equal(flightAfter(start, { top: 300, viewport: 300, time: 500 }).isFast, false);
  assert.equal(flightAfter(start, { top: -300, viewport: 300, time: 0 }).isFast, true);
});

test("An event without a move leaves the speed as it was", () => {
  assert.equal(flightAfter({ top: 9, time: 0, isFast: true }, { top: 9, viewport: 300, time: 16 }).isFast,
    true);
});
