/// What a player does.
public enum PlaybackState: String, Sendable, Hashable {
  /// At the start; nothing has been asked for.
  case stopped
  /// Frames follow each other, or will once the first one is there.
  case playing
  /// The frame shown is held.
  case paused
  /// All plays are over; the last frame stays visible.
  case finished
  /// No frame can be decoded; the state no longer changes.
  case failed
}
