// How bytes go into a module's memory.

const PIECE = 1 << 20;

/**
 * Passes bytes piece by piece.
 * @param {WebAssembly.Memory} memory
 * @param {Uint8Array} bytes
 * @param {(count: number) => number} makeRoom returns where the next ones go
 * @param {(count: number) => void} take
 */
export function passBytes(memory, bytes, makeRoom, take) {
  for (let start = 0; start < bytes.length; start += PIECE) {
    const piece = bytes.subarray(start, start + PIECE);
    const address = makeRoom(piece.length);
    // The memory may have grown.
    new Uint8Array(memory.buffer, address, piece.length).set(piece);
    take(piece.length);
  }
}
