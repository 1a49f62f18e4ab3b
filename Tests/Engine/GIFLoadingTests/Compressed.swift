/// Bytes behind a content coding, made without a compression library.
enum Compressed {
  /// Bytes as DEFLATE (RFC 1951), stored in blocks of this many bytes at the most.
  static func deflate(_ bytes: [UInt8], blockSize: Int = 65_535) -> [UInt8] {
    var rest = bytes[...]
    var result: [UInt8] = []
    repeat {
      let block = rest.prefix(blockSize)
      rest = rest.dropFirst(block.count)
      result += stored(Array(block), isLast: rest.isEmpty)
    } while !rest.isEmpty
    return result
  }

  /// A block that holds its bytes as they are.
  static func stored(_ bytes: [UInt8], isLast: Bool = false) -> [UInt8] {
    [isLast ? 1 : 0] + littleEndian(UInt32(bytes.count), 2) + littleEndian(~UInt32(bytes.count), 2) + bytes
  }

  static let gzipHead: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255]

  /// The format of the coding `gzip` (RFC 1952).
  static func gzip(_ bytes: [UInt8]) -> [UInt8] {
    gzipHead + deflate(bytes) + gzipTail(bytes)
  }

  static func gzipTail(_ bytes: [UInt8]) -> [UInt8] {
    littleEndian(checksum(bytes), 4) + littleEndian(UInt32(bytes.count), 4)
  }

  /// The format that the coding `deflate` means (RFC 1950).
  static func zlib(_ bytes: [UInt8]) -> [UInt8] {
    var (low, high): (UInt32, UInt32) = (1, 0)
    for byte in bytes {
      low = (low + UInt32(byte)) % 65_521
      high = (high + low) % 65_521
    }
    return [0x78, 0x01] + deflate(bytes) + littleEndian(high << 16 | low, 4).reversed()
  }

  /// The beginning of a `gzip` file, and after it a byte of 1 this many times 258: 159 of those bytes for one
  /// here.
  static func bomb(after start: [UInt8], repetitions: Int) -> [UInt8] {
    var bits = BitWriter(bytes: gzipHead + stored(start + [1]))
    // A last block with the fixed codes; each match is of 258 bytes, one byte back (RFC 1951, 3.2.5 and
    // 3.2.6).
    bits.put(0b011, 3)
    for _ in 0..<repetitions {
      for bit in [1, 1, 0, 0, 0, 1, 0, 1, 0, 0, 0, 0, 0] as [UInt8] { bits.put(bit, 1) }
    }
    return bits.bytes
  }

  /// The CRC-32 of gzip.
  private static func checksum(_ bytes: [UInt8]) -> UInt32 {
    ~bytes.reduce(~0) { sum, byte in
      (0..<8).reduce(sum ^ UInt32(byte)) { value, _ in value >> 1 ^ (value & 1 == 1 ? 0xEDB8_8320 : 0) }
    }
  }

  private static func littleEndian(_ value: UInt32, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: value >> UInt32(8 * $0)) }
  }

  /// Puts bits one behind another, the lowest of each byte first.
  private struct BitWriter {
    var bytes: [UInt8]
    var used = 8

    mutating func put(_ value: UInt8, _ count: Int) {
      for place in 0..<count {
        if used == 8 {
          bytes.append(0)
          used = 0
        }
        bytes[bytes.count - 1] |= (value >> UInt8(place) & 1) << UInt8(used)
        used += 1
      }
    }
  }
}
