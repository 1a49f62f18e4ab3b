// Decoding without an element, in the page and in a worker.

import { openGIF } from "/gallop/open.js";
import { equal, ok, rejects, test, until } from "./harness.js";

const GALLOP = "/gifs/gallop.gif";
const sum = (pixels) => pixels.reduce((total, value, index) => (total + value * (index % 251)) % 1e9, 0);

test("Addresses, responses, bytes, blobs and streams give the same frames", async () => {
  const bytes = new Uint8Array(await (await fetch(GALLOP)).arrayBuffer());
  async function* pieces() {
    for (let start = 0; start < bytes.length; start += 10_000) yield bytes.subarray(start, start + 10_000);
  }
  const inputs = [GALLOP, new URL(GALLOP, location.href), new Request(GALLOP), await fetch(GALLOP), bytes, bytes.buffer,
    new DataView(bytes.buffer), new Blob([bytes]), new Blob([bytes]).stream(), pieces()];
  const sums = [];
  for (const input of inputs) {
    const gif = await openGIF(input);
    equal([gif.info.width, gif.info.height, gif.frames().length], [480, 270, gif.info.frameCount]);
    sums.push(sum(gif.frame(11).data));
    gif.close();
  }
  equal(new Set(sums).size, 1, String(sums));
});

test("All frames come in order, and the first one is the one that browsers decode", async () => {
  const gif = await openGIF("/gifs/lissajous.gif");
  const bitmap = await createImageBitmap(await (await fetch("/gifs/lissajous.gif")).blob());
  const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext("2d");
  context.drawImage(bitmap, 0, 0);
  const frames = [...gif];
  equal(frames.length, gif.info.frameCount);
  equal(sum(frames[0].data), sum(context.getImageData(0, 0, bitmap.width, bitmap.height).data));
  ok(sum(frames[0].data) !== sum(frames[5].data));
  const small = gif.frame(5, { width: 40, height: 40 });
  ok(small.width < frames[5].width && small.data.length === small.width * small.height * 4);
});

test("A worker decodes the same", async () => {
  const worker = new Worker("/tests/browser/open_worker.js", { type: "module" });
  worker.postMessage(new URL(GALLOP, location.href).href);
  const { data } = await until(worker, "message");
  worker.terminate();
  const gif = await openGIF(GALLOP);
  equal([data.width, data.height, data.frames, sum(data.data)], [480, 270, gif.info.frameCount, sum(gif.frame(11).data)]);
});

test("What is no GIF, or not there, is an error with a code; anything else a TypeError", async () => {
  await rejects(openGIF("/tests/browser/pixel.png"), "notAGIF");
  const missing = await rejects(openGIF("/tests/nothing.gif"), "unreadable");
  equal(missing.value, 404);
  const cut = openGIF(`/cut/open${GALLOP}?first=1000`);
  await fetch("/release/open");
  await rejects(cut, "unreadable");
  await rejects(openGIF(new TextEncoder().encode("GIF89a\x01\0\x01\0\0\0\0;")), "noFrames");
  await rejects(openGIF(42), "TypeError");
});
