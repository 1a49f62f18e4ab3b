// Puts damaged files through the engine: all calls, with commands at random. An error is right; a trap is not.

const MOST_PIXELS = 1 << 18;
const MOST_FRAMES = 60;

/** Numbers that look random and are the same in every run. */
export function seeded(seed) {
  let state = seed >>> 0 || 1;
  return (limit) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
}

/** The files of a pack: a length of four bytes before each. */
export function* unpack(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let start = 0; start < bytes.length; ) {
    const length = view.getUint32(start, true);
    yield bytes.subarray(start + 4, start + 4 + length);
    start += 4 + length;
  }
}

/** Runs one file; errors of the engine are caught, traps are thrown. Returns whether it played. */
export function exercise(engine, COMMANDS, bytes, seed) {
  const random = seeded(seed);
  const image = engine.openImage({ canvasPixels: 1 << 22, decodedBytes: 1 << 26 });
  let player = 0;
  let now = 0;
  const piece = 1 + random(bytes.length);
  const attempt = (work) => {
    try {
      return work();
    } catch (error) {
      if (error.code === "engineTrap" || !error.code) throw error;
      return undefined;
    }
  };
  const play = (command, a = 0, b = 0) => {
    const answer = attempt(() => engine.perform(player, command, a, b, now));
    const shown = answer?.events.findLast(({ kind }) => kind === "frame");
    if (shown) attempt(() => engine.draw(image, random(3) * 7, random(3) * 5, shown.frame));
    if (answer?.next >= 0) attempt(() => engine.prepare(image, 0, 0, answer.next));
    now = Number.isFinite(answer?.wakeAt) && random(4) > 0 ? Math.max(now, answer.wakeAt) : now + random(400);
  };
  for (let start = 0; start < bytes.length; start += piece) {
    attempt(() => engine.append(image, bytes.subarray(start, start + piece)));
    const info = attempt(() => engine.info(image));
    if (!info || info.width * info.height > MOST_PIXELS) continue;
    if (!player) player = attempt(() => engine.openPlayer(image, { mode: ["forward", "reverse", "bounce"][random(3)] }));
    if (player) play(COMMANDS.grow, 0);
  }
  attempt(() => engine.finish(image));
  const info = attempt(() => engine.info(image));
  const isSmall = info && info.width * info.height <= MOST_PIXELS;
  if (isSmall) {
    const count = Math.min(info.frameCount, MOST_FRAMES);
    if (player) play(COMMANDS.grow, 1);
    for (let round = 0; player && round < 20; round += 1) {
      play(random(COMMANDS.poster + 1), random(8) > 0 ? random(count + 2) : NaN, random(count + 2));
      play(COMMANDS.tick);
    }
    for (let index = 0; index < count; index += 1) attempt(() => engine.draw(image, 0, 0, index));
    attempt(() => engine.check(image));
  }
  for (const call of ["frames", "palette", "comments", "applications", "diagnostics"]) attempt(() => engine[call](image));
  attempt(() => engine.evict(image, 0));
  if (player) engine.releasePlayer(player);
  engine.releaseImage(image);
  return Boolean(isSmall);
}
