// The verdict on flashes is that of the command line; what a player does about it is that of the native one.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { readdir, readFile, stat } from "node:fs/promises";
import test from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { flashingGIF } from "../shared/flashing_gif.js";
import { folder, load } from "./package_folder.mjs";
import { COMMANDS, Rig, sample } from "./rig.mjs";

const { openGIF } = await load("node.js");
const ROOT = fileURLToPath(new URL("../../../../", import.meta.url));
const FOLDER = process.env.GALLOP_CONFORMANCE ? `${process.env.GALLOP_CONFORMANCE}/gifs`
  : `${ROOT}Tests/Conformance/suite/gifs`;
const TOOL = process.env.GALLOP_TOOL ?? `${ROOT}.build/release/gallop`;
const COUNT = 150;
const MOST_BYTES = 200_000;

// The verdict

async function reportsOfTool(files, ...options) {
  const command = promisify(execFile)(TOOL, ["info", "--json", "--flashes", "--quiet", ...options, ...files], { maxBuffer: 1 << 28 });
  // A status other than 0 says that some files were refused.
  const { stdout } = await command.catch((error) => error);
  const rows = stdout.split("\n").filter(Boolean).map((line) => JSON.parse(line));
  return new Map(rows.filter(({ flashes, frameCount }) => flashes && frameCount > 0).map(({ path, flashes }) => [path, flashes]));
}

const close = (one, other) => one === other || Math.abs(one - other) <= 0.006 * Math.max(1, Math.abs(other));

function assertSame(report, expected, text) {
  const flat = ({ result, general, red, safeRate, safeSize, decoded }) => {
    const peak = (of) => (of ? [of.perSecond, of.fromMs, ...of.frames, of.fieldShare] : [NaN]);
    return [...peak(general), ...peak(red), safeRate ?? NaN, ...(safeSize ?? [NaN]), decoded ? 1 : 0, result.length];
  };
  const [got, wanted] = [flat(report), flat(expected)];
  assert.equal(got.length, wanted.length, text);
  got.forEach((value, place) => assert.ok(Object.is(value, wanted[place]) || close(value, wanted[place]),
    `${text}: ${JSON.stringify(report)} is not ${JSON.stringify(expected)}`));
}

const isMissing = existsSync(TOOL) ? false : `there is no ${TOOL}`;

for (const [name, options, ofTool] of [["at its own size", {}, []], ["at 600 pixels and twice the rate", { width: 600, rate: 2 }, ["--size", "600x", "--rate", "2"]]]) {
  test(`GIFs have the verdict of the command line ${name}`, { skip: isMissing }, async (t) => {
    const names = (await readdir(FOLDER, { recursive: true })).filter((file) => file.endsWith(".gif")).sort();
    const files = [];
    for (const file of names) if ((await stat(`${FOLDER}/${file}`)).size <= MOST_BYTES) files.push(`${FOLDER}/${file}`);
    const chosen = files.filter((_, index) => index % Math.ceil(files.length / COUNT) === 0);
    const expected = await reportsOfTool(chosen, ...ofTool);
    let fails = 0;
    for (const [file, report] of expected) {
      const gif = await openGIF(file);
      assertSame(await gif.flashes(options), report, file);
      if (report.result === "fails") fails += 1;
      gif.close();
    }
    t.diagnostic(`${expected.size} GIFs, of which ${fails} fail`);
    assert.ok(expected.size > 20);
  });
}

test("A GIF that flashes says when, and at which rate and size it passes", async () => {
  const gif = await openGIF(flashingGIF());
  const report = await gif.flashes({ width: 400 });
  assert.deepEqual([report.result, report.general.perSecond, report.red, report.decoded], ["fails", 5, null, true]);
  assert.equal((await gif.flashes({ width: 400, rate: report.safeRate })).result, "passes");
  const [width, height] = report.safeSize;
  assert.equal((await gif.flashes({ width, height })).result, "passes");
  assert.equal((await gif.flashes()).result, "passes");
  assert.equal((await gif.flashes({ width: 400, range: [1, 2] })).result, "passes");
  for (const rate of [0, 0.04, 21, 1e9, Infinity, NaN]) await assert.rejects(gif.flashes({ rate }), RangeError);
  gif.close();
});

test("A red GIF fails by its red flashes", async () => {
  const gif = await openGIF(flashingGIF({ colors: [[255, 0, 0], [0, 90, 0]] }));
  const { result, red } = await gif.flashes({ width: 400 });
  assert.deepEqual([result, red.perSecond], ["fails", 5]);
  gif.close();
});

// What players do

const { play, rate, range, seekToFrame } = COMMANDS;
const BOX = { width: 400, height: 300, mode: "contain", ratio: 1 };

async function guarded(flashes, { gif = new Blob([flashingGIF()]), box = BOX, rig = new Rig(), options } = {}) {
  const player = rig.open(gif, { options: { flashes, ...options }, box });
  player.states = () => player.of("flashes").map(({ state }) => state);
  player.reaches = (state) => rig.until(() => player.states().at(-1) === state);
  await player.loaded();
  return { rig, player };
}

/** Goes on in steps, as the messages and verdicts of real threads come in between. */
async function pass(rig, milliseconds) {
  for (let time = 0; time < milliseconds; time += 10) await rig.advance(10);
}

test("What fails is held at its first frame, and plays once the user wants it", async () => {
  const { rig, player } = await guarded("hold");
  player.command(play);
  await player.reaches("held");
  await pass(rig, 3000);
  assert.deepEqual(player.frames(), [0]);
  assert.deepEqual([player.last.state, player.last.isBuffering], ["playing", true]);
  const { report } = player.of("flashes").at(-1);
  assert.deepEqual([report.result, report.general.frames.length], ["fails", 2]);
  player.send("flashes", { policy: "warn" });
  await player.reaches("warned");
  await pass(rig, 1000);
  assert.ok(player.frames().length >= 10);
  assert.equal(player.last.isBuffering, false);
});

test("What fails plays at the greatest rate that passes: never seven changes in a second", async () => {
  const { rig, player } = await guarded("slow");
  player.command(play);
  await player.reaches("slowed");
  await pass(rig, 10_000);
  const times = player.of("answer").flatMap(({ at, events }) => events.filter(({ kind }) => kind === "frame").map(() => at));
  assert.ok(times.length > 40, `${times.length} frames`);
  for (let place = 6; place < times.length; place += 1) assert.ok(times[place] - times[place - 6] >= 1000);
  assert.ok(player.last.speed < 0.6);
  assert.equal(player.of("flashes").at(-1).rate, player.last.speed);
});

test("What passes plays as ever", async () => {
  const { rig, player } = await guarded("hold", { gif: await sample("gallop.gif") });
  player.command(play);
  await player.reaches("passes");
  await pass(rig, 600);
  assert.ok(player.frames().length >= 20);
  assert.equal(player.last.speed, Infinity);
});

test("What is not laid out yet stands, whatever its own size would be", async () => {
  const { rig, player } = await guarded("hold", { box: null });
  player.command(play);
  await pass(rig, 1000);
  assert.deepEqual([player.frames(), player.states()], [[0], []]);
  player.send("box", { box: { ...BOX, width: 80, height: 60 } });
  await player.reaches("passes");
  await pass(rig, 1000);
  assert.ok(player.frames().length >= 5);
});

test("A small one plays, and is held where it grows", async () => {
  const { rig, player } = await guarded("hold", { box: { ...BOX, width: 80, height: 60 } });
  player.command(play);
  await player.reaches("passes");
  await pass(rig, 500);
  assert.ok(player.frames().length >= 5);
  const before = player.frames().length;
  player.send("box", { box: BOX });
  await player.reaches("held");
  await pass(rig, 2000);
  assert.equal(player.frames().length, before);
});

test("Twice the rate is judged again; half of it plays at once", async () => {
  const { rig, player } = await guarded("hold", { gif: new Blob([flashingGIF({ delay: 20 })]) });
  player.command(play);
  await player.reaches("passes");
  await pass(rig, 2000);
  player.command(rate, 2);
  await player.reaches("held");
  player.command(rate, 0.5);
  await player.reaches("passes");
  await pass(rig, 3000);
  assert.equal(player.last.state, "playing");
  assert.equal(player.last.isBuffering, false);
});

test("A range that does not flash plays; a seek shows its frame also where all is held", async () => {
  const { rig, player } = await guarded("hold", { gif: new Blob([flashingGIF({ count: 6 })]) });
  player.command(play);
  await player.reaches("held");
  player.command(seekToFrame, 3);
  await rig.settled();
  assert.equal(player.frames().at(-1), 3);
  player.command(range, 2, 3);
  await player.reaches("passes");
  await pass(rig, 2500);
  assert.equal(player.frames().at(-1), 2);
});

test("A change of range during playback takes a rest, and then it plays on", async () => {
  const { rig, player } = await guarded("hold", { gif: new Blob([flashingGIF({ count: 8, delay: 20 })]) });
  player.command(play);
  await player.reaches("passes");
  await pass(rig, 500);
  player.command(range, 4, 8);
  await player.reaches("judging");
  await player.reaches("passes");
  const before = player.frames().length;
  await pass(rig, 6000);
  assert.ok(player.frames().length > before + 10, `${player.frames().length - before} frames`);
  assert.ok(player.frames().slice(before + 1).every((frame) => frame >= 4));
});

test("With fewer frames than the file has by the limits, it is judged by these", async () => {
  const gif = flashingGIF({ count: 20 });
  const rig = new Rig();
  rig.host.receive({ op: "configure", limits: { frames: 10 } });
  const { player } = await guarded("hold", { gif: new Blob([gif]), rig });
  await player.reaches("held");
  const { report } = player.of("flashes").at(-1);
  assert.deepEqual([report.general.perSecond, report.failsOnlyBesideOthers], [5, false]);
});

test("The worker that judges reads a file by the limits of the page", async () => {
  const [{ serve }, module] = await Promise.all([load("worker.js"), WebAssembly.compile(await readFile(`${folder}flashes.wasm`))]);
  const verdict = (limits) => new Promise((resolve) => {
    const port = { postMessage: resolve };
    serve(port);
    // 400 x 300 of 20 x 15, and ten frames that the page knows of.
    const seen = [400, 300, 1, 0, 0, 0, 0, 0, 20, 15, 10, 1, 1];
    port.onmessage({ data: { op: "judge", module, bytes: flashingGIF({ count: 20 }), seen, limits } });
  });
  assert.equal((await verdict({ frames: 10 }))[0], 1);
  assert.equal(await verdict(), null);
});

test("A policy that is set on a GIF that plays stops it at once, before anything can judge", async () => {
  const rig = new Rig();
  const { player } = await guarded(undefined, { rig });
  player.command(play);
  await pass(rig, 500);
  assert.ok(player.frames().length >= 5);
  player.send("flashes", { policy: "hold" });
  const before = player.frames().length;
  // Nothing has been loaded yet.
  await rig.advance(300);
  assert.equal(player.frames().length, before);
  await player.reaches("held");
  await pass(rig, 1000);
  assert.equal(player.frames().length, before);
});

test("Two on a page count together: what passes alone may be held beside another, until that leaves", async () => {
  // 12,288 pixels each, of 21,824 that may flash.
  const box = { width: 128, height: 96, mode: "contain", ratio: 1 };
  const rig = new Rig();
  const first = (await guarded("hold", { rig, box })).player;
  await first.reaches("passes");
  const second = (await guarded("hold", { rig, box })).player;
  await Promise.all([first.reaches("held"), second.reaches("held")]);
  assert.ok(second.of("flashes").at(-1).report.failsOnlyBesideOthers);
  second.send("close");
  await first.reaches("passes");
});

test("Two that flash in less than half of what may flash pass together, and five do not", async () => {
  const box = { width: 80, height: 60, mode: "contain", ratio: 1 };
  const rig = new Rig();
  const open = async () => (await guarded("hold", { rig, box })).player;
  const players = [await open(), await open()];
  await Promise.all(players.map((player) => player.reaches("passes")));
  while (players.length < 5) players.push(await open());
  await Promise.all(players.map((player) => player.reaches("held")));
});

test("A policy that comes later stops what plays, and one of none lets it go on", async () => {
  const { rig, player } = await guarded(undefined);
  player.command(play);
  await pass(rig, 1000);
  assert.ok(player.frames().length >= 10);
  player.send("flashes", { policy: "hold" });
  await player.reaches("held");
  const before = player.frames().length;
  await pass(rig, 3000);
  assert.equal(player.frames().length, before);
  player.send("flashes", { policy: "allow" });
  await player.reaches("unjudged");
  await pass(rig, 1000);
  assert.ok(player.frames().length >= before + 9);
});

test("A player that leaves while its GIF waits for a verdict keeps no other one waiting", async () => {
  const rig = new Rig();
  const open = () => rig.open(new Blob([flashingGIF()]), { options: { flashes: "hold" }, box: BOX });
  const players = Array.from({ length: 5 }, open);
  await Promise.all(players.map((player) => player.loaded()));
  await rig.until(() => players.every((player) => player.of("flashes").length > 0));
  for (const place of [0, 1, 3]) players[place].send("close");
  await rig.until(() => [2, 4].every((place) => players[place].of("flashes").at(-1).state === "held"));
});

test("A player that leaves while the judge is loaded does not count beside another one", async () => {
  const box = { width: 128, height: 96, mode: "contain", ratio: 1 };
  const rig = new Rig();
  const left = rig.open(new Blob([flashingGIF()]), { options: { flashes: "hold" }, box });
  await rig.until(() => left.of("info").length > 0);
  left.send("close");
  const { player } = await guarded("hold", { rig, box });
  await rig.until(() => ["passes", "held"].includes(player.states().at(-1)));
  assert.deepEqual([player.states().at(-1), left.of("flashes")], ["passes", []]);
});
