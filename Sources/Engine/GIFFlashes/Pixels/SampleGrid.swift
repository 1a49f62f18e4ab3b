internal import GIFDecoding

/// The pixels that are looked at: all of them, or one of each block.
///
/// Which one of a block differs from block to block: a pattern with the period of the blocks would
/// otherwise look plain.
struct SampleGrid: Sendable, Equatable {
  let canvas: PixelSize
  /// The side of a block in pixels; 1 where each is looked at.
  let side: Int
  let (width, height): (Int, Int)
  /// For each block the place of its pixel in the canvas; empty where each pixel is looked at.
  private let places: [Int]

  init(canvas: PixelSize, side: Int) {
    self.canvas = canvas
    self.side = side
    let (width, height) = ((canvas.width + side - 1) / side, (canvas.height + side - 1) / side)
    (self.width, self.height) = (width, height)
    places =
      side == 1
      ? []
      : (0..<width * height).map { block in
        Self.place(column: block % width, row: block / width, side: side, of: canvas)
      }
  }

  /// The pixels for which a sample stands; fewer at the right and the bottom, where this says too much.
  var samplePixels: Double { Double(side * side) }

  /// The place of a block's pixel in the canvas.
  @inline(__always)
  func place(ofBlock block: Int) -> Int { side == 1 ? block : places[block] }

  private static func place(column: Int, row: Int, side: Int, of canvas: PixelSize) -> Int {
    // Multipliers of a common mixing function; the upper bits depend on both numbers.
    var hash =
      UInt32(truncatingIfNeeded: column) &* 0x9E37_79B1 ^ UInt32(truncatingIfNeeded: row) &* 0x85EB_CA77
    hash ^= hash >> 15
    hash = hash &* 0x2C1B_3C6D
    hash ^= hash >> 13
    let x = min(canvas.width - 1, column * side + Int(hash & 0xFF) % side)
    let y = min(canvas.height - 1, row * side + Int(hash >> 16 & 0xFF) % side)
    return y * canvas.width + x
  }
}
