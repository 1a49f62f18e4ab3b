internal import GIFDecoding

/// The greatest number of samples that a field of 10 degrees holds, over all its places.
struct FieldAreas: Sendable {
  /// Which samples a field holds where their blocks lie across its edge.
  enum Edge: Sendable {
    /// All that it touches: no field holds more.
    case touched
    /// Only those of whole blocks: some field holds no fewer.
    case whole
  }

  /// The sides of a field, in samples.
  private let (width, height): (Int, Int)
  private let grid: SampleGrid
  private let limits: ShownLimits

  /// The samples that may flash in a field; no more than there are.
  let limit: Int

  init(_ grid: SampleGrid, _ limits: ShownLimits, edge: Edge = .touched) {
    self.grid = grid
    self.limits = limits
    width = Self.side(limits.fieldWidth, of: grid.width, grid, edge)
    height = Self.side(limits.fieldHeight, of: grid.height, grid, edge)
    limit = Int(min(Double(grid.count), limits.area / grid.samplePixels).rounded(.down))
  }

  /// The samples beside each other that a field holds.
  private static func side(_ pixels: Int, of count: Int, _ grid: SampleGrid, _ edge: Edge) -> Int {
    switch edge {
    case .touched: min(count, (pixels + grid.side - 1) / grid.side + (grid.side > 1 ? 1 : 0))
    case .whole: pixels / grid.side
    }
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
  func most(_ samples: BitRows, atLeast sought: Int? = nil) -> Int {
    let rowCounts = samples.rowCounts
    let end = sought ?? .max
    var most = (sought ?? 1) - 1
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
      guard inRows > most else { continue }
      most = max(most, isWide ? inRows : Self.mostInRow(columns, width))
      if most >= end { break }
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
