package import GIFDecoding

/// Writes the records of a GIF, one after another, into bytes that are taken from time to time.
///
/// Nothing is checked against anything: the caller knows what it writes.
package struct GIFRecordWriter {
  /// What was neither taken nor dropped.
  package private(set) var bytes: [UInt8] = []
  /// All bytes so far, also those that were taken or dropped.
  package private(set) var byteCount: Int64 = 0

  package init() {}

  /// Takes ``bytes``.
  package mutating func take() -> [UInt8] {
    let taken = bytes
    bytes = []
    return taken
  }

  /// Removes the first of ``bytes``, and keeps their memory for the next ones.
  package mutating func drop(_ count: Int) { bytes.removeFirst(count) }

  /// The signature, the logical screen and the global palette.
  ///
  /// - Parameter screen: flags, background index and aspect ratio of the file that is edited; the flags'
  ///   bits for the palette are set here.
  package mutating func begin(width: Int, height: Int, palette: [UInt8]?, screen: [UInt8]) {
    append("GIF89a".utf8)
    append(number: width)
    append(number: height)
    let depth = screen[0] & 0x78
    append([palette.map { depth | 0x80 | Self.sizeBits(of: $0) } ?? depth & 0x70, screen[1], screen[2]])
    if let palette { append(palette) }
  }

  /// The loop extension; none for one play.
  package mutating func loop(_ count: LoopCount) {
    let stored: Int
    switch count {
    case .forever: stored = 0
    case .plays(let plays) where plays > 1: stored = min(plays - 1, Int(UInt16.max))
    case .plays: return
    }
    append([0x21, 0xFF, 11])
    append("NETSCAPE2.0".utf8)
    append([3, 1])
    append(number: stored)
    append([0])
  }

  /// A comment.
  package mutating func comment(_ text: [UInt8]) {
    append([0x21, 0xFE])
    append(blocks: text)
  }

  /// A record as another file has it.
  package mutating func record(_ stored: [UInt8]) { append(stored) }

  /// The graphics control extension of the next frame; none where the frame needs none.
  package mutating func control(_ frame: WrittenFrame) {
    guard frame.needsControl else { return }
    append([0x21, 0xF9, 4])
    append(byte: frame.storedDisposal << 2 | (frame.transparentIndex == nil ? 0 : 1))
    append(number: frame.centiseconds)
    append(byte: frame.transparentIndex ?? 0)
    append(byte: 0)
  }

  /// The image descriptor and the frame's own palette; its code size and blocks follow.
  package mutating func descriptor(_ frame: WrittenFrame) {
    append(byte: 0x2C)
    append(number: frame.rect.x)
    append(number: frame.rect.y)
    append(number: frame.rect.width)
    append(number: frame.rect.height)
    append(byte: (frame.isInterlaced ? 0x40 : 0) | (frame.palette.map { 0x80 | Self.sizeBits(of: $0) } ?? 0))
    if let palette = frame.palette { append(palette) }
  }

  /// A frame's code size, and its codes in blocks.
  package mutating func codes(_ codes: [UInt8], codeSize: Int) {
    append(byte: UInt8(truncatingIfNeeded: codeSize))
    append(blocks: codes)
  }

  /// A frame's code size, and its blocks as another file has them.
  package mutating func blocks(_ stored: [UInt8], codeSize: UInt8) {
    append(byte: codeSize)
    append(stored)
  }

  /// A frame's code size, and so many bytes of blocks that `body` appends.
  package mutating func blocks<Failure: Error>(
    count: Int, codeSize: UInt8, _ body: (inout OutputSpan<UInt8>) throws(Failure) -> Void
  ) throws(Failure) {
    append(byte: codeSize)
    try bytes.append(addingCapacity: count, initializingWith: body)
    byteCount += Int64(count)
  }

  package mutating func end() { append(byte: 0x3B) }

  private mutating func append(_ more: some Collection<UInt8>) {
    bytes.append(contentsOf: more)
    byteCount += Int64(more.count)
  }

  private mutating func append(number: Int) {
    append(byte: UInt8(truncatingIfNeeded: number))
    append(byte: UInt8(truncatingIfNeeded: number >> 8))
  }

  /// Without an array for it: a film has thousands of frames.
  private mutating func append(byte: UInt8) {
    bytes.append(byte)
    byteCount += 1
  }

  /// Blocks of 255 bytes, a length byte before each, and the terminator.
  private mutating func append(blocks data: [UInt8]) {
    for start in stride(from: 0, to: data.count, by: 255) {
      let block = data[start..<min(start + 255, data.count)]
      append(byte: UInt8(truncatingIfNeeded: block.count))
      append(block)
    }
    append(byte: 0)
  }

  /// The bytes of codes in blocks.
  package static func blockBytes(ofCodes count: Int) -> Int { count + (count + 254) / 255 + 1 }

  /// Whether an extension's blocks end with it. One that the file's end cuts off would swallow what follows.
  package static func isWholeExtension(_ record: [UInt8]) -> Bool {
    var place = 2
    while place < record.count {
      let length = Int(record[place])
      if length == 0 { return place == record.count - 1 }
      place += 1 + length
    }
    return false
  }

  /// The size field of a palette of 2, 4, 8 ... 256 colours.
  static func sizeBits(of palette: [UInt8]) -> UInt8 {
    var bits: UInt8 = 0
    while 3 * (2 << Int(bits)) < palette.count { bits += 1 }
    return bits
  }
}

/// A frame's fields as they are written.
package struct WrittenFrame {
  package var rect: PixelRect
  /// The disposal bits, 0 - 7.
  package var storedDisposal: UInt8 = 0
  package var centiseconds = 0
  package var transparentIndex: UInt8?
  package var isInterlaced = false
  /// Three bytes a colour; nil for the global palette.
  package var palette: [UInt8]?

  package init(
    rect: PixelRect, storedDisposal: UInt8 = 0, centiseconds: Int = 0, transparentIndex: UInt8? = nil,
    isInterlaced: Bool = false, palette: [UInt8]? = nil
  ) {
    self.rect = rect
    self.storedDisposal = storedDisposal
    self.centiseconds = centiseconds
    self.transparentIndex = transparentIndex
    self.isInterlaced = isInterlaced
    self.palette = palette
  }

  /// Whether the frame has to be written with a graphics control extension.
  var needsControl: Bool {
    centiseconds > 0 || Disposal(stored: storedDisposal) != .keep || transparentIndex != nil
  }

  /// The bytes of the frame's records, with its code size and without its blocks.
  package var headBytes: Int { (needsControl ? 8 : 0) + 10 + (palette?.count ?? 0) + 1 }
}

extension Disposal {
  /// The bits that are written for it.
  package var storedBits: UInt8 {
    switch self {
    case .keep: 1
    case .background: 2
    case .previous: 3
    }
  }
}
