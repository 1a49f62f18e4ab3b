@testable import GIFFlashes

extension BitRows {
  /// The samples of a grid that are set, by their column and row.
  init(_ grid: SampleGrid, where isSet: (_ column: Int, _ row: Int) -> Bool) {
    self.init(width: grid.width, height: grid.height)
    for row in 0..<grid.height {
      for column in 0..<grid.width where isSet(column, row) {
        self[row * stride + column / 64] |= 1 << UInt64(column % 64)
      }
    }
  }
}
