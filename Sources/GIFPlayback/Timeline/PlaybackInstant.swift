internal import GIFCaching

/// A point on a monotonic time line, in nanoseconds since a start that only the time source knows.
public struct PlaybackInstant: Sendable, Hashable, Comparable {
  public var nanoseconds: Int64

  public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

  public static func < (left: PlaybackInstant, right: PlaybackInstant) -> Bool {
    left.nanoseconds < right.nanoseconds
  }

  /// Stops at the ends of the time line.
  public static func + (instant: PlaybackInstant, duration: Duration) -> PlaybackInstant {
    instant.advanced(byNanoseconds: duration.wholeNanoseconds)
  }

  /// The time from `start` to `end`, 292 years at the most.
  public static func - (end: PlaybackInstant, start: PlaybackInstant) -> Duration {
    .nanoseconds(end.nanoseconds(since: start))
  }

  func advanced(byNanoseconds count: Int64) -> PlaybackInstant {
    PlaybackInstant(nanoseconds: nanoseconds.addingClamped(count))
  }

  func nanoseconds(since start: PlaybackInstant) -> Int64 {
    let (difference, overflows) = nanoseconds.subtractingReportingOverflow(start.nanoseconds)
    return overflows ? (nanoseconds < start.nanoseconds ? .min : .max) : difference
  }
}

extension Int64 {
  /// The sum, or the number nearest to it that there is.
  func addingClamped(_ other: Int64) -> Int64 {
    let (sum, overflows) = addingReportingOverflow(other)
    return overflows ? (other < 0 ? .min : .max) : sum
  }

  /// A whole number of a floating-point one, cut off; the ends of the range for what lies beyond.
  init(clamping value: Double) {
    // 2^63 itself is the first double that does not fit.
    self = value >= 0x1p63 ? .max : value < -0x1p63 ? .min : Int64(value)
  }
}
