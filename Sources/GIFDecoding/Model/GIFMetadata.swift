/// The number of times that an animation plays in all.
public enum LoopCount: Sendable, Hashable {
  /// Without end.
  case forever
  /// The total number of plays, at least 1.
  case plays(Int)

  /// The total plays for a stored loop count: 0 means for ever, n means n repetitions after the first play.
  /// So browsers read it: 65,535 is 65,536 plays.
  init(storedRepetitions count: Int) {
    self = count == 0 ? .forever : .plays(count + 1)
  }
}

/// What a file says besides its frames.
public struct GIFMetadata: Sendable {
  /// Whether the file came to its regular end. False where it breaks off, and while it still loads.
  public let isComplete: Bool
  /// The bytes of the comments in file order, as far as the limit of comment bytes allows.
  package let commentTexts: [[UInt8]]
  /// The size of the compressed file in bytes.
  public let byteCount: Int
}
