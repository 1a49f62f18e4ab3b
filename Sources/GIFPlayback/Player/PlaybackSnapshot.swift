public import GIFTimeline

/// Where a player stands, as a value that can be kept and given back: ``GIFPlayer/snapshot``,
/// ``GIFPlayer/restore(_:)``.
public struct PlaybackSnapshot: Sendable, Hashable {
  /// What the player does, or will do when the scrubbing at hand ends.
  public var state: PlaybackState
  /// The frame shown or due.
  public var frame: Int
  /// How long it has been due, in media time to the nanosecond.
  public var elapsed: Duration
  /// How much of its time is left.
  public var remainder: Duration
  /// Loops completed before.
  public var loop: Int
  /// Whether it stands on the way back of a bounce.
  public var isReturning: Bool
  public var mode: PlaybackMode
  /// The frames to play; nil for all.
  public var range: Range<Int>?
  /// The speed, 0.05 - 20 times.
  public var rate: Double

  public init(
    state: PlaybackState = .stopped, frame: Int = 0, elapsed: Duration = .zero, remainder: Duration = .zero,
    loop: Int = 0, isReturning: Bool = false, mode: PlaybackMode = .forward, range: Range<Int>? = nil,
    rate: Double = 1
  ) {
    self.state = state
    self.frame = frame
    self.elapsed = elapsed
    self.remainder = remainder
    self.loop = loop
    self.isReturning = isReturning
    self.mode = mode
    self.range = range
    self.rate = rate
  }

  public var isPaused: Bool { state == .paused }
}

// For those who store states; the engine itself writes nothing.

extension PlaybackSnapshot: Codable {}

extension PlaybackState: Codable {}

extension PlaybackMode: Codable {}
