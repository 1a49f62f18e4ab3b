// A GIF that plays fewer times than its file says: once, or the rest after a pause.

/**
 * The file with fewer plays.
 * @param {Uint8Array} bytes
 * @param {number} loopAt where the loop count's block has its name
 * @param {number} plays at least 1
 */
export function withPlays(bytes, loopAt, plays) {
  const copy = bytes.slice();
  // A block that browsers do not know leaves one play.
  if (plays === 1) copy[loopAt] = 0x58;
  else new DataView(copy.buffer).setUint16(loopAt + 13, plays - 1, true);
  return copy;
}
