/// The samples that changed with one frame, by the direction of the change.
struct SampleChanges: Sendable, Equatable {
  /// Those that became lighter; or saturated red.
  private(set) var rising: BitRows
  /// Those that became darker; or are no longer saturated red.
  private(set) var falling: BitRows
  /// Whether none was noted.
  private(set) var isEmpty = true
  /// The bits of one word that are still to be added: neighbours come after each other.
  private var pending = Pending(word: 0)

  private struct Pending: Sendable, Equatable {
    let word: Int
    var rising: UInt64 = 0
    var falling: UInt64 = 0
  }

  init(_ grid: SampleGrid) {
    rising = BitRows(width: grid.width, height: grid.height)
    falling = rising
  }

  /// Those of both directions; nil for none.
  var all: BitRows? { isEmpty ? nil : rising.union(falling) }

  mutating func removeAll() {
    guard !isEmpty else { return }
    rising.removeAll()
    falling.removeAll()
    isEmpty = true
  }

  /// Notes whether a sample has changed. ``finish()`` has to follow.
  @inline(__always)
  mutating func note(_ sample: Int, _ change: (rising: Bool, falling: Bool)) {
    let (word, bit) = (sample >> 6, UInt64(sample & 63))
    if word != pending.word {
      finish()
      pending = Pending(word: word)
    }
    pending.rising |= (change.rising ? 1 : 0) << bit
    pending.falling |= (change.falling ? 1 : 0) << bit
  }

  /// Ends the notes.
  mutating func finish() {
    guard pending.rising | pending.falling != 0 else { return }
    isEmpty = false
    rising[pending.word] |= pending.rising
    falling[pending.word] |= pending.falling
    pending = Pending(word: 0)
  }
}
