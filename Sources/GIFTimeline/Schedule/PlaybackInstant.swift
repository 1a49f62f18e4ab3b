/// A point on a monotonic time line, in nanoseconds since a start that only the time source knows.
public struct PlaybackInstant: Sendable, Hashable, Comparable {
  public var nanoseconds: Int64

  public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

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
  /// The difference, or the number nearest to it that there is.
  package func subtractingClamped(_ other: Int64) -> Int64 {
    let (difference, overflows) = subtractingReportingOverflow(other)
    return overflows ? (self < other ? .min : .max) : difference
  }

  /// The sum, or the number nearest to it that there is.
  package func addingClamped(_ other: Int64) -> Int64 {
    let (sum, overflows) = addingReportingOverflow(other)
    return overflows ? (other < 0 ? .min : .max) : sum
  }

  /// A whole number of a floating-point one, cut off; the ends of the range for what lies beyond.
  package init(clamping value: Double) {
    // 2^63 itself is the first double that does not fit.
    self = value >= 0x1p63 ? .max : value < -0x1p63 ? .min : Int64(value)
  }
}
