/// An instant of a monotonic clock, counted from a start that only the clock knows.
public struct PlaybackInstant: Sendable, Hashable, Comparable {
  package var nanoseconds: Int64

  package init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

  public static func < (left: PlaybackInstant, right: PlaybackInstant) -> Bool {
    left.nanoseconds < right.nanoseconds
  }

  package func advanced(byNanoseconds count: Int64) -> PlaybackInstant {
    PlaybackInstant(nanoseconds: nanoseconds.addingClamped(count))
  }

  package func nanoseconds(since start: PlaybackInstant) -> Int64 {
    nanoseconds.subtractingClamped(start.nanoseconds)
  }
}

extension Int64 {
  /// The difference, clamped to the range of the type.
  package func subtractingClamped(_ other: Int64) -> Int64 {
    let (difference, overflows) = subtractingReportingOverflow(other)
    return overflows ? (self < other ? .min : .max) : difference
  }

  /// The sum, clamped to the range of the type.
  package func addingClamped(_ other: Int64) -> Int64 {
    let (sum, overflows) = addingReportingOverflow(other)
    return overflows ? (other < 0 ? .min : .max) : sum
  }

  /// The whole part of a floating-point number, clamped to the range of the type; 0 for NaN.
  package init(clamping value: Double) {
    // 2^63 itself is the first double that does not fit.
    self = value.isNaN ? 0 : value >= 0x1p63 ? .max : value < -0x1p63 ? .min : Int64(value)
  }
}
