internal import EngineSupport
public import GIFTimeline

// Instants and time lines in the standard library's durations.

extension PlaybackInstant {
  /// The present instant of the system's monotonic clock, which no change of the wall clock touches.
  public static var now: PlaybackInstant { PlaybackInstant(nanoseconds: MonotonicClock.nanoseconds) }

  /// Makes an instant of the time since the clock's start.
  package init(sinceStart duration: Duration) { self.init(nanoseconds: duration.wholeNanoseconds) }

  /// The time since the clock's start.
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

extension Timeline {
  /// How long one loop takes, as far as is known.
  package var loopDuration: Duration { .nanoseconds(loopNanoseconds) }

  /// How long all plays take; nil for an animation without end, or if its end is not known yet.
  package var totalDuration: Duration? { totalNanoseconds.map { .nanoseconds($0) } }

  /// What is due at a media time; nil only without frames. Times before 0 count as 0.
  ///
  /// - Complexity: O(log n), where n is the number of steps in a loop.
  public func position(at time: Duration) -> Position? { position(at: time.wholeNanoseconds) }
}

extension Timeline.Position {
  /// The media time at which the next frame is due; nil if nothing follows.
  public var nextChangeTime: Duration? { nextChange.map { .nanoseconds($0) } }
}
