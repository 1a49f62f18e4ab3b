internal import GIFDecoding

/// The exception for fine balanced patterns: noise, or a checkerboard with squares below 0.1 degree.
///
/// The picture is looked at in squares of 32 pixels. In each, changes do not count where nearly as many
/// pixels become lighter as darker, where those of one direction stand in runs that are short on the average,
/// in rows and in columns, and as long as the mean colour of the square does not change.
struct FinePattern: Sendable {
  /// The greatest part by which one direction may outweigh the other.
  static let imbalance = 0.1

  private let grid: SampleGrid
  /// The greatest mean length of a run, in pixels.
  private let (runWidth, runHeight): (Double, Double)
  fileprivate var means: SquareMeans
  /// The samples whose changes did not count since the mean colour of their square changed last.
  fileprivate var (withheldGeneral, withheldRed): (BitRows, BitRows)

  init(_ grid: SampleGrid, _ viewing: Viewing, red: FlashTracker.RedDetail) {
    self.grid = grid
    runWidth = FlashLimits.fineSquare * Double(viewing.canvas.width) / Double(viewing.shown.width)
    runHeight = FlashLimits.fineSquare * Double(viewing.canvas.height) / Double(viewing.shown.height)
    means = SquareMeans(grid, red: red)
    withheldGeneral = BitRows(width: grid.width, height: grid.height)
    withheldRed = withheldGeneral
  }

  /// What the changes that count depend on, beside the pictures and their changes.
  struct States: Sendable, Equatable {
    private let means: FlashTracker.States
    private let (withheldGeneral, withheldRed): (BitRows, BitRows)

    init(_ pattern: FinePattern) {
      means = pattern.means.tracker.states
      (withheldGeneral, withheldRed) = (pattern.withheldGeneral, pattern.withheldRed)
    }
  }

  /// What lies under the pictures.
  var backdrop: Backdrop {
    get { means.tracker.backdrop }
    set { means.tracker.backdrop = newValue }
  }

  /// Takes the next picture, the first one whole.
  mutating func take(_ picture: SampledPicture) { means.take(picture) }

  /// The changes of luminance that count, of those with the last picture; nil for none.
  mutating func counted(general changes: SampleChanges) -> BitRows? {
    counted(changes, means.tracker.general, &withheldGeneral)
  }

  /// The changes to and from red that count, of those with the last picture; nil for none.
  mutating func counted(red changes: SampleChanges) -> BitRows? {
    counted(changes, means.tracker.red, &withheldRed)
  }

  /// - Parameter squares: those whose mean colour changed.
  private func counted(_ changes: SampleChanges, _ squares: SampleChanges, _ withheld: inout BitRows)
    -> BitRows?
  {
    let meanChanges = squares.all
    guard
      var counted = changes.all ?? meanChanges.map({ _ in BitRows(width: grid.width, height: grid.height) })
    else { return nil }
    let stride = counted.stride
    for (place, top) in Swift.stride(from: 0, to: grid.height, by: SquareMeans.side).enumerated() {
      let rows = top..<min(grid.height, top + SquareMeans.side)
      for word in 0..<stride {
        for (number, half) in [UInt64(0xFFFF_FFFF), 0xFFFF_FFFF << 32].enumerated() {
          if isFine(changes, rows, word, half) {
            for row in rows {
              withheld[row * stride + word] |= counted[row * stride + word] & half
              counted[row * stride + word] &= ~half
            }
          }
          // What then was no pattern counts, at the latest now.
          guard let meanChanges, means.isSet(word * 2 + number, place, in: meanChanges) else { continue }
          for row in rows {
            counted[row * stride + word] |= withheld[row * stride + word] & half
            withheld[row * stride + word] &= ~half
          }
        }
      }
    }
    return counted
  }

  private func isFine(_ changes: SampleChanges, _ rows: Range<Int>, _ word: Int, _ half: UInt64) -> Bool {
    if changes.isEmpty { return false }
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
