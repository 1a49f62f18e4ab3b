// Durations as counts of a unit, for all modules above.

extension Duration {
  /// In whole nanoseconds, cut off; beyond 292 years the longest there is.
  package var wholeNanoseconds: Int64 { count(perSecond: 1_000_000_000, attosecondsEach: 1_000_000_000) }

  /// In whole microseconds, cut off; beyond 292,000 years the longest there is.
  package var wholeMicroseconds: Int64 { count(perSecond: 1_000_000, attosecondsEach: 1_000_000_000_000) }

  /// In nanoseconds, as far as a floating-point number is exact.
  package var nanosecondCount: Double {
    Double(components.seconds) * 1e9 + Double(components.attoseconds) / 1e9
  }

  /// In milliseconds, as far as a floating-point number is exact.
  package var millisecondCount: Double {
    Double(components.seconds) * 1e3 + Double(components.attoseconds) / 1e15
  }

  private func count(perSecond: Int64, attosecondsEach: Int64) -> Int64 {
    let (seconds, attoseconds) = components
    let (whole, overflows) = seconds.multipliedReportingOverflow(by: perSecond)
    let (sum, overflowsAgain) = whole.addingReportingOverflow(attoseconds / attosecondsEach)
    guard !overflows, !overflowsAgain else { return seconds < 0 ? .min : .max }
    return sum
  }
}
