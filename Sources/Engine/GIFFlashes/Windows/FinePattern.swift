internal import GIFDecoding

/// The exception for fine balanced patterns: noise, or a checkerboard with squares below 0.1 degree.
///
/// The picture is looked at in squares of 32 pixels. In each, changes do not count where nearly as many
/// pixels become lighter as darker, and where those of one direction stand in runs that are short on the
/// average, in rows and in columns.
struct FinePattern: Sendable {
  /// The side of a square.
  private static let side = 32
  /// The greatest part by which one direction may outweigh the other: the luminance of the square then
  /// changes by less than a tenth of white's.
  private static let imbalance = 0.1

  private let grid: SampleGrid
  /// The greatest mean length of a run, in pixels.
  private let (runWidth, runHeight): (Double, Double)

  init(_ grid: SampleGrid, shown: PixelSize) {
    self.grid = grid
    runWidth = FlashLimits.fineSquare * Double(grid.canvas.width) / Double(shown.width)
    runHeight = FlashLimits.fineSquare * Double(grid.canvas.height) / Double(shown.height)
  }

  /// The changes that count.
  func removed(from changes: SampleChanges) -> SampleChanges {
    if changes.isEmpty { return changes }
    var changes = changes
    let stride = changes.rising.stride
    for top in Swift.stride(from: 0, to: grid.height, by: Self.side) {
      let rows = top..<min(grid.height, top + Self.side)
      for word in 0..<stride {
        for half in [UInt64(0xFFFF_FFFF), 0xFFFF_FFFF << 32] where isFine(changes, rows, word, half) {
          for row in rows {
            changes.rising[row * stride + word] &= ~half
            changes.falling[row * stride + word] &= ~half
          }
        }
      }
    }
    return changes
  }

  private func isFine(_ changes: SampleChanges, _ rows: Range<Int>, _ word: Int, _ half: UInt64) -> Bool {
    let rising = Runs(changes.rising, rows, word, half)
    let falling = Runs(changes.falling, rows, word, half)
    let count = Double(rising.count + falling.count)
    return count > 0 && abs(Double(rising.count - falling.count)) <= Self.imbalance * count
      && count <= runWidth * Double(rising.inRows + falling.inRows)
      && count <= runHeight * Double(rising.inColumns + falling.inColumns)
  }

  /// The set bits of a square, and in how many runs they stand.
  private struct Runs {
    var (count, inRows, inColumns) = (0, 0, 0)

    init(_ bits: BitRows, _ rows: Range<Int>, _ word: Int, _ half: UInt64) {
      var above: UInt64 = 0
      for row in rows {
        let line = bits[row * bits.stride + word] & half
        count += line.nonzeroBitCount
        inRows += (line & ~(line << 1)).nonzeroBitCount
        inColumns += (line & ~above).nonzeroBitCount
        above = line
      }
    }
  }
}
