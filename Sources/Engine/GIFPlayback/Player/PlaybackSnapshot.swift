public import GIFTimeline

/// The state of a player, to be saved and restored: ``GIFPlayer/snapshot``, ``GIFPlayer/restore(_:)``.
///
/// It holds the frame, how long that was shown, the loop, the order, the range, the rate, and whether it
/// plays.
public struct PlaybackSnapshot: Sendable, Hashable {
  /// What the player does, or will do at the end of scrubbing.
  package var state: PlaybackState
  /// The frame shown or due.
  package var frame: Int
  /// How long it has been due, in media time to the nanosecond.
  package var elapsed: Duration
  /// How much of its time is left.
  package var remainder: Duration
  /// The number of the loop, from 0: as many were completed before.
  package var loop: Int
  /// Whether it stands on the way back of a bounce.
  package var isReturning: Bool
  /// The order of the frames.
  package var mode: PlaybackMode
  /// The frames to play; nil for all. What the image does not have is left out.
  package var range: Range<Int>?
  /// The speed, clipped to 0.05 - 20 times.
  package var rate: Double

  /// Makes a state; without arguments that of a new player.
  package init(
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
}

// For apps that save states; the engine itself writes nothing.

extension PlaybackSnapshot: Codable {}

extension PlaybackState: Codable {}

extension PlaybackMode: Codable {}
