import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import test from "node:test";
import { folder, load } from "./package_folder.mjs";

const { loadEngine, openGIF, GIF } = await load("node.js");
const { COMMANDS, EngineTrap, GallopError } = await load("engine.js");
// The numbers of gallop.h.
const [VISIBLE, HIDDEN] = [0, 2];
const samples = new URL("../../../../Samples/GIFs/", import.meta.url);

test("The package may be imported where there is no document", async () => {
  const { GallopGIF, define } = await load("index.js");
  define();
  assert.equal(typeof GallopGIF, "function");
});

test("A file gives its size, frames and palette", async () => {
  const gif = await openGIF(new URL("gallop.gif", samples));
  assert.ok(gif instanceof GIF);
  assert.equal(gif.info.width, 480);
  assert.equal(gif.info.frameCount, gif.frames().length);
  assert.match(gif.palette()[0], /^#[0-9a-f]{6}$/);
  assert.equal(gif.palette().length, gif.info.globalPaletteSize);
  assert.deepEqual(gif.check(), []);
  assert.equal([...gif].length, gif.info.frameCount);
  gif.close();
});

test("Bytes, a Blob, a stream and a path give the same frames", async () => {
  const url = new URL("spinner.gif", samples);
  const bytes = await readFile(url);
  async function* pieces() {
    for (const byte of bytes) yield Uint8Array.of(byte);
  }
  const wanted = (await openGIF(url)).frame(2).data;
  for (const input of [new Uint8Array(bytes), new Blob([bytes]), bytes.buffer.slice(bytes.byteOffset,
    bytes.byteOffset + bytes.length), pieces()]) {
    assert.deepEqual((await openGIF(input)).frame(2).data, wanted);
  }
});

test("A frame may be drawn smaller", async () => {
  const gif = await openGIF(new URL("gallop.gif", samples));
  const { data, width, height } = gif.frame(3, { width: 48, height: 27 });
  assert.deepEqual([width, height, data.length], [48, 27, 48 * 27 * 4]);
});

test("What is no GIF is refused with a code and a sentence", async () => {
  await assert.rejects(openGIF(new Uint8Array([1, 2, 3, 4, 5, 6, 7, 8])), (error) => {
    assert.ok(error instanceof GallopError);
    assert.equal(error.code, "notAGIF");
    assert.equal(error.message, "The file is not a GIF.");
    return true;
  });
});

test("A frame that is not there is refused with its number and the limit", async () => {
  const gif = await openGIF(new URL("thrice.gif", samples));
  assert.throws(() => gif.frame(999), { code: "noSuchFrame", value: 999 });
});

test("A limit is kept", async () => {
  const gif = await openGIF(new URL("gallop.gif", samples), { limits: { canvasPixels: 100 } });
  assert.throws(() => gif.frame(0), { code: "canvasTooLarge", value: 480 * 270, limit: 100 });
});

test("Stale handles are refused, and harm nothing", async () => {
  const engine = await loadEngine();
  const image = engine.openImage();
  engine.releaseImage(image);
  assert.throws(() => engine.info(image), { code: "noSuchObject" });
  assert.throws(() => engine.openPlayer(image), { code: "noSuchObject" });
  assert.throws(() => engine.perform(77, 1), { code: "noSuchObject" });
  assert.notEqual(engine.openImage(), image);
});

test("After a trap every call says so", async () => {
  const engine = await loadEngine();
  engine.isBroken = true;
  assert.throws(() => engine.openImage(), EngineTrap);
});

test("What is released leaves nothing behind", async () => {
  const engine = await loadEngine();
  const bytes = await readFile(new URL("spinner.gif", samples));
  const round = async () => {
    const gif = await openGIF(new Uint8Array(bytes), { engine });
    gif.frame(1);
    gif.close();
  };
  for (let index = 0; index < 50; index += 1) await round();
  const before = engine.memoryBytes;
  for (let index = 0; index < 2000; index += 1) await round();
  assert.equal(engine.memoryBytes, before);
  const { images, players, renderers, canvasBytes, compressedBytes } = engine.statistics();
  assert.deepEqual([images, players, renderers, canvasBytes, compressedBytes], [0, 0, 0, 0, 0]);
});

test("The module imports nothing", async () => {
  const module = await WebAssembly.compile(await readFile(`${folder}gallop.wasm`));
  assert.deepEqual(WebAssembly.Module.imports(module), []);
});

test("A value that is no number does a player no harm", async () => {
  const engine = await loadEngine();
  const image = engine.openImage();
  engine.append(image, await readFile(new URL("spinner.gif", samples)));
  engine.finish(image);
  for (const value of [NaN, undefined, Infinity, -Infinity, 1e300]) {
    const player = engine.openPlayer(image, { rate: value, late: value });
    for (const command of Object.values(COMMANDS)) engine.perform(player, command, value, value, value);
    assert.notEqual(engine.perform(player, COMMANDS.tick, 0, 0, value).state, "failed");
    engine.releasePlayer(player);
  }
});

test("A player that becomes visible reports the frame to be seen", async () => {
  const engine = await loadEngine();
  const image = engine.openImage();
  engine.append(image, await readFile(new URL("spinner.gif", samples)));
  engine.finish(image);
  const player = engine.openPlayer(image, { isComplete: true });
  const causes = (command, value, now) =>
    engine.perform(player, command, value, 0, now).events.filter((event) => event.kind === "frame")
      .map((event) => event.cause);
  causes(COMMANDS.visibility, HIDDEN, 0);
  assert.deepEqual(causes(COMMANDS.play, 0, 0), []);
  assert.deepEqual(causes(COMMANDS.visibility, VISIBLE, 1000), ["play"]);
  causes(COMMANDS.pause, 0, 1000);
  assert.deepEqual(causes(COMMANDS.visibility, HIDDEN, 1000), []);
  assert.deepEqual(causes(COMMANDS.visibility, VISIBLE, 2000), ["appear"]);
  engine.releasePlayer(player);
});
