extension Duration {
  /// Whole milliseconds, clipped to what an `Int` holds.
  package var wholeMilliseconds: Int {
    let (seconds, attoseconds) = components
    let (thousands, overflows) = seconds.multipliedReportingOverflow(by: 1000)
    guard !overflows else { return seconds < 0 ? .min : .max }
    let (sum, exceeds) = thousands.addingReportingOverflow(attoseconds / 1_000_000_000_000_000)
    return exceeds ? (seconds < 0 ? .min : .max) : Int(clamping: sum)
  }
}
