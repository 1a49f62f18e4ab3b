internal import GIFDecoding

/// What an edit makes of the frames' delays, one after the other.
struct DelayRule {
  private let rate: Double
  private let delay: Int?
  private let lastDelay: Int?
  /// What rounding has taken from the frames so far; the next one gets it.
  private var rest = 0.0

  init(_ edit: GIFEdit) throws(GIFEditError) {
    guard GIFEdit.rates.contains(edit.rate) else { throw GIFEditError(.ruleOutOfRange) }
    rate = edit.rate
    delay = try edit.delay.map { delay throws(GIFEditError) in try Self.centiseconds(of: delay) }
    lastDelay = try edit.lastDelay.map { delay throws(GIFEditError) in try Self.centiseconds(of: delay) }
  }

  /// The delay of the next frame, which may be longer than a frame can have.
  mutating func delay(of frame: SequenceFrame, isLast: Bool) -> Int {
    if isLast, let lastDelay { return lastDelay }
    if let delay { return delay }
    guard rate != 1 else { return frame.centiseconds }
    let wanted = Double(FrameSequence.shownCentiseconds(frame.centiseconds)) / rate + rest
    // Browsers lengthen what is shorter than two hundredths.
    let given = max(2, min(1e12, wanted.rounded()))
    // What cannot become faster owes no time.
    rest = abs(wanted - given) > 0.5 ? 0 : wanted - given
    return Int(given)
  }

  /// The longest delay that a GIF can store.
  private static let longestDelay = Int(UInt16.max)

  /// The longest delay that a frame can have of a longer one. What is left is none that browsers lengthen.
  static func part(of centiseconds: Int) -> Int {
    centiseconds <= longestDelay ? centiseconds : min(longestDelay, centiseconds - 2)
  }

  private static func centiseconds(of delay: Duration) throws(GIFEditError) -> Int {
    let milliseconds = delay.wholeMilliseconds
    let (centiseconds, rest) = milliseconds.quotientAndRemainder(dividingBy: 10)
    guard .milliseconds(milliseconds) == delay, rest == 0,
      (2...Self.longestDelay).contains(centiseconds)
    else { throw GIFEditError(.delayOutOfRange, value: Int64(milliseconds)) }
    return centiseconds
  }
}
