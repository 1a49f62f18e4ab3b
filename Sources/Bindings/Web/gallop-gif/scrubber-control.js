// Ties a scrubber to a GIF: the playhead follows the frames, and a user's drags seek and choose the range.

/**
 * @param {import("./scrubber.js").GallopScrubber} scrubber
 * @param {HTMLElement} gif a <gallop-gif>, or any element that is like it
 * @returns {() => void} ends the control
 */
export function control(scrubber, gif) {
  const life = new AbortController();
  const on = (target, type, listener) => target.addEventListener(type, listener, { signal: life.signal });
  const measure = () => {
    const last = Math.max(0, gif.frameCount - 1);
    const [first, end] = gif.range ?? [0, Infinity];
    Object.assign(scrubber, { min: 0, max: last, step: 1, start: first, end: end - 1,
      value: Math.max(0, gif.currentFrameIndex) });
  };
  const describe = scrubber.describe;
  // More frames may follow while it loads.
  const count = () => `${gif.frameCount}${gif.metadata?.isComplete === false ? "+" : ""}`;
  scrubber.describe ??= (value) => `frame #${value} of ${count()}`;
  for (const type of ["loadedmetadata", "progress", "emptied"]) on(gif, type, measure);
  on(gif, "framechange", () => {
    scrubber.value = gif.currentFrameIndex;
  });
  // The page may choose the range, too.
  const ranges = new MutationObserver(measure);
  ranges.observe(gif, { attributeFilter: ["range"] });
  on(scrubber, "begin", ({ detail }) => detail.knob === "playhead" && gif.beginScrubbing());
  on(scrubber, "end", ({ detail }) => detail.knob === "playhead" && gif.endScrubbing());
  on(scrubber, "change", ({ detail: { knob, value, start, end } }) => {
    if (knob === "playhead") gif.seekToFrame(value)?.catch(() => {}); // a GIF that is gone has no frames
    else gif.range = start <= 0 && end >= scrubber.max ? null : [start, end + 1];
  });
  measure();
  return () => {
    life.abort();
    ranges.disconnect();
    scrubber.describe = describe;
  };
}
