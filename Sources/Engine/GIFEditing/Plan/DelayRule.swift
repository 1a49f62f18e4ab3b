internal import GIFDecoding

/// What an edit makes of the frames' delays, one after the other.
struct DelayRule {
  private let rate: Double
  private let delay: Int?
  private let lastDelay: Int?
  /// What rounding has taken from the frames so far; the next one gets it.
  private var rest = 0.0

  init(_ edit: GIFEdit) throws(GIFEditError) {
    guard edit.rate.isFinite, edit.rate > 0 else { throw GIFEditError(.ruleOutOfRange) }
    rate = edit.rate
    delay = try edit.delay.map { delay throws(GIFEditError) in try Self.centiseconds(of: delay) }
    lastDelay = try edit.lastDelay.map { delay throws(GIFEditError) in try Self.centiseconds(of: delay) }
  }

  /// The delay of the next frame, which may be longer than a frame can have.
  mutating func delay(of frame: SequenceFrame, isLast: Bool) -> Int {
    if frame.isTimed { return frame.centiseconds }
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

  private static func centiseconds(of delay: Duration) throws(GIFEditError) -> Int {
    let (seconds, attoseconds) = delay.components
    let (whole, rest) = attoseconds.quotientAndRemainder(dividingBy: 10_000_000_000_000_000)
    guard seconds >= 0, seconds < 1000, rest == 0 else {
      throw GIFEditError(.delayOutOfRange, value: milliseconds(of: delay))
    }
    let centiseconds = Int(seconds) * 100 + Int(whole)
    guard (2...FrameSequence.longestDelay).contains(centiseconds) else {
      throw GIFEditError(.delayOutOfRange, value: milliseconds(of: delay))
    }
    return centiseconds
  }

  private static func milliseconds(of delay: Duration) -> Int64 {
    let (seconds, attoseconds) = delay.components
    let (whole, overflows) = seconds.multipliedReportingOverflow(by: 1000)
    let (sum, overflowsToo) = whole.addingReportingOverflow(attoseconds / 1_000_000_000_000_000)
    return overflows || overflowsToo ? (seconds < 0 ? .min : .max) : sum
  }
}
