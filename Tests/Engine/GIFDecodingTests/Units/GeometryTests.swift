import GIFTestSupport
import Testing

@testable import GIFDecoding

/// Rectangles and the order of rows, against sets of pixels and the reference's order.
@Suite struct GeometryTests {
  /// All rectangles on a grid of 4 x 3 that may reach one beyond it, empty ones included.
  static let rectangles: [PixelRect] = (0...4).flatMap { x in
    (0...3).flatMap { y in
      [0, 1, 2, 4].flatMap { width in [0, 1, 3].map { PixelRect(x: x, y: y, width: width, height: $0) } }
    }
  }

  private struct Point: Hashable {
    var x: Int
    var y: Int
  }

  private static func points(_ rect: PixelRect) -> Set<Point> {
    Set((0..<rect.height).flatMap { row in (0..<rect.width).map { Point(x: rect.x + $0, y: rect.y + row) } })
  }

  // Every pair: the intersection has exactly the common pixels, the union all of both and no smaller box
  // would do.
  @Test func pairs() {
    let all = Self.rectangles.map { ($0, Self.points($0)) }
    for (a, pointsOfA) in all {
      #expect(a.area == Int64(pointsOfA.count))
      #expect(a.isEmpty == pointsOfA.isEmpty)
      for (b, pointsOfB) in all.enumerated().filter({ $0.offset % 3 == 0 }).map(\.element) {
        let common = a.intersection(b)
        let shared = pointsOfA.intersection(pointsOfB)
        if Self.points(common) != shared || (shared.isEmpty && common != .empty) {
          Issue.record("intersection of \(a) and \(b) is \(common)")
        }
        let both = pointsOfA.union(pointsOfB)
        if Self.box(both) != Self.box(Self.points(a.union(b))) || a.union(b).area != Self.box(both).area {
          Issue.record("union of \(a) and \(b) is \(a.union(b))")
        }
        let holds = !pointsOfA.isEmpty && !pointsOfB.isEmpty && pointsOfB.isSubset(of: pointsOfA)
        if a.contains(b) != holds { Issue.record("whether \(a) contains \(b)") }
      }
    }
  }

  /// The smallest rectangle around points.
  private static func box(_ points: Set<Point>) -> PixelRect {
    guard let left = points.map(\.x).min(), let right = points.map(\.x).max(),
      let top = points.map(\.y).min(), let bottom = points.map(\.y).max()
    else { return .empty }
    return PixelRect(x: left, y: top, width: right - left + 1, height: bottom - top + 1)
  }

  // The largest numbers that a file can name overflow nothing.
  @Test func largestRectangles() {
    let most = PixelRect(x: 65535, y: 65535, width: 65535, height: 65535)
    #expect(most.area == 4_294_836_225)
    #expect(most.maxX == 131_070)
    #expect(most.maxY == 131_070)
    let canvas = PixelRect(x: 0, y: 0, width: 131_070, height: 131_070)
    #expect(canvas.area == 17_179_344_900)
    #expect(canvas.contains(most))
    #expect(canvas.intersection(most) == most)
    #expect(PixelRect(x: 3, y: 3, width: -1, height: -1).area == 0)
  }

  // Rows in order: each at its place, with nothing to fill.
  @Test func rowsTopDown() {
    for count in 0...7 {
      #expect(Self.rows(height: 5, isInterlaced: false, count: count).map(\.row) == Array(0..<min(5, count)))
    }
    #expect(Self.rows(height: 5, isInterlaced: false, count: 5).allSatisfy { $0.gap == 0 })
  }

  // Interlaced: the reference's order for every height and every number of rows.
  @Test func rowsInterlaced() {
    for height in 0...40 {
      let order = InterlacedRows.order(height: height)
      for count in [0, 1, 2, height / 2, height, height + 3] {
        let rows = Self.rows(height: height, isInterlaced: true, count: count)
        #expect(rows.map(\.row) == Array(order.prefix(count)), "height \(height), count \(count)")
        #expect(rows.map(\.stored) == Array(0..<min(height, count)))
      }
    }
  }

  // After each pass, the rows there and the gaps below them cover the frame from row 0 without overlap.
  @Test func gapsFillBetweenRows() {
    for height in 1...40 {
      let rows = Self.rows(height: height, isInterlaced: true, count: height)
      for gap in [7, 3, 1, 0] {
        // All rows of this pass and the passes before it, each with this pass's gap.
        let there = rows.filter { $0.gap >= gap }.map(\.row).sorted()
        let covered = there.flatMap { row in (row...row + gap).filter { $0 < height } }
        #expect(covered == Array(0..<height), "height \(height), gap \(gap)")
      }
    }
  }

  private static func rows(
    height: Int, isInterlaced: Bool, count: Int
  ) -> [(stored: Int, row: Int, gap: Int)] {
    var result: [(stored: Int, row: Int, gap: Int)] = []
    RowOrder(height: height, isInterlaced: isInterlaced).forEachRow(in: 0..<count) {
      result.append(($0, $1, $2))
    }
    return result
  }
}
