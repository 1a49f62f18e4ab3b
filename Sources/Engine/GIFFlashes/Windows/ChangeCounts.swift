/// How often each sample has changed within a period of time that ends now.
///
/// Counts of 64 samples stand side by side in words: one word for each binary digit, the lowest first. Adding
/// and subtracting one for any of them then takes a few operations.
struct ChangeCounts: Sendable {
  /// The changes that came with one frame.
  struct Step: Sendable {
    let frame: Int
    /// In milliseconds.
    let time: Int64
    let changed: ChangedSamples
  }

  /// The length of the period in milliseconds; a change just as long ago is no longer in it.
  private(set) var period: Double
  /// The changes within the period, in order.
  private(set) var steps: [Step] = []
  /// The changes within the period, of all samples together.
  private var changeCount = 0
  private let wordCount: Int
  private let stride: Int
  private var digits: [UInt64] = []

  init(_ grid: SampleGrid, period: Double) {
    self.period = period
    stride = BitRows.stride(width: grid.width)
    wordCount = stride * grid.height
  }

  /// Adds changes, and removes those that are too long ago.
  mutating func add(_ step: Step) {
    advance(to: step.time)
    steps.append(step)
    changeCount += step.changed.count
    step.changed.forEachWord { increment($0, $1) }
  }

  private mutating func advance(to time: Int64) {
    while let first = steps.first, Double(time - first.time) >= period { removeFirst() }
  }

  /// Shortens the period so that the oldest changes are no longer in it.
  ///
  /// - Returns: false where the oldest changes are those of now.
  mutating func shorten(at time: Int64) -> Bool {
    guard let first = steps.first, first.time < time else { return false }
    period = min(period, Double(time - first.time))
    advance(to: time)
    return true
  }

  private mutating func removeFirst() {
    let step = steps.removeFirst()
    changeCount -= step.changed.count
    step.changed.forEachWord { decrement($0, $1) }
  }

  private mutating func increment(_ word: Int, _ bits: UInt64) {
    var (carry, place) = (bits, word)
    while carry != 0 {
      if place >= digits.count { digits.append(contentsOf: repeatElement(0, count: wordCount)) }
      let digit = digits[place]
      digits[place] = digit ^ carry
      carry &= digit
      place += wordCount
    }
  }

  private mutating func decrement(_ word: Int, _ bits: UInt64) {
    var (borrow, place) = (bits, word)
    while borrow != 0, place < digits.count {
      let digit = digits[place]
      digits[place] = digit ^ borrow
      borrow &= ~digit
      place += wordCount
    }
  }

  /// Whether so many samples can have changed that often, by the number of all changes.
  func mayHold(_ samples: Int, atLeast count: Int) -> Bool {
    steps.count >= count && changeCount >= samples * count
  }

  /// The samples that have changed at least so often.
  func samples(atLeast count: Int) -> BitRows {
    let digitCount = digits.count / max(1, wordCount)
    var words = [UInt64](repeating: 0, count: wordCount)
    guard count >> digitCount == 0 else { return BitRows(stride: stride, words: words) }
    for word in 0..<wordCount {
      var (greater, equal) = (UInt64(0), ~UInt64(0))
      for digit in (0..<digitCount).reversed() {
        let value = digits[digit * wordCount + word]
        if count >> digit & 1 == 1 {
          equal &= value
        } else {
          greater |= equal & value
          equal &= ~value
        }
      }
      words[word] = greater | equal
    }
    return BitRows(stride: stride, words: words)
  }
}
