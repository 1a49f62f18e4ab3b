/// How often an animation plays in all.
public enum LoopCount: Sendable, Hashable {
  case forever
  /// The total number of plays, at least 1.
  case plays(Int)

  /// The total plays for a stored loop count: 0 means for ever, n means n repetitions after the first play.
  /// So browsers read it: 65,535 is 65,536 plays.
  init(storedRepetitions count: Int) {
    self = count == 0 ? .forever : .plays(count + 1)
  }
}

/// What is known of a whole GIF without decoding a pixel.
public struct GIFMetadata: Sendable {
  /// The canvas in pixels: the logical screen, grown to hold the first frame where that reaches beyond it.
  public let width: Int
  public let height: Int
  /// Total plays; one where the file has no loop extension.
  public let loopCount: LoopCount
  /// Whether the file came to its regular end. False where it breaks off, and while it still loads.
  public let isComplete: Bool
  /// The bytes of the comments in file order, as far as the limit of comment bytes allows.
  package let commentTexts: [[UInt8]]
  /// The size of the compressed file in bytes.
  public let byteCount: Int

  /// Canvas pixels.
  public var pixelCount: Int64 { Int64(width) * Int64(height) }
}
