/// A part of a file's bytes, addressed by their places in the file; all of them where the file is in memory.
struct ByteWindow: ~Escapable {
  private let span: Span<UInt8>
  private let base: Int
  /// How many bytes the file has.
  let count: Int

  /// All bytes of a file.
  @_lifetime(copy span)
  init(_ span: Span<UInt8>) {
    self.span = span
    base = 0
    count = span.count
  }

  /// The bytes from `base` on, of a file of `count` bytes.
  @_lifetime(copy span)
  init(_ span: Span<UInt8>, base: Int, count: Int) {
    self.span = span
    self.base = base
    self.count = count
  }

  /// - Precondition: the byte is in the window.
  @inline(__always)
  subscript(position: Int) -> UInt8 { span[position - base] }

  /// Where the sub-blocks that begin at `start` end: see ``SubBlocks/end(ofRunAt:in:)``.
  func endOfBlocks(from start: Int) -> (place: Int, isWhole: Bool) {
    let (place, isWhole) = SubBlocks.end(ofRunAt: start - base, in: span)
    return (place + base, isWhole)
  }
}

// MARK: - Files in memory

extension SubBlocks {
  mutating func next(in bytes: Span<UInt8>) -> Range<Int>? { next(in: ByteWindow(bytes)) }
}

extension ImageRecord {
  init?(at start: Int, in bytes: Span<UInt8>) { self.init(at: start, in: ByteWindow(bytes)) }
}
