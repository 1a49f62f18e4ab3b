// Times whole decodes in Node, as `gallop bench decode --json` does: decode.mjs PACKAGE REPEAT FILE...
//
// From the bytes in memory until every canvas has stood complete once, opening included. The best of this many runs, and of
// as many more as fit into a tenth of a second: Node compiles a function for speed once it has run for a while.

import { readFile } from "node:fs/promises";
import { pathToFileURL } from "node:url";

const [folder, repeat, ...files] = process.argv.slice(2);
const { loadEngine } = await import(new URL("node.js", pathToFileURL(`${folder}/`)));
const engine = await loadEngine();

function decode(bytes) {
  const start = performance.now();
  const image = engine.openImage();
  engine.append(image, bytes);
  engine.finish(image);
  const { frameCount } = engine.info(image);
  for (let frame = 0; frame < frameCount; frame += 1) engine.prepare(image, 0, 0, frame);
  engine.releaseImage(image);
  return performance.now() - start;
}

for (const path of files) {
  const bytes = await readFile(path);
  const end = performance.now() + 100;
  let best = Infinity;
  for (let run = 0; run < Number(repeat) || performance.now() < end; run += 1) best = Math.min(best, decode(bytes));
  console.log(JSON.stringify({ path, milliseconds: best }));
}
