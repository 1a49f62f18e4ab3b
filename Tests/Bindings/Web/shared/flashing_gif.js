// GIFs of two colours that change places, without compression: each pixel is a code of its own.

/** Bits packed as a GIF packs them. */
function packed(codes, width) {
  const bytes = [];
  let [bits, count] = [0, 0];
  for (const code of codes) {
    bits |= code << count;
    for (count += width; count >= 8; count -= 8, bits >>>= 8) bytes.push(bits & 255);
  }
  if (count > 0) bytes.push(bits & 255);
  return bytes;
}

/**
 * A GIF of `count` frames that are black and white in turn, or of two other colours.
 * @param {{count?: number, delay?: number, width?: number, height?: number, colors?: number[][]}} [options] `delay` in
 *   hundredths of a second
 */
export function flashingGIF({ count = 2, delay = 10, width = 20, height = 15, colors = [[0, 0, 0], [255, 255, 255]] } = {}) {
  const text = (value) => new TextEncoder().encode(value);
  const word = (value) => [value & 255, value >> 8];
  const bytes = [...text("GIF89a"), ...word(width), ...word(height), 0x80, 0, 0, ...colors.flat()];
  bytes.push(0x21, 0xff, 11, ...text("NETSCAPE2.0"), 3, 1, 0, 0, 0);
  for (let frame = 0; frame < count; frame += 1) {
    bytes.push(0x21, 0xf9, 4, 4, ...word(delay), 0, 0, 0x2c, 0, 0, 0, 0, ...word(width), ...word(height), 0, 2);
    // A clear code (4) before each pixel keeps the codes at three bits; 5 ends them.
    const codes = Array.from({ length: width * height }, () => [4, frame % 2]).flat();
    const data = packed([...codes, 5], 3);
    for (let start = 0; start < data.length; start += 255) {
      const block = data.slice(start, start + 255);
      bytes.push(block.length, ...block);
    }
    bytes.push(0);
  }
  return new Uint8Array([...bytes, 0x3b]);
}
