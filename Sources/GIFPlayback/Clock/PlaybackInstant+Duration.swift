internal import EngineSupport
public import GIFTimeline

// Instants and the standard library's durations.

extension PlaybackInstant {
  /// Stops at the ends of the time line.
  public static func + (instant: PlaybackInstant, duration: Duration) -> PlaybackInstant {
    instant.advanced(byNanoseconds: duration.wholeNanoseconds)
  }

  /// The time from `start` to `end`, 292 years at the most.
  public static func - (end: PlaybackInstant, start: PlaybackInstant) -> Duration {
    .nanoseconds(end.nanoseconds(since: start))
  }
}
