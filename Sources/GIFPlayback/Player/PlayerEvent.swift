public import GIFDecoding
public import GIFTimeline

/// Everything that a player tells.
public enum PlayerEvent: Sendable {
  /// The picture has changed.
  case frameChange(FrameChange)
  /// A loop is over.
  case loopCompleted(LoopCompletion)
  /// All plays are over; told once, after the last frame's own delay.
  case finished(GIFPlayer.ID)
  case stateChanged(StateChange)
  /// Playback has begun to wait, or goes on.
  case buffering(BufferingChange)
  /// No picture can be made; the last event but the change of state.
  case failed(GIFError)
}

/// A loop that came to its end, told after the last frame's own delay.
///
/// A gap in which several loops ended tells each of them, up to 64 at once: of more the last 64, so that a fast
/// animation after a long gap floods nobody. ``count`` is right in any case.
public struct LoopCompletion: Sendable, Hashable {
  public let target: GIFPlayer.ID
  /// Loops completed since the start.
  public let count: Int
  /// Loops left; nil for an animation without end.
  public let remaining: Int?
}

/// A player that has begun to do something else.
public struct StateChange: Sendable, Hashable {
  public let target: GIFPlayer.ID
  public let state: PlaybackState
}

/// A player that plays and has to wait, or can go on.
public struct BufferingChange: Sendable, Hashable {
  /// What playback waits for.
  public enum Reason: String, Sendable, Hashable {
    /// What comes next has not been loaded yet.
    case source
    /// The picture that is due is being decoded, and by ``LatePolicy/wait`` time waits for it. The first picture and
    /// the target of a seek are no such wait.
    case decoder
  }

  public let target: GIFPlayer.ID
  /// Why it waits; nil when it goes on.
  public let reason: Reason?
  /// How many frames the animation has, as far as is known now.
  public let frameCount: Int
  /// Whether those are all.
  public let isComplete: Bool

  public var isBuffering: Bool { reason != nil }
}
