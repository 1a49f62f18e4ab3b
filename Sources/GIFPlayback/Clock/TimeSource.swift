internal import EngineSupport
internal import GIFCaching
public import GIFTimeline

/// Where a clock takes the time from.
public protocol TimeSource: Sendable {
  /// The present instant; never earlier than one given before.
  func now() -> PlaybackInstant
}

/// The system's monotonic clock, which no change of the wall clock touches.
public struct MonotonicTimeSource: TimeSource {
  public init() {}

  public func now() -> PlaybackInstant {
    PlaybackInstant(nanoseconds: MonotonicClock.nanoseconds)
  }
}

/// A time that stands still until it is moved, for tests and for rendering faster or slower than real time.
public final class ManualTimeSource: TimeSource {
  private let instant: Lock<PlaybackInstant>

  public init(start: PlaybackInstant = PlaybackInstant(nanoseconds: 0)) { instant = Lock(start) }

  public func now() -> PlaybackInstant { instant.withLock { $0 } }

  /// Moves the time to an instant; an earlier one than the present changes nothing.
  public func move(to target: PlaybackInstant) { instant.withLock { $0 = max($0, target) } }

  public func advance(by duration: Duration) {
    instant.withLock { $0 = $0 + max(.zero, duration) }
  }
}
