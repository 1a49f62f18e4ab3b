internal import GIFDecoding

/// The greatest number of samples that a field of 10 degrees may hold, over all its places.
struct FieldAreas: Sendable {
  /// The sides of a field, in samples.
  private let (width, height): (Int, Int)
  private let grid: SampleGrid
  private let limits: ShownLimits

  init(_ grid: SampleGrid, _ limits: ShownLimits) {
    self.grid = grid
    self.limits = limits
    width = Self.side(limits.fieldWidth, of: grid.width, grid)
    height = Self.side(limits.fieldHeight, of: grid.height, grid)
  }

  /// The samples that a field may touch.
  private static func side(_ pixels: Int, of count: Int, _ grid: SampleGrid) -> Int {
    min(count, (pixels + grid.side - 1) / grid.side + (grid.side > 1 ? 1 : 0))
  }

  /// The part of the greatest area that may flash which these samples take in a field: above 1 is too much.
  func load(of samples: BitRows) -> Double { Double(most(samples)) * grid.samplePixels / limits.area }

  /// The part of a field that these samples take.
  func share(of samples: BitRows) -> Double {
    min(1, Double(most(samples)) * grid.samplePixels / limits.fieldArea)
  }

  /// The greatest number of samples in a field.
  private func most(_ samples: BitRows) -> Int {
    let rowCounts = (0..<grid.height).map { row in
      samples.words[row * samples.stride..<(row + 1) * samples.stride].reduce(0) { $0 + $1.nonzeroBitCount }
    }
    var inRows = rowCounts[..<height].reduce(0, +)
    if width == grid.width {
      var most = inRows
      for row in height..<max(height, grid.height) {
        inRows += rowCounts[row] - rowCounts[row - height]
        most = max(most, inRows)
      }
      return most
    }
    var columns = [Int](repeating: 0, count: grid.width)
    for row in 0..<height { samples.forEachColumn(inRow: row) { columns[$0] += 1 } }
    var most = Self.mostInRow(columns, width)
    for row in height..<max(height, grid.height) where rowCounts[row] + rowCounts[row - height] > 0 {
      samples.forEachColumn(inRow: row) { columns[$0] += 1 }
      samples.forEachColumn(inRow: row - height) { columns[$0] -= 1 }
      inRows += rowCounts[row] - rowCounts[row - height]
      if inRows > most { most = max(most, Self.mostInRow(columns, width)) }
    }
    return most
  }

  /// The greatest sum of `width` neighbours.
  private static func mostInRow(_ counts: [Int], _ width: Int) -> Int {
    var sum = counts[..<width].reduce(0, +)
    var most = sum
    for column in width..<max(width, counts.count) {
      sum += counts[column] - counts[column - width]
      most = max(most, sum)
    }
    return most
  }
}
