internal import GIFDecoding

/// The pixels that are looked at: all of them, or one of each block.
///
/// Which one of a block differs from block to block, and from file to file: a pattern with the period of the
/// blocks would otherwise look plain, and a file could be made whose samples differ from all other pixels
/// (``SampleSecret``).
struct SampleGrid: Sendable, Equatable {
  let canvas: PixelSize
  /// The side of a block in pixels; 1 where each is looked at.
  let side: Int
  let (width, height): (Int, Int)
  /// The distance between the numbers of samples below each other. A sample's number is that of its bit in
  /// ``BitRows``.
  let rowLength: Int
  /// Nil where each pixel is looked at.
  let points: BlockPoints?

  /// Every pixel.
  init(canvas: PixelSize) { self.init(canvas: canvas, side: 1, seed: 0) }

  /// One of each block.
  ///
  /// - Parameter seed: decides which.
  init(canvas: PixelSize, side: Int, seed: UInt64) {
    self.canvas = canvas
    self.side = side
    (width, height) = ((canvas.width + side - 1) / side, (canvas.height + side - 1) / side)
    rowLength = BitRows.stride(width: width) * 64
    guard side > 1 else {
      points = nil
      return
    }
    points = BlockPoints(canvas: canvas, side: side, rowLength: rowLength) { column, row in
      Self.offset(column, row, side: side, seed: UInt32(truncatingIfNeeded: seed ^ seed >> 32))
    }
  }

  /// The numbers up to that of the last sample; those behind the end of a row are of none.
  var count: Int { rowLength * height }

  /// The pixels for which a sample stands; fewer at the right and the bottom, where this says too much.
  var samplePixels: Double { Double(side * side) }

  /// Where in its block the pixel of a column and a row stands.
  private static func offset(_ column: Int, _ row: Int, side: Int, seed: UInt32) -> (x: Int, y: Int) {
    // Multipliers of a common mixing function; the upper bits depend on both numbers.
    var hash =
      UInt32(truncatingIfNeeded: column) &* 0x9E37_79B1 ^ UInt32(truncatingIfNeeded: row) &* 0x85EB_CA77
    hash ^= seed
    hash ^= hash >> 15
    hash = hash &* 0x2C1B_3C6D
    hash ^= hash >> 13
    // A side is a power of two.
    return (Int(hash & 0xFF) & (side - 1), Int(hash >> 16 & 0xFF) & (side - 1))
  }
}
