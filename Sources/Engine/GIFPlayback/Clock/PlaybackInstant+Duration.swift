internal import EngineSupport
public import GIFTimeline

// Instants and the standard library's durations.

extension PlaybackInstant {
  /// Makes an instant of the time since the time source's start.
  public init(sinceStart duration: Duration) { self.init(nanoseconds: duration.wholeNanoseconds) }

  /// The time since the time source's start.
  public var sinceStart: Duration { .nanoseconds(nanoseconds) }

  /// The instant so much later. Stops at the ends of the time line.
  public static func + (instant: PlaybackInstant, duration: Duration) -> PlaybackInstant {
    instant.advanced(byNanoseconds: duration.wholeNanoseconds)
  }

  /// The time from `start` to `end`, 292 years at most.
  public static func - (end: PlaybackInstant, start: PlaybackInstant) -> Duration {
    .nanoseconds(end.nanoseconds(since: start))
  }
}
