// A frame has the same pixels in whatever order frames are asked for: those that the command line writes.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import test from "node:test";
import { fileURLToPath } from "node:url";
import { hashesJustOpened, randomNumbers, shuffled, WAYS } from "../shared/orders.js";
import { load } from "./package_folder.mjs";

const { GallopError, openGIF } = await load("node.js");
const ROOT = fileURLToPath(new URL("../../../../", import.meta.url));
const FOLDER = process.env.GALLOP_CONFORMANCE ? `${process.env.GALLOP_CONFORMANCE}/gifs`
  : `${ROOT}Tests/Conformance/suite/gifs`;
const TOOL = process.env.GALLOP_TOOL ?? `${ROOT}.build/release/gallop`;
const SEED = Number(process.env.GALLOP_SEED ?? 1);
const COUNT = 100;
/** Larger GIFs take longer than they tell. */
const MOST_BYTES = 300_000;
const MOST_FRAMES = 60;
const MOST_PIXELS = 5_000_000;
const JUST_OPENED = "each of a GIF just opened";

const hash = (bytes) => createHash("md5").update(bytes).digest("hex");
const shorter = (values) => values.map((value) => value.slice(0, 8)).join(" ");

/** The GIFs of the folder up to a size. */
async function filesBelow(byteCount) {
  const names = (await readdir(FOLDER, { recursive: true })).filter((name) => name.endsWith(".gif")).sort();
  const files = names.map((name) => `${FOLDER}/${name}`);
  const sizes = await Promise.all(files.map(async (file) => (await stat(file)).size));
  return files.filter((_, index) => sizes[index] <= byteCount);
}

/** What the command line says of the files: the frames' hashes by the file's path; none for a file that it refuses. */
async function hashesOfTool(files) {
  const text = await new Promise((resolve, reject) => {
    const options = { maxBuffer: 1 << 28 };
    execFile(TOOL, ["info", "--json", "--hashes", "--quiet", ...files], options, (error, stdout) => {
      // A status other than 0 says that some files were refused.
      if (error && typeof error.code !== "number") reject(error);
      else resolve(stdout);
    });
  });
  const rows = text.split("\n").filter(Boolean).map((line) => JSON.parse(line));
  return new Map(rows.map(({ path, frames = [] }) => [path, frames.map(({ md5 }) => md5)]));
}

async function hashesOf(file, way, random) {
  if (way === JUST_OPENED) return hashesJustOpened(() => openGIF(file), hash);
  const gif = await openGIF(file);
  try {
    return WAYS[way](gif, hash, random);
  } finally {
    gif.close();
  }
}

/** The GIF of a file whose frames can be drawn; null for others. */
async function drawable(file) {
  let gif;
  try {
    gif = await openGIF(file);
    gif.frame(0);
    return gif;
  } catch (error) {
    gif?.close();
    if (!(error instanceof GallopError)) throw error;
    return null;
  }
}

/** A GIF of many pixels is only iterated: other orders decode its frames again and again. */
function waysFor({ width, height, frameCount }) {
  const isLarge = frameCount > MOST_FRAMES || width * height * frameCount > MOST_PIXELS;
  return isLarge ? ["iterated"] : [...Object.keys(WAYS), JUST_OPENED];
}

test(`Frames of ${COUNT} GIFs are the command line's, in whatever order they are asked for`, async (t) => {
  const random = randomNumbers(SEED);
  const files = shuffled(await filesBelow(MOST_BYTES), random).slice(0, COUNT);
  const isToolThere = existsSync(TOOL);
  const wanted = isToolThere ? await hashesOfTool(files) : new Map();
  if (!isToolThere) t.diagnostic("no command line tool: the orders are compared with each other");
  const counts = { files: 0, blank: 0 };
  const differences = [];
  for (const file of files) {
    const name = file.slice(FOLDER.length + 1);
    const gif = await drawable(file);
    const hasFrames = wanted.get(file)?.length > 0;
    if (isToolThere && hasFrames !== Boolean(gif)) differences.push(`${name}: only one of the two draws it`);
    if (!gif) continue;
    counts.files += 1;
    counts.blank += [...gif].filter(({ status }) => status === "blank").length;
    let first = wanted.get(file);
    for (const way of waysFor(gif.info)) {
      const found = await hashesOf(file, way, random);
      first ??= found;
      if (shorter(found) !== shorter(first)) {
        differences.push(`${name}, ${way}: ${shorter(found)} instead of ${shorter(first)}`);
      }
    }
    gif.close();
  }
  t.diagnostic(`seed ${SEED}: ${counts.files} of ${files.length} files, ${counts.blank} blank frames`);
  assert.deepEqual(differences, []);
  assert.ok(counts.blank > 0, "no frame of them is blank: another seed");
});

test("One side alone keeps a frame's shape", async () => {
  const gif = await openGIF(`${ROOT}Samples/GIFs/gallop.gif`);
  const sizes = [{ width: 160 }, { height: 45 }, { width: 1 }].map((size) => gif.frame(3, size));
  assert.deepEqual(sizes.map(({ width, height }) => [width, height]), [[160, 90], [80, 45], [1, 1]]);
  gif.close();
});

test("A blank frame is transparent at every size, also after another one", async () => {
  let found = 0;
  for (const file of await filesBelow(20_000)) {
    const gif = await drawable(file);
    if (!gif) continue;
    for (const size of [{}, { width: 3, height: 2 }]) {
      for (const frame of gif.frames().keys()) {
        const { data, status } = gif.frame(frame, size);
        if (frame === 0 || status !== "blank") continue;
        found += 1;
        assert.ok(data.every((byte) => byte === 0), `${file}: frame ${frame}`);
      }
    }
    gif.close();
  }
  assert.ok(found > 0, "no frame is blank");
});
