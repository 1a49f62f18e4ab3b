/// Tells whether the next record has arrived whole, for input that comes piece by piece: giflib cannot go on after a
/// short read, so it is given whole records only.
///
/// Remembers how far it has looked, so each byte is looked at once however small the pieces are.
struct RecordFraming: Sendable {
  /// Where the record begins.
  private(set) var start: Int
  /// The next length byte of the record's sub-blocks, once they have begun.
  private var nextBlock: Int?

  init(start: Int) { self.start = start }

  /// Bytes of header, logical screen descriptor and global palette; nil while that is not known.
  static func headerLength(_ bytes: Span<UInt8>) -> Int? {
    guard bytes.count >= 13 else { return nil }
    return 13 + (PaletteLocation(flags: bytes[10], offset: 13)?.byteCount ?? 0)
  }

  /// Goes on behind a record that has been read.
  mutating func begin(at offset: Int) {
    start = offset
    nextBlock = nil
  }

  /// Whether the record is there with its last byte.
  mutating func isWhole(_ bytes: Span<UInt8>) -> Bool {
    guard start < bytes.count else { return false }
    if nextBlock == nil {
      switch bytes[start] {
      case 0x2C:
        guard let codeSize = Self.codeSizeOffset(ofImageAt: start, bytes) else { return false }
        // Beyond 8 the record ends there, and with it the animation.
        if bytes[codeSize] > 8 { return true }
        nextBlock = codeSize + 1
      case 0x21: nextBlock = start + 2
      default: return true
      }
    }
    while let block = nextBlock, block < bytes.count {
      if bytes[block] == 0 { return true }
      nextBlock = block + 1 + Int(bytes[block])
    }
    return false
  }

  /// The part of an image that has arrived, once its descriptor is there; nil for anything else.
  func partialImage(_ bytes: Span<UInt8>) -> ImageRecord? {
    guard start + 10 <= bytes.count, bytes[start] == 0x2C else { return nil }
    func number(_ offset: Int) -> Int { Int(bytes[start + offset]) | Int(bytes[start + offset + 1]) << 8 }
    let flags = bytes[start + 9]
    let codeSize = Self.codeSizeOffset(ofImageAt: start, bytes)
    return ImageRecord(
      offset: start, rect: PixelRect(x: number(1), y: number(3), width: number(5), height: number(7)),
      isInterlaced: flags & 0x40 != 0, palette: PaletteLocation(flags: flags, offset: start + 10),
      codeSize: codeSize.map { bytes[$0] }, data: (codeSize.map { $0 + 1 } ?? bytes.count)..<bytes.count,
      isTruncated: true)
  }

  private static func codeSizeOffset(ofImageAt start: Int, _ bytes: Span<UInt8>) -> Int? {
    guard start + 10 <= bytes.count else { return nil }
    let palette = PaletteLocation(flags: bytes[start + 9], offset: start + 10)
    let offset = start + 10 + (palette?.byteCount ?? 0)
    return offset < bytes.count ? offset : nil
  }
}
