// Compares the engine with one line of expected.jsonl, as Tests/Conformance/conformance.py does. For Node and browsers.

/** The differences of a file; an empty list if it passes. */
export async function compareRow(engine, row, bytes, pieceBytes = bytes.length) {
  let image = 0;
  try {
    image = engine.openImage();
    for (let start = 0; start < bytes.length; start += pieceBytes) {
      engine.append(image, bytes.subarray(start, start + pieceBytes));
    }
    engine.finish(image);
    const info = engine.info(image);
    if (row.agree === "rejected") return info.frameCount === 0 ? [] : ["finds frames in a file that browsers reject"];
    return [...compareInfo(engine, image, info, row), ...(await comparePictures(engine, image, info, row))];
  } catch (error) {
    if (error.code === "engineTrap" || !error.code) return [`stopped: ${error.stack}`];
    if (row.agree === "rejected" || !hashesOf(row).some(Boolean)) return [];
    return [`error: ${error.message}`];
  } finally {
    if (image && !engine.isBroken) engine.releaseImage(image);
  }
}

function hashesOf(row) {
  const hashes = row.frames.map(({ sha }) => sha);
  if (row.shown && hashes.length && hashes[0] === null) hashes[0] = row.shown;
  return hashes;
}

function compareInfo(engine, image, info, row) {
  const found = [];
  const check = (what, got, wanted) => {
    if (got !== wanted) found.push(`${what}: ${got} instead of ${wanted}`);
  };
  check("width", info.width, row.width);
  check("height", info.height, row.height);
  check("frames", info.frameCount, row.frameCount);
  if (row.plays !== null) check("plays", info.plays, row.plays === "forever" ? Infinity : row.plays);
  const frames = engine.frames(image);
  row.frames.forEach(({ rawMs, ms }, index) => {
    if (rawMs !== null) check(`frame ${index} stored delay`, frames[index]?.storedDelay, rawMs);
    if (ms !== null) check(`frame ${index} delay`, frames[index]?.delay, ms);
  });
  return found;
}

async function comparePictures(engine, image, info, row) {
  const hashes = hashesOf(row);
  const found = [];
  for (let index = 0; index < hashes.length && hashes.some(Boolean); index += 1) {
    const { pixels } = engine.draw(image, 0, 0, index);
    if (hashes[index] === null) continue;
    const got = await hashOf(pixels);
    if (got !== hashes[index]) found.push(`frame ${index} picture: ${got} instead of ${hashes[index]}`);
  }
  return found;
}

/** The first 16 hex digits of the hash of straight RGBA, with black where it is transparent. */
export async function hashOf(pixels) {
  const copy = pixels.slice();
  const words = new Uint32Array(copy.buffer);
  for (let index = 0; index < words.length; index += 1) if (copy[4 * index + 3] === 0) words[index] = 0;
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", copy));
  return Array.from(digest.subarray(0, 8), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** "passed/total" for each class. */
export function table(results) {
  const counts = {};
  for (const { row, differences } of results) {
    const count = (counts[row.agree] ??= [0, 0]);
    count[0] += differences.length === 0 ? 1 : 0;
    count[1] += 1;
  }
  return Object.fromEntries(Object.entries(counts).map(([name, [passed, total]]) => [name, `${passed}/${total}`]));
}
