import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import {
  barsOf, byteLines, frameAt, frameFileName, makeLink, nameOf, readLink, sayBytes, sayName, sayPlays, sayTick,
  sayTime, sayWarnings, startsOf, tickStep,
} from "../../../../Sources/Bindings/Web/gallop-gif/inspector/model.js";
import { crc32, zipParts } from "../../../../Sources/Bindings/Web/gallop-gif/inspector/zip.js";

const frame = (delay, byteCount = 100, isKeyframe = false) => ({ delay, byteCount, isKeyframe });

test("Frames begin where those before them end", () => {
  assert.deepEqual(startsOf([frame(100), frame(50)]), [0, 100, 150]);
  assert.deepEqual(startsOf([]), [0]);
});

test("Each instant has its frame, also before the first and after the last", () => {
  const starts = startsOf([frame(100), frame(50), frame(10)]);
  assert.deepEqual([-5, 0, 99, 100, 149, 150, 160, 9999].map((time) => frameAt(starts, time)),
    [0, 0, 0, 1, 1, 2, 2, 2]);
});

test("Bars are as wide as delays and as high as the root of bytes", () => {
  const frames = [frame(100, 400, true), frame(300, 100)];
  const bars = barsOf(frames, startsOf(frames), 400, 50);
  assert.deepEqual(bars, [
    { first: 0, end: 1, x: 0, width: 100, height: 50, isKeyframe: true, hasWarning: false },
    { first: 1, end: 2, x: 100, width: 300, height: 25, isKeyframe: false, hasWarning: false },
  ]);
});

test("Ten thousand frames share bars of a pixel, and none is lost", () => {
  const frames = Array.from({ length: 10_000 }, (_, index) => frame(10, index === 777 ? 9999 : 10));
  const bars = barsOf(frames, startsOf(frames), 500, 50);
  assert.ok(bars.length <= 501);
  assert.equal(bars.reduce((sum, { first, end }) => sum + end - first, 0), 10_000);
  assert.equal(Math.max(...bars.map(({ height }) => height)), 50);
});

test("A bar has a warning where one of its frames has", () => {
  const frames = Array.from({ length: 1000 }, (_, index) => ({ ...frame(10), hasWarning: index === 500 }));
  const warned = barsOf(frames, startsOf(frames), 100, 50).filter(({ hasWarning }) => hasWarning);
  assert.equal(warned.length, 1);
  assert.ok(warned[0].first <= 500 && warned[0].end > 500);
});

test("A GIF at an address is named by the last part of its path", () => {
  const names = ["https://a.org/b/horse.gif?c=d.gif", "https://a.org/a%20horse.gif", "https://a.org/", "data:image/gif,x",
    "https://a.org/%E0%A4%A"].map((address) => nameOf(new URL(address)));
  assert.deepEqual(names, ["horse.gif", "a horse.gif", "linked.gif", "linked.gif", "%E0%A4%A"]);
});

test("Warnings are counted in words", () => {
  assert.deepEqual([0, 1, 2].map(sayWarnings), ["0 warnings", "1 warning", "2 warnings"]);
});

test("Lines of bytes are round, at most three, and below the most", () => {
  assert.deepEqual(byteLines(1400), [1000, 200, 5]);
  for (const most of [1, 7, 99, 1e3, 123_456, 7e6]) {
    const lines = byteLines(most);
    assert.ok(lines.length >= 1 && lines.length <= 3 && lines[0] <= most, String(most));
  }
});

test("Marks of time are round and not too many", () => {
  assert.equal(tickStep(900, 10), 100);
  assert.equal(tickStep(7800, 13), 1000);
  assert.equal(tickStep(30, 10), 10);
  assert.deepEqual([sayTick(50, 10), sayTick(300, 100), sayTick(3000, 1000)], ["50 ms", "0.3 s", "3 s"]);
});

test("Sizes, times, plays and names are said as a person says them", () => {
  assert.deepEqual([999, 1000, 4966, 9999, 526_684, 2e6].map(sayBytes),
    ["999 B", "1 KB", "5 KB", "10 KB", "527 KB", "2 MB"]);
  assert.deepEqual([0, 900, 1234, 65_000, NaN].map(sayTime), ["0 ms", "900 ms", "1.23 s", "1:05", "–"]);
  assert.deepEqual([1, 2, 5, Infinity].map(sayPlays), ["once", "twice", "5 times", "for ever"]);
  assert.equal(sayName("frameOutsideCanvas"), "frame outside canvas");
  assert.equal(sayName("notAGIF"), "not a GIF");
});

test("A link says the frame, and the rest only where it is not as usual", () => {
  assert.equal(makeLink({ frame: 12 }), "#frame=12");
  assert.equal(makeLink({ frame: 12, range: [3, 21], mode: "bounce", rate: 0.5 }),
    "#frame=12&range=3-20&mode=bounce&rate=0.5");
});

test("A small GIF travels in its link, a large one does not", () => {
  const bytes = Uint8Array.from({ length: 300 }, (_, index) => index & 255);
  const link = readLink(makeLink({ frame: 1, bytes, name: "ä b.gif" }));
  assert.deepEqual([link.bytes, link.name, link.frame], [bytes, "ä b.gif", 1]);
  assert.equal(makeLink({ frame: 1, bytes: new Uint8Array(24_001) }), "#frame=1");
});

test("Nonsense in a link is as good as absent", () => {
  for (const hash of ["", "#", "#frame=-1", "#frame=1e9", "#frame=x&range=5-2&mode=up&rate=-3&gif=%%%",
    "#range=5"]) {
    const { frame, range, mode, rate, bytes } = readLink(hash);
    assert.deepEqual([frame, range, mode, rate, bytes], [null, null, "forward", 1, null], hash);
  }
});

test("Files of frames sort by their numbers", () => {
  assert.equal(frameFileName("my horse.gif", 7, 120), "my-horse-007.png");
  assert.equal(frameFileName("", 0, 1), "frame-0.png");
});

test("Checksums are those of ZIP and PNG", () => {
  assert.equal(crc32(new TextEncoder().encode("123456789")), 0xcbf43926);
  assert.equal(crc32(new Uint8Array()), 0);
});

test("A ZIP file is whole, with names in any script", () => {
  const folder = mkdtempSync(join(tmpdir(), "gallop-zip-"));
  try {
    const files = ["a.png", "ü-馬.png",
      "empty"].map((name, index) => ({ name, bytes: new Uint8Array(index * 50_000).fill(7) }));
    const path = join(folder, "a.zip");
    writeFileSync(path, Buffer.concat(zipParts(files, new Date(2026, 1, 3, 4, 5, 6))));
    const script = "import sys, zipfile; z = zipfile.ZipFile(sys.argv[1]);"
      + "print(z.testzip(), z.namelist(), z.infolist()[0].date_time)";
    const said = execFileSync("python3", ["-c", script, path],
      { encoding: "utf8", env: { PYTHONIOENCODING: "utf8" } });
    assert.equal(said.trim(), "None ['a.png', 'ü-馬.png', 'empty'] (2026, 2, 3, 4, 5, 6)");
  } finally {
    rmSync(folder, { recursive: true });
  }
});
