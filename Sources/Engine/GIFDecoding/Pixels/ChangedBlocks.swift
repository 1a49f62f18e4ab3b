/// Where the pixels of a canvas have changed: for each row a bit for each block of its pixels.
///
/// A frame's rectangle says too much. Most of its pixels are often transparent, or have the colour that is
/// there already.
package struct ChangedBlocks: Sendable, Equatable {
  /// How a row is divided: at most 64 blocks of 16 pixels or more.
  package struct Grid: Sendable, Equatable {
    /// A block has as many pixels as two to the power of this.
    let shift: Int
    let width: Int

    init(width: Int) {
      self.width = width
      var shift = 4
      while (max(1, width) - 1) >> shift > 63 { shift += 1 }
      self.shift = shift
    }

    /// How many blocks a row has.
    var count: Int { (width + (1 << shift) - 1) >> shift }

    /// The pixels of a block.
    package subscript(block: Int) -> Range<Int> { block << shift..<min((block + 1) << shift, width) }

    /// The bits of the blocks that a range of pixels touches; it is not empty and lies within a row.
    func bits(of pixels: Range<Int>) -> UInt64 {
      let (first, last) = (pixels.lowerBound >> shift, (pixels.upperBound - 1) >> shift)
      return (~0 >> UInt64(63 - (last - first))) << UInt64(first)
    }
  }

  package let grid: Grid
  /// One word a row of the canvas; the lowest bit is that of the first block.
  private(set) var rows: [UInt64]

  /// Nothing has changed.
  init(width: Int, height: Int) {
    grid = Grid(width: width)
    rows = Array(repeating: 0, count: height)
  }

  /// Notes every pixel of a rectangle within the canvas.
  mutating func insert(_ rect: PixelRect) {
    guard !rect.isEmpty else { return }
    let bits = grid.bits(of: rect.x..<rect.maxX)
    for row in rect.y..<rect.maxY { rows[row] |= bits }
  }

  /// The blocks that have changed in any of some rows.
  package func bits(in range: Range<Int>) -> UInt64 { range.reduce(0) { $0 | rows[$1] } }

  /// Calls `body` with each run of blocks in a word, from the first to before the last.
  package static func forEachRun<Failure>(
    in bits: UInt64, _ body: (Range<Int>) throws(Failure) -> Void
  ) throws(Failure) {
    var rest = bits
    while rest != 0 {
      let start = rest.trailingZeroBitCount
      let count = (~(rest >> UInt64(start))).trailingZeroBitCount
      try body(start..<start + count)
      rest = start + count > 63 ? 0 : rest & (~0 << UInt64(start + count))
    }
  }

  /// Gives `body` the memory of ``rows``, for the blend kernel.
  mutating func withUnsafeRows(_ body: (UnsafeMutableBufferPointer<UInt64>) -> Void) {
    unsafe rows.withUnsafeMutableBufferPointer { rows in unsafe body(rows) }
  }
}
