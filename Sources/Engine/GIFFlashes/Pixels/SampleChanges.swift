/// The samples that changed with one frame, by the direction of the change.
struct SampleChanges: Sendable, Equatable {
  /// Those that became lighter; or saturated red.
  var rising: BitRows
  /// Those that became darker; or are no longer saturated red.
  var falling: BitRows
  /// Whether none was noted.
  private(set) var isEmpty = true

  private let width: Int

  init(_ grid: SampleGrid) {
    width = grid.width
    rising = BitRows(width: grid.width, height: grid.height)
    falling = rising
  }

  /// Those of both directions.
  var all: BitRows { rising.union(falling) }

  mutating func removeAll() {
    guard !isEmpty else { return }
    rising.removeAll()
    falling.removeAll()
    isEmpty = true
  }

  /// Notes a change of a sample: above 0 rising, below 0 falling, 0 none.
  @inline(__always)
  mutating func note(_ direction: Int, _ sample: Int) {
    if direction != 0 { insert(sample, isRising: direction > 0) }
  }

  private mutating func insert(_ sample: Int, isRising: Bool) {
    isEmpty = false
    let (row, column) = sample.quotientAndRemainder(dividingBy: width)
    let (word, bit) = (row * rising.stride + (column >> 6), UInt64(1) << UInt64(column & 63))
    if isRising { rising[word] |= bit } else { falling[word] |= bit }
  }
}
