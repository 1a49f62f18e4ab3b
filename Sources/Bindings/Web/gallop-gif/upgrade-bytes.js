// What is seen in the bytes of a GIF without the engine: whether it moves, and how often it plays.

const EXTENSION = 0x21;
const APPLICATION = 0xff;
const IMAGE = 0x2c;
// A loop count stands behind the block's eleven letters: 3 bytes in a part of its own, the first one 1.
const LOOPS = ["NETSCAPE2.0", "ANIMEXTS1.0"];

/**
 * Reads blocks until the second frame.
 * @param {Uint8Array} bytes
 * @returns {{isAnimated: boolean, loopAt: number, plays: number}} `loopAt` is where the loop count's block has its
 *   name, or -1
 */
export function scanGIF(bytes) {
  const found = { isAnimated: false, loopAt: -1, plays: 1 };
  if (bytes[0] !== 0x47 || bytes[1] !== 0x49 || bytes[2] !== 0x46) return found;
  let frames = 0;
  let at = 13 + paletteSize(bytes[10]);
  while (at < bytes.length && frames < 2) {
    if (bytes[at] === IMAGE) {
      frames += 1;
      at = endOfParts(bytes, at + 11 + paletteSize(bytes[at + 9]));
    } else if (bytes[at] === EXTENSION) {
      if (bytes[at + 1] === APPLICATION) noteLoops(bytes, at + 3, found);
      at = endOfParts(bytes, at + 2);
    } else break;
  }
  found.isAnimated = frames > 1;
  return found;
}

function noteLoops(bytes, at, found) {
  const name = String.fromCharCode(...bytes.subarray(at, at + 11));
  if (!LOOPS.includes(name) || bytes[at + 11] !== 3 || bytes[at + 12] !== 1) return;
  const count = bytes[at + 13] | (bytes[at + 14] << 8);
  found.loopAt = at;
  found.plays = count === 0 ? Infinity : count + 1;
}

const paletteSize = (flags) => (flags & 0x80 ? 3 << ((flags & 7) + 1) : 0);

function endOfParts(bytes, at) {
  while (bytes[at] > 0) at += bytes[at] + 1;
  return at + 1;
}
