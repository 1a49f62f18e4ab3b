internal import GIFDecoding

/// A part of the canvas that may fail by itself: squares of one field, in which most of its samples flash.
///
/// What fails in a part fails as a whole. Its squares are those of ``FinePattern``, so each of its pixels
/// changes, and counts, as it does in the whole.
struct FlashingPart: Sendable {
  /// The pixels around its squares.
  let rect: PixelRect
  /// When it has flashed too much, in milliseconds.
  let time: Int64
  /// Whether its flashes are red ones.
  let isRed: Bool
  /// For each row of squares, the columns of pixels that are looked at, from the left edge of ``rect``.
  private let columns: [[Range<Int>]]

  /// - Parameter ample: so many samples are enough.
  init(_ suspicion: FlashScreen.Suspicion, of grid: SampleGrid, ample: Int, isRed: Bool) {
    let side = SquareMeans.side
    let (across, down) = ((grid.canvas.width + side - 1) / side, (grid.canvas.height + side - 1) / side)
    let samplesAcross = side / grid.side
    var counts = [Int](repeating: 0, count: across * down)
    for row in suspicion.field.rows {
      suspicion.samples.forEachColumn(inRow: row) { column in
        guard suspicion.field.columns.contains(column) else { return }
        counts[row / samplesAcross * across + column / samplesAcross] += 1
      }
    }
    var missing = ample
    let squares = counts.indices.filter { counts[$0] > 0 }.sorted { counts[$0] > counts[$1] }
      .prefix { square in
        defer { missing -= counts[square] }
        return missing > 0
      }
    var isChosen = [Bool](repeating: false, count: counts.count)
    for square in squares { isChosen[square] = true }
    let (left, right) = (squares.map { $0 % across }.min() ?? 0, squares.map { $0 % across }.max() ?? 0)
    let (top, bottom) = ((squares.min() ?? 0) / across, (squares.max() ?? 0) / across)
    rect = PixelRect(
      x: left * side, y: top * side, width: min(grid.canvas.width, (right + 1) * side) - left * side,
      height: min(grid.canvas.height, (bottom + 1) * side) - top * side)
    (time, self.isRed) = (suspicion.time, isRed)
    let width = rect.width
    columns = (top...bottom).map { row in
      (left...right).filter { isChosen[row * across + $0] }.map { column in
        (column - left) * side..<min(width, (column - left + 1) * side)
      }
    }
  }

  /// The columns of pixels that are looked at in a row; both count from the corner of ``rect``.
  func columns(inRow row: Int) -> [Range<Int>] { columns[row / SquareMeans.side] }
}
