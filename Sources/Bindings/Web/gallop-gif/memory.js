// The memory of a host: what is evicted to keep the budget, and how images move to a fresh engine.

// A memory of which less than this part is in use is mostly empty.
const USED_PART = 1 / 4;

/**
 * Keeps the budget: first the images that are not seen lose their renderers, then those that stand still.
 * @param {import("./engine.js").Engine} engine
 * @param {import("./loop-store.js").LoopStore} store
 * @param {Iterable<import("./source.js").ImageSource>} sources
 * @param {{budget: number, isSeen: (player: object) => boolean}} rules
 */
export function trim(engine, store, sources, { budget, isSeen }) {
  const { canvasBytes, compressedBytes } = engine.statistics();
  store.limit = Math.max(0, budget - canvasBytes - compressedBytes);
  let excess = canvasBytes + compressedBytes + store.byteCount - budget;
  const images = [...sources].filter(({ image }) => image);
  const isAnySeen = ({ players }) => [...players].some(isSeen);
  const isMoving = ({ players }) => [...players].some((player) => isSeen(player) && player.isPlaying);
  const plans = [[(source) => !isAnySeen(source), 0], [(source) => !isMoving(source), 0], [() => true, 1]];
  for (const [applies, keep] of plans) {
    for (const source of images) {
      if (excess <= 0 || !applies(source)) continue;
      const before = store.byteCount;
      store.evict(source);
      excess += store.byteCount - before;
      if (excess > 0) excess -= engine.evict(source.image, keep);
    }
  }
}

/** Whether an engine's memory is worth leaving: an instance keeps what it once had. */
export function isMostlyEmpty(engine) {
  const { canvasBytes, compressedBytes, memoryBytes } = engine.statistics();
  return canvasBytes + compressedBytes < memoryBytes * USED_PART;
}

/** Gives complete images to a fresh engine. Their players leave the old one. Changes nothing if it throws. */
export function moveImages(engine, sources, limits) {
  const images = sources.map(({ held }) => {
    const image = engine.openImage(limits);
    engine.append(image, held());
    engine.finish(image);
    return image;
  });
  const files = images.map((image) => engine.heldFile(image));
  sources.forEach((source, index) => {
    [source.image, source.held] = [images[index], files[index]];
    for (const player of source.players) player.leave();
  });
}
