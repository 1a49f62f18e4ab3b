/// A point on a monotonic time line, in nanoseconds since a start that only the time source knows.
public struct PlaybackInstant: Sendable, Hashable, Comparable {
  public var nanoseconds: Int64

  public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

  public static func < (left: PlaybackInstant, right: PlaybackInstant) -> Bool {
    left.nanoseconds < right.nanoseconds
  }

  public static func + (instant: PlaybackInstant, duration: Duration) -> PlaybackInstant {
    PlaybackInstant(nanoseconds: instant.nanoseconds + duration.wholeNanoseconds)
  }

  /// The time from `start` to `end`.
  public static func - (end: PlaybackInstant, start: PlaybackInstant) -> Duration {
    .nanoseconds(end.nanoseconds - start.nanoseconds)
  }
}

extension Duration {
  /// The duration in nanoseconds, cut off; beyond 292 years the longest there is.
  var wholeNanoseconds: Int64 {
    let (seconds, attoseconds) = components
    let (whole, overflows) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    let (sum, overflowsAgain) = whole.addingReportingOverflow(attoseconds / 1_000_000_000)
    guard !overflows, !overflowsAgain else { return seconds < 0 ? .min : .max }
    return sum
  }
}
