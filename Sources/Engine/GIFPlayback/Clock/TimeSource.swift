internal import EngineSupport
public import GIFTimeline

/// The source of a clock's time.
public protocol TimeSource: Sendable {
  /// The present instant, never earlier than the one before.
  func now() -> PlaybackInstant
}

/// The system's monotonic clock, which no change of the wall clock touches.
public struct MonotonicTimeSource: TimeSource {
  /// Makes a time source; all of them give the same time.
  public init() {}

  /// The present instant.
  public func now() -> PlaybackInstant {
    PlaybackInstant(nanoseconds: MonotonicClock.nanoseconds)
  }
}

/// A time source that stands until it is moved, for tests and for rendering faster or slower than real time.
public final class ManualTimeSource: TimeSource {
  private let instant: Lock<PlaybackInstant>

  /// Makes a time source that stands at an instant.
  public init(start: PlaybackInstant = PlaybackInstant(sinceStart: .zero)) { instant = Lock(start) }

  /// The instant at which it stands.
  public func now() -> PlaybackInstant { instant.withLock { $0 } }

  /// Moves the time to an instant; one before the present changes nothing.
  package func move(to target: PlaybackInstant) { instant.withLock { $0 = max($0, target) } }

  /// Moves the time on.
  public func advance(by duration: Duration) {
    instant.withLock { $0 = $0 + max(.zero, duration) }
  }
}
