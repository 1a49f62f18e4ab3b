/// Why a frame is shown.
public enum ChangeCause: String, Sendable, Hashable {
  /// Its time had come; also the first frame.
  case play
  /// Its time had come, and with it a new loop began.
  case loop
  /// A seek, a stop, a frame shown without playing, or more of the frame that is shown has arrived.
  case seek
  /// A single step.
  case step
  /// Playing started over.
  case restart
  /// The player has become visible: the frame to be seen now, also if it is the one shown last.
  case appear
}
