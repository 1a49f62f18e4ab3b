internal import EngineSupport
public import GIFTimeline

/// A time that stands until it is moved, for tests and for rendering faster or slower than real time.
public final class ManualTime: Sendable {
  private let instant: Lock<PlaybackInstant>

  /// Makes a time that stands at zero.
  public convenience init() { self.init(start: PlaybackInstant(nanoseconds: 0)) }

  package init(start: PlaybackInstant) { instant = Lock(start) }

  /// The instant at which it stands.
  public func now() -> PlaybackInstant { instant.withLock { $0 } }

  /// Moves the time to an instant; one before the present changes nothing.
  package func move(to target: PlaybackInstant) { instant.withLock { $0 = max($0, target) } }

  /// Moves the time on.
  public func advance(by duration: Duration) {
    instant.withLock { $0 = $0 + max(.zero, duration) }
  }
}
