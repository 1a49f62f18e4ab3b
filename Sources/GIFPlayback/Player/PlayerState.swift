public import GIFTimeline

/// Where a player stands, as a value that can be kept and given back: ``GIFPlayer/playbackState``,
/// ``GIFPlayer/restore(_:)``.
public struct PlayerState: Sendable, Hashable {
  public enum Run: String, Sendable, Hashable {
    case stopped, playing, paused, finished
  }

  /// What the player does, or will do when the scrubbing at hand ends.
  public var run: Run
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
    run: Run = .stopped, frame: Int = 0, elapsed: Duration = .zero, remainder: Duration = .zero,
    loop: Int = 0, isReturning: Bool = false, mode: PlaybackMode = .forward, range: Range<Int>? = nil,
    rate: Double = 1
  ) {
    self.run = run
    self.frame = frame
    self.elapsed = elapsed
    self.remainder = remainder
    self.loop = loop
    self.isReturning = isReturning
    self.mode = mode
    self.range = range
    self.rate = rate
  }

  public var isPaused: Bool { run == .paused }
}

// For those who store states; the engine itself writes nothing.

extension PlayerState: Codable {}

extension PlayerState.Run: Codable {}

extension PlaybackMode: Codable {}
