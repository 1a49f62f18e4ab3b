/// In which rows of the frame the stored rows belong.
///
/// Interlaced frames store every eighth row from 0, every eighth from 4, every fourth from 2, every second
/// from 1 (GIF89a, appendix E).
package struct RowOrder: Sendable {
  let height: Int
  let isInterlaced: Bool

  package init(height: Int, isInterlaced: Bool) {
    self.height = height
    self.isInterlaced = isInterlaced
  }

  private static let passes = [
    (first: 0, step: 8, gap: 7), (first: 4, step: 8, gap: 3), (first: 2, step: 4, gap: 1),
    (first: 1, step: 2, gap: 0),
  ]

  /// Calls `body` with each stored row of a range: the stored row, its row in the frame, and how many rows
  /// below it the later passes will fill. Different stored rows have different rows in the frame.
  @inline(__always)
  package func forEachRow(in range: Range<Int>, _ body: (_ stored: Int, _ row: Int, _ gap: Int) -> Void) {
    guard isInterlaced else {
      for row in range.clamped(to: 0..<height) { body(row, row, 0) }
      return
    }
    var start = 0
    for pass in Self.passes {
      let count = rowCount(first: pass.first, step: pass.step)
      for stored in range.clamped(to: start..<start + count) {
        body(stored, pass.first + (stored - start) * pass.step, pass.gap)
      }
      start += count
    }
  }

  /// Where a row of the frame is stored.
  func storedRow(of row: Int) -> Int {
    guard isInterlaced else { return row }
    var start = 0
    for pass in Self.passes {
      if row >= pass.first, (row - pass.first) % pass.step == 0 {
        return start + (row - pass.first) / pass.step
      }
      start += rowCount(first: pass.first, step: pass.step)
    }
    return start
  }

  /// The passes in stored order: the first row, the distance between rows, and how many rows there are.
  var passes: [(first: Int, step: Int, count: Int)] {
    guard isInterlaced else { return [(0, 1, height)] }
    return Self.passes.map { ($0.first, $0.step, rowCount(first: $0.first, step: $0.step)) }
  }

  private func rowCount(first: Int, step: Int) -> Int { max(0, height - first + step - 1) / step }
}
