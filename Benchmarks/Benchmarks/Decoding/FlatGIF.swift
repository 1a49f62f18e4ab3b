/// A made-up GIF whose frames are of one colour each: a few hundred codes give a whole picture, so that what
/// remains to measure is composing, not decompressing.
struct FlatGIF {
  static let width = 640
  static let height = 480

  /// What is done with a frame, as stored in its graphics control extension.
  var disposal: UInt8
  /// Whether the frames state a transparent index (that none of their pixels has).
  var isTransparent: Bool
  var frameCount = 8

  var bytes: [UInt8] {
    var file = Array("GIF89a".utf8) + Self.number(Self.width) + Self.number(Self.height) + [0x91, 0, 0]
    file += [0, 0, 0, 220, 40, 40, 40, 220, 40, 40, 40, 220]
    for index in 0..<frameCount {
      file += [0x21, 0xF9, 4, disposal << 2 | (isTransparent ? 1 : 0), 3, 0, 0, 0]
      file += [0x2C, 0, 0, 0, 0] + Self.number(Self.width) + Self.number(Self.height) + [0, Self.codeSize]
      file += Self.subBlocks(Self.codes(index: 1 + index % 3, count: Self.width * Self.height)) + [0]
    }
    return file + [0x3B]
  }

  private static let codeSize: UInt8 = 2

  /// The code stream for `count` times the same index: each code but the last gives a string one longer than
  /// the one before it.
  private static func codes(index: Int, count: Int) -> [UInt8] {
    var bits = BitWriter()
    let (clear, end) = (1 << Int(codeSize), 1 << Int(codeSize) + 1)
    var width = Int(codeSize) + 1
    bits.append(clear, width: width)
    bits.append(index, width: width)
    var left = count - 1
    var length = 1
    // The entry for a string of n indices is end + n - 1, and is the next one free when it is first used.
    while left > 0 {
      length = min(length + 1, left)
      bits.append(length == 1 ? index : end + length - 1, width: width)
      left -= length
      // The decoder widens its codes as soon as the next free entry needs it.
      if end + length == 1 << width { width += 1 }
    }
    bits.append(end, width: width)
    return bits.bytes
  }

  private static func number(_ value: Int) -> [UInt8] { [UInt8(value & 0xFF), UInt8(value >> 8)] }

  private static func subBlocks(_ data: [UInt8]) -> [UInt8] {
    stride(from: 0, to: data.count, by: 255).flatMap { start in
      let block = data[start..<min(start + 255, data.count)]
      return [UInt8(block.count)] + block
    }
  }
}

/// Codes of changing width, lowest bit first.
private struct BitWriter {
  private(set) var bytes: [UInt8] = []
  private var room = 0

  mutating func append(_ code: Int, width: Int) {
    for bit in 0..<width {
      if room == 0 {
        bytes.append(0)
        room = 8
      }
      if code >> bit & 1 == 1 { bytes[bytes.count - 1] |= 1 << (8 - room) }
      room -= 1
    }
  }
}
