// A ZIP file without compression: PNGs are compressed already.

const TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? 0xedb88320 ^ (value >>> 1) : value >>> 1;
  return value;
});

/** The checksum of ZIP and PNG. @param {Uint8Array} bytes @returns {number} */
export function crc32(bytes) {
  let value = 0xffffffff;
  for (const byte of bytes) value = TABLE[(value ^ byte) & 255] ^ (value >>> 8);
  return (value ^ 0xffffffff) >>> 0;
}

const UTF8_NAMES = 0x0800;
const NEEDED_VERSION = 20;

/** The fields that a file's record and its entry in the directory share. */
function commonFields({ bytes, sum, name }, date) {
  const time = (date.getHours() << 11) | (date.getMinutes() << 5) | (date.getSeconds() >> 1);
  const day = (Math.max(0, date.getFullYear() - 1980) << 9) | ((date.getMonth() + 1) << 5) | date.getDate();
  return [[2, NEEDED_VERSION], [2, UTF8_NAMES], [2, 0], [2, time], [2, day], [4, sum], [4, bytes.length],
    [4, bytes.length], [2, name.length], [2, 0]];
}

function pack(fields) {
  const view = new DataView(new ArrayBuffer(fields.reduce((sum, [size]) => sum + size, 0)));
  let offset = 0;
  for (const [size, value] of fields) {
    if (size === 2) view.setUint16(offset, value, true);
    else view.setUint32(offset, value, true);
    offset += size;
  }
  return new Uint8Array(view.buffer);
}

/**
 * The parts of a ZIP file, for `new Blob(parts)`.
 * @param {{name: string, bytes: Uint8Array}[]} files @param {Date} [date]
 * @returns {Uint8Array[]}
 */
export function zipParts(files, date = new Date()) {
  const parts = [];
  const directory = [];
  let offset = 0;
  for (const file of files) {
    const entry = { bytes: file.bytes, sum: crc32(file.bytes), name: new TextEncoder().encode(file.name) };
    const common = commonFields(entry, date);
    const head = pack([[4, 0x04034b50], ...common]);
    parts.push(head, entry.name, entry.bytes);
    directory.push(pack([[4, 0x02014b50], [2, NEEDED_VERSION], ...common, [2, 0], [2, 0], [2, 0], [4, 0],
      [4, offset]]),
      entry.name);
    offset += head.length + entry.name.length + entry.bytes.length;
  }
  const size = directory.reduce((sum, part) => sum + part.length, 0);
  const end = pack([[4, 0x06054b50], [2, 0], [2, 0], [2, files.length], [2, files.length], [4, size],
    [4, offset],
    [2, 0]]);
  return [...parts, ...directory, end];
}
