/// Finds whether the next record has arrived whole, for input that comes piece by piece: giflib cannot go on
/// after a short read, so it is given whole records only.
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
        guard let image = ImageRecord(at: start, in: bytes), image.codeSize != nil else { return false }
        // Beyond 8 the record ends there, and with it the animation.
        guard image.hasCodes else { return true }
        nextBlock = image.data.lowerBound
      case 0x21: nextBlock = start + 2
      default: return true
      }
    }
    while let block = nextBlock, block < bytes.count {
      if bytes[block] == 0, !isSwallowed(block, bytes) { return true }
      nextBlock = block + 1 + Int(bytes[block])
    }
    return false
  }

  /// Whether the zero length at `block` ends nothing: right behind the identifier of a loop extension
  /// browsers read it as the length of the loop sub-block, and go on with the byte behind it (row 6).
  private func isSwallowed(_ block: Int, _ bytes: Span<UInt8>) -> Bool {
    bytes[start] == 0x21 && block == start + 14
      && ExtensionRecord.isLoop(bytes[start + 1], blocks: start + 2, in: ByteWindow(bytes))
  }

  /// The part of an image that has arrived, once its descriptor is there; nil for anything else.
  func partialImage(_ bytes: Span<UInt8>) -> ImageRecord? {
    guard start < bytes.count, bytes[start] == 0x2C else { return nil }
    return ImageRecord(at: start, in: bytes)
  }
}
