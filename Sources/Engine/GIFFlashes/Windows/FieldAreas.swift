internal import GIFDecoding

/// The greatest number of samples that a field of 10 degrees holds, over all its places.
struct FieldAreas: Sendable {
  /// A field, in samples.
  struct Field: Sendable, Equatable {
    /// Those that were sought in it.
    var count: Int
    var columns, rows: Range<Int>
  }

  /// The sides of a field, in samples: with all blocks that it touches, so no field holds more.
  private let (width, height): (Int, Int)
  private let grid: SampleGrid
  private let limits: ShownLimits

  /// The samples that may flash in a field; no more than there are.
  let limit: Int

  init(_ grid: SampleGrid, _ limits: ShownLimits) {
    self.grid = grid
    self.limits = limits
    width = Self.side(limits.fieldWidth, of: grid.width, grid)
    height = Self.side(limits.fieldHeight, of: grid.height, grid)
    limit = Int(min(Double(grid.count), limits.area / grid.samplePixels).rounded(.down))
  }

  private static func side(_ pixels: Int, of count: Int, _ grid: SampleGrid) -> Int {
    min(count, (pixels + grid.side - 1) / grid.side + (grid.side > 1 ? 1 : 0))
  }

  /// Whether a field holds more of these samples than may flash, or than another limit.
  func isTooMuch(_ samples: BitRows, limit: Int? = nil) -> Bool {
    let limit = limit ?? self.limit
    return most(samples, atLeast: limit + 1) > limit
  }

  /// The part of a field that these samples take.
  func share(of samples: BitRows) -> Double {
    min(1, Double(most(samples)) * grid.samplePixels / limits.fieldArea)
  }

  /// The greatest number of samples in a field.
  ///
  /// - Parameter sought: the search ends with the first field that has so many, and passes over those that
  ///   cannot; nil for the greatest number.
  func most(_ samples: BitRows, atLeast sought: Int? = nil) -> Int { fullest(samples, atLeast: sought).count }

  /// The field that holds the most samples, or the first that has as many as are sought. Where none has, the
  /// count is one less than those.
  func fullest(_ samples: BitRows, atLeast sought: Int? = nil) -> Field {
    let rowCounts = samples.rowCounts
    let end = sought ?? .max
    var most = (count: (sought ?? 1) - 1, column: 0, bottom: height)
    var inRows = rowCounts[..<height].reduce(0, +)
    let isWide = width == grid.width
    var columns = [Int](repeating: 0, count: isWide ? 0 : grid.width)
    if !isWide {
      for row in 0..<height { samples.forEachColumn(inRow: row) { columns[$0] += 1 } }
    }
    for bottom in height...grid.height {
      if bottom > height {
        let (new, old) = (bottom - 1, bottom - 1 - height)
        inRows += rowCounts[new] - rowCounts[old]
        if !isWide {
          samples.forEachColumn(inRow: new) { columns[$0] += 1 }
          samples.forEachColumn(inRow: old) { columns[$0] -= 1 }
        }
      }
      guard inRows > most.count else { continue }
      let found = isWide ? (inRows, 0) : Self.mostInRow(columns, width)
      if found.0 > most.count { most = (found.0, found.1, bottom) }
      if most.count >= end { break }
    }
    return Field(
      count: most.count, columns: most.column..<most.column + width, rows: most.bottom - height..<most.bottom)
  }

  /// The greatest sum of `width` neighbours, and the first of these.
  private static func mostInRow(_ counts: [Int], _ width: Int) -> (sum: Int, column: Int) {
    var sum = counts[..<width].reduce(0, +)
    var most = (sum: sum, column: 0)
    for column in width..<max(width, counts.count) {
      sum += counts[column] - counts[column - width]
      if sum > most.sum { most = (sum, column - width + 1) }
    }
    return most
  }
}
