/// What playback waits for.
public enum BufferingReason: String, Sendable, Hashable {
  /// What follows has not been loaded yet. The wait ends with the image, or once enough of it has come: half
  /// a second of playback unless the player's options say otherwise.
  case source
  /// The frame that is due is being decoded, and under ``LatePolicy/wait`` time waits for it. The first frame
  /// and the target of a seek are no such wait.
  case decoder
}
