import assert from "node:assert/strict";
import test from "node:test";
import { Canvas, COMMANDS, Engine, EngineTrap, HeldFile, Rig, sample } from "./rig.mjs";

const { play, pause, seekToFrame, seekInLoop, step, rate, mode, range, beginScrubbing, endScrubbing } = COMMANDS;

async function playing(name = "thrice.gif", options = {}) {
  const rig = new Rig();
  const player = rig.open(await sample(name), options);
  await player.loaded();
  return { rig, player };
}

/** Does work while a file of seven bytes stops the engine. */
async function withTrap(work) {
  const { append } = Engine.prototype;
  Engine.prototype.append = function (image, bytes) {
    if (bytes.length !== 7) return append.call(this, image, bytes);
    this.isBroken = true;
    throw new EngineTrap("append");
  };
  try {
    await work();
  } finally {
    Engine.prototype.append = append;
  }
}

test("A player shows the first frame, and rests", async () => {
  const { rig, player } = await playing("gallop.gif");
  assert.deepEqual(player.frames(), [0]);
  await rig.advance(10000);
  assert.deepEqual(player.frames(), [0]);
  assert.equal(rig.clock.at, Infinity);
});

test("Frames are shown in order, each at its time", async () => {
  const { rig, player } = await playing("gallop.gif");
  player.command(play);
  for (let index = 1; index < 30; index += 1) {
    await rig.advance(29);
    assert.equal(player.frames().length, index, `before frame ${index}`);
    await rig.advance(1);
    assert.equal(player.frames().at(-1), index);
  }
  await rig.advance(30);
  const last = player.events("frame").at(-1);
  assert.deepEqual([last.frame, last.loop, last.cause, last.lateness, last.skipped], [0, 1, "loop", 0, 0]);
  assert.equal(player.events("loop").length, 1);
});

test("A file that plays three times ends after three loops", async () => {
  const { rig, player } = await playing();
  player.command(play);
  await rig.advance(60000);
  assert.equal(player.events("loop").length, 3);
  assert.equal(player.events("finished").length, 1);
  assert.equal(player.last.state, "finished");
  assert.equal(rig.clock.at, Infinity);
});

test("The plays may be set, and set again", async () => {
  const { rig, player } = await playing("gallop.gif", { options: { plays: 1 } });
  player.command(play);
  await rig.advance(900);
  assert.equal(player.last.state, "finished");
  player.send("options", { options: { plays: Infinity } });
  player.command(play);
  await rig.advance(5000);
  assert.equal(player.last.state, "playing");
});

test("Frames that come late are skipped, waited for, or caught up with", async () => {
  for (const [late, shown] of [["skip", [[3, 2, 10], [4, 0, 0]]], ["wait", [[1, 0, 70], [2, 0, 0]]],
    [1, [[2, 1, 40], [3, 0, 25], [4, 0, 0]]], [5, [[1, 0, 70], [2, 0, 55], [3, 0, 40]]]]) {
    const { rig, player } = await playing("gallop.gif", { options: { late } });
    player.command(play);
    await rig.settled();
    // The host sleeps over three frames of 30 ms.
    rig.clock.time += 100;
    await rig.advance(40);
    const found = player.events("frame").slice(1).map(({ frame, skipped, lateness }) => [frame, skipped, lateness]);
    assert.deepEqual(found, shown, `late ${late}`);
  }
});

test("A pause keeps the rest of the frame's time", async () => {
  const { rig, player } = await playing("gallop.gif");
  player.command(play);
  await rig.advance(40);
  player.command(pause);
  await rig.advance(5000);
  assert.equal(player.frames().at(-1), 1);
  player.command(play);
  await rig.advance(19);
  assert.equal(player.frames().at(-1), 1);
  await rig.advance(1);
  assert.equal(player.frames().at(-1), 2);
});

test("Seeks, steps, speed, mode and range do what they say", async () => {
  const { rig, player } = await playing("gallop.gif");
  player.command(seekToFrame, 12);
  player.command(step, 2);
  player.command(step, -1);
  player.command(seekInLoop, 15);
  await rig.settled();
  assert.deepEqual(player.frames(), [0, 12, 14, 13, 0]);
  player.command(range, 5, 8);
  player.command(mode, 1);
  player.command(rate, 2);
  player.command(play);
  await rig.advance(60);
  assert.deepEqual(player.frames().slice(-4), [7, 6, 5, 7]);
  assert.equal(player.last.duration, 90);
});

test("While the user drags, time stands; then it goes on", async () => {
  const { rig, player } = await playing("gallop.gif");
  player.command(play);
  await rig.advance(35);
  player.command(beginScrubbing);
  player.command(seekToFrame, 20);
  await rig.advance(500);
  assert.equal(player.frames().at(-1), 20);
  player.command(endScrubbing);
  await rig.advance(30);
  assert.equal(player.frames().at(-1), 21);
});

test("An unseen player decodes nothing, wakes nothing, and shows the right frame when it is seen", async () => {
  const { rig, player } = await playing("gallop.gif");
  player.command(play);
  await rig.advance(30);
  player.send("see", { isVisible: false });
  rig.clock.rest();
  await rig.settled();
  const { decodes } = (await rig.ask(null, "statistics")).value;
  const shown = player.frames().length;
  assert.equal(rig.clock.at, Infinity);
  await rig.advance(300);
  rig.clock.rest();
  assert.equal((await rig.ask(null, "statistics")).value.decodes, decodes);
  assert.equal(player.frames().length, shown);
  player.send("see", { isVisible: true });
  await rig.settled();
  assert.equal(player.frames().at(-1), 1);
});

test("The time of an unseen player stands: its loops are all seen, and none is told of meanwhile", async () => {
  const { rig, player } = await playing("thrice.gif");
  player.command(play);
  await rig.advance(200);
  const { time, frame } = player.last;
  for (const [hide, show] of [[["see", { isVisible: false }], ["see", { isVisible: true }]], [["page", { isHidden: true }], ["page", { isHidden: false }]]]) {
    const tell = ([op, values]) => (op === "page" ? rig.host.receive({ op, ...values }) : player.send(op, values));
    tell(hide);
    await rig.advance(60_000);
    assert.deepEqual([player.last.speed, player.last.frame, player.events("loop").length], [0, frame, 0]);
    tell(show);
    await rig.settled();
    assert.ok(Math.abs(player.last.time - time) < 30, `${player.last.time} after ${time}`);
    assert.notEqual(player.last.speed, 0);
  }
  await rig.advance(60_000);
  assert.equal(player.events("loop").length, 3);
  assert.equal(player.events("end").length + player.events("finished").length, 1);
});

test("A hidden page stops every player's frames", async () => {
  const { rig, player } = await playing("gallop.gif");
  player.command(play);
  await rig.settled();
  rig.host.receive({ op: "page", isHidden: true });
  await rig.settled();
  assert.equal(rig.clock.at, Infinity);
  rig.host.receive({ op: "page", isHidden: false });
  await rig.settled();
  assert.ok(rig.clock.at < Infinity);
});

test("The next frame is drawn ahead when there is time", async () => {
  const { rig, player } = await playing("gallop.gif");
  player.command(play);
  await rig.settled();
  rig.clock.rest();
  const before = (await rig.ask(null, "statistics")).value.decodes;
  await rig.advance(30);
  assert.equal(player.frames().at(-1), 1);
  assert.equal((await rig.ask(null, "statistics")).value.decodes, before);
});

test("A loop that fits into the budget is decoded once", async () => {
  const { rig, player } = await playing("gallop.gif");
  player.command(play);
  for (let frame = 0; frame < 30; frame += 1) await rig.advance(30);
  const { decodes, storedBytes } = (await rig.ask(null, "statistics")).value;
  assert.ok(storedBytes > 0);
  const puts = player.canvas.puts.length;
  for (let frame = 0; frame < 60; frame += 1) await rig.advance(30);
  assert.equal((await rig.ask(null, "statistics")).value.decodes, decodes);
  assert.equal(player.canvas.puts.length, puts + 60);
  player.command(step, 3);
  await rig.settled();
  assert.equal(player.canvas.puts.length, puts + 63, "three parts lead to the frame");
  assert.equal((await rig.ask(null, "statistics")).value.decodes, decodes);
});

test("A loop that does not fit is decoded again, and a small budget takes what is kept", async () => {
  const { rig, player } = await playing("gallop.gif");
  player.command(play);
  for (let frame = 0; frame < 30; frame += 1) await rig.advance(30);
  rig.host.receive({ op: "configure", budget: 1 << 20 });
  const before = (await rig.ask(null, "statistics")).value;
  assert.equal(before.storedBytes, 0);
  for (let frame = 0; frame < 60; frame += 1) await rig.advance(30);
  const after = (await rig.ask(null, "statistics")).value;
  assert.ok(after.decodes >= before.decodes + 60);
  assert.ok(after.storedBytes <= 1 << 20);
});

test("Only what has changed is put on the canvas", async () => {
  const { rig, player } = await playing("gallop.gif");
  player.command(play);
  await rig.advance(30);
  assert.deepEqual(player.canvas.puts[0].part, []);
  assert.equal(player.canvas.puts[1].part.length, 4);
  player.command(seekToFrame, 9);
  await rig.settled();
  assert.deepEqual(player.canvas.puts[2].part, []);
});

test("A player decodes at the size at which it is seen, where that is much smaller", async () => {
  const { rig, player } = await playing("gallop.gif", { box: { width: 96, height: 64, mode: "contain" } });
  assert.deepEqual([player.canvas.width, player.canvas.height], [96, 54]);
  player.send("box", { box: { width: 300, height: 200, mode: "contain" } });
  await rig.settled();
  assert.deepEqual([player.canvas.width, player.canvas.height], [480, 270], "not worth scaling");
  player.send("box", { box: { width: 4800, height: 2700, mode: "contain" } });
  await rig.settled();
  assert.deepEqual([player.canvas.width, player.canvas.height], [480, 270]);
});

test("Players of one address share the image", async () => {
  const rig = new Rig();
  const url = URL.createObjectURL(await sample("gallop.gif"));
  const players = [rig.open({ url }), rig.open({ url }), rig.open({ url })];
  await Promise.all(players.map((player) => player.loaded()));
  const { images, players: count, renderers } = (await rig.ask(null, "statistics")).value;
  assert.deepEqual([images, count, renderers], [1, 3, 1]);
  players.forEach((player) => player.send("close"));
  assert.equal((await rig.ask(null, "statistics")).value.images, 0);
});

test("A GIF plays while it arrives, waits where it ends, and goes on", async () => {
  const rig = new Rig();
  const bytes = new Uint8Array(await (await sample("gallop.gif")).arrayBuffer());
  const file = new HeldFile();
  const player = rig.open(file);
  player.command(play);
  file.send(bytes.subarray(0, 120000));
  await rig.until(() => player.of("info").length && player.frames().length);
  await rig.advance(3000);
  assert.equal(player.last.isBuffering, true);
  const last = player.frames().at(-1);
  assert.ok(last > 1);
  file.send(bytes.subarray(120000));
  file.end();
  await player.loaded();
  await rig.advance(30);
  assert.deepEqual(player.frames().slice(0, last + 2), Array.from({ length: last + 2 }, (_, index) => index));
  assert.equal(player.last.isBuffering, false);
});

test("A seek to a frame that has not arrived waits for it", async () => {
  const rig = new Rig();
  const bytes = new Uint8Array(await (await sample("gallop.gif")).arrayBuffer());
  const file = new HeldFile();
  const player = rig.open(file);
  player.command(seekToFrame, 20);
  file.send(bytes.subarray(0, 120000));
  await rig.until(() => player.frames().length);
  assert.equal(player.last.ack, 0);
  file.send(bytes.subarray(120000));
  file.end();
  await rig.until(() => player.last.ack === 1);
  assert.equal(player.frames().at(-1), 20);
});

test("The host reports an unwatched player's frames only where it must", async () => {
  const { rig, player } = await playing("gallop.gif", { isWatched: false });
  player.command(play);
  await rig.advance(1000);
  assert.deepEqual(player.events("loop").length, 1);
  const before = player.of("answer").length;
  await rig.advance(500);
  assert.equal(player.of("answer").length, before);
  player.send("watch");
  await rig.advance(60);
  assert.ok(player.of("answer").length > before);
});

test("The page knows the frame of an unwatched player that comes into sight while it plays", async () => {
  const { rig, player } = await playing("gallop.gif", { isWatched: false, isVisible: false });
  player.command(play);
  await rig.advance(100);
  assert.equal(player.last.frame, -1);
  player.send("see", { isVisible: true });
  await rig.settled();
  // Time runs from the first frame that is shown.
  assert.equal(player.last.frame, 0);
});

test("The end of the file brings comments, applications and diagnostics", async () => {
  const { player } = await playing("gallop.gif");
  const { comments, applications, diagnostics } = player.of("info").at(-1);
  assert.deepEqual(comments, ["A horse at a gallop. Made by Gallop."]);
  assert.equal(applications[0].identifier, "NETSCAPE2.0");
  assert.deepEqual(diagnostics, []);
});

test("Questions are answered, and a wrong one harms nothing", async () => {
  const { rig, player } = await playing("gallop.gif");
  assert.equal((await rig.ask(player, "frames")).value.length, 30);
  const { value } = await rig.ask(player, "capture", 7);
  assert.deepEqual([value.width, value.height, value.frame, value.pixels.length], [480, 270, 7, 480 * 270 * 4]);
  assert.equal((await rig.ask(player, "capture", 700)).error.code, "noSuchFrame");
  assert.equal((await rig.ask({ id: 99 }, "frames")).error.code, "notLoaded");
  assert.deepEqual(player.of("error"), []);
});

test("What is no GIF, and what has no frame, fails with a reason", async () => {
  const rig = new Rig();
  assert.equal((await rig.open(new Blob(["no picture at all"])).failed()).code, "notAGIF");
  assert.equal((await rig.open(await sample("gallop.gif", 430)).failed()).code, "noFrames");
  assert.equal((await rig.open(new Blob([])).failed()).code, "emptyFile");
});

test("A trap ends one GIF; the others go on where they were", async () => {
  const rig = new Rig();
  const good = rig.open({ url: URL.createObjectURL(await sample("gallop.gif")) });
  const resting = rig.open({ url: URL.createObjectURL(await sample("thrice.gif")) });
  await Promise.all([good.loaded(), resting.loaded()]);
  good.command(mode, 1);
  good.command(play);
  resting.command(seekToFrame, 2);
  await rig.advance(95);
  const before = good.frames().at(-1);
  await withTrap(async () => {
    const [goodAnswers, restingAnswers] = [good.of("answer").length, resting.of("answer").length];
    const bad = rig.open(new Blob(["1234567"]));
    assert.equal((await bad.failed()).code, "engineTrap");
    await rig.until(() => good.of("answer").length > goodAnswers && resting.of("answer").length > restingAnswers);
    await rig.advance(30);
    assert.equal(good.frames().at(-1), (before + 29) % 30);
    assert.equal(good.last.state, "playing");
    assert.equal(resting.frames().at(-1), 2);
    assert.equal(resting.last.state, "paused");
    assert.deepEqual([...good.of("error"), ...resting.of("error")], []);
    assert.equal((await rig.ask(null, "statistics")).value.restarts, 1);
  });
});

test("After a trap, files come from memory: their addresses need not work any more", async () => {
  const rig = new Rig();
  const url = URL.createObjectURL(await sample("gallop.gif"));
  const good = rig.open({ url });
  await good.loaded();
  good.command(play);
  await rig.advance(95);
  URL.revokeObjectURL(url);
  await withTrap(async () => {
    const answers = good.of("answer").length;
    await rig.open(new Blob(["1234567"])).failed();
    await rig.until(() => good.of("answer").length > answers || good.of("error").length);
    assert.deepEqual(good.of("error"), []);
    await rig.advance(30);
    assert.equal(good.last.state, "playing");
    assert.equal(good.of("info").at(-1).info.isComplete, true);
  });
});

test("A player that needs the first frame alone reads no further, until it is to play", async () => {
  const rig = new Rig();
  const bytes = new Uint8Array(await (await sample("gallop.gif")).arrayBuffer());
  const file = new HeldFile();
  const player = rig.open(file, { isLazy: true });
  file.send(bytes.subarray(0, 120000));
  await rig.until(() => player.of("suspend").length && player.frames().length);
  file.send(bytes.subarray(120000));
  file.end();
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(player.of("info").at(-1).info.isComplete, false);
  player.command(rate, 2);
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(player.of("info").at(-1).info.isComplete, false);
  player.command(play);
  await player.loaded();
  await rig.advance(30);
  assert.ok(player.frames().length > 1);
});

test("The budget takes the memory of unseen images first", async () => {
  const rig = new Rig();
  const seen = rig.open(await sample("gallop.gif"));
  const unseen = rig.open(await sample("spheres.gif"), { isVisible: true });
  await Promise.all([seen.loaded(), unseen.loaded()]);
  unseen.send("see", { isVisible: false });
  assert.equal((await rig.ask(null, "statistics")).value.renderers, 2);
  seen.command(play);
  rig.host.receive({ op: "configure", budget: 1 << 10 });
  assert.equal((await rig.ask(null, "statistics")).value.renderers, 1);
});

test("A memory that is mostly empty is left for a fresh one, and the playing goes on", async () => {
  const rig = new Rig({ largeMemory: 1 << 20 });
  const url = URL.createObjectURL(await sample("spinner.gif"));
  const player = rig.open({ url });
  const large = rig.open(new Blob([await sample("gallop.gif")]));
  await Promise.all([player.loaded(), large.loaded()]);
  for (const size of [150, 120, 90]) {
    large.send("box", { box: { width: size, height: size, mode: "stretch" } });
  }
  player.command(play);
  await rig.advance(300);
  const { memoryBytes } = (await rig.ask(null, "statistics")).value;
  const answers = player.of("answer").length;
  URL.revokeObjectURL(url);
  large.send("close");
  await rig.until(() => player.of("answer").length > answers);
  assert.ok((await rig.ask(null, "statistics")).value.memoryBytes < memoryBytes);
  await rig.advance(1000);
  assert.equal(player.last.state, "playing");
  assert.deepEqual(player.of("error"), []);
});

test("Ten thousand players that come and go leave nothing behind", async () => {
  const rig = new Rig();
  const url = URL.createObjectURL(await sample("spinner.gif"));
  for (let index = 0; index < 10000; index += 1) {
    const player = rig.open({ url }, { isWatched: false });
    if (index % 100 === 0) await player.loaded();
    if (index % 3) player.command(play);
    player.send("close");
  }
  const { images, players, elements, canvasBytes } = (await rig.ask(null, "statistics")).value;
  assert.deepEqual([images, players, elements, canvasBytes], [0, 0, 0, 0]);
});

test("A canvas gives its memory back at the end", async () => {
  const canvas = new Canvas();
  const { rig, player } = await playing("gallop.gif", { canvas });
  player.send("close");
  await rig.settled();
  assert.deepEqual([canvas.width, canvas.height], [0, 0]);
});

test("A canvas that is kept goes to the next player, and shows nothing between", async () => {
  const canvas = new Canvas();
  const { rig, player } = await playing("gallop.gif", { canvas });
  player.send("close", { isCanvasKept: true });
  assert.deepEqual([canvas.width, canvas.height, canvas.clears], [1, 1, 1]);
  const next = rig.open(await sample("spinner.gif"), { canvasOf: player.id });
  await next.loaded();
  assert.deepEqual([canvas.width, canvas.height], [128, 128]);
  assert.deepEqual(canvas.puts.at(-1).part, [], "all of the picture");
  next.send("close");
  assert.deepEqual([canvas.width, canvas.height], [0, 0]);
});

test("A canvas that waits for a player gives its memory back when its element goes", async () => {
  const canvas = new Canvas();
  const { player } = await playing("gallop.gif", { canvas });
  player.send("close", { isCanvasKept: true });
  player.send("close", { isCanvasKept: false });
  assert.deepEqual([canvas.width, canvas.height], [0, 0]);
});
