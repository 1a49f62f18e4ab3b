/// What a file may ask for at the most. Each limit is checked before anything is allocated.
///
/// The defaults let every plausible GIF through: an 8K screen is 33.2 million pixels.
public struct DecodingLimits: Sendable, Hashable {
  /// Canvas pixels that are rendered, and pixels of a picture delivered at another size; either takes 4 bytes each.
  /// The index of a larger canvas can still be read.
  public var canvasPixels: Int64
  /// Canvas pixels beyond which a file is refused outright: no such picture exists, the header is damaged.
  /// The default is where Chromium gives up.
  public var claimedPixels: Int64
  /// Pixels of one frame's rectangle, which may be larger than the canvas. More makes this frame fail.
  public var framePixels: Int64
  /// Bytes of pixels that one renderer holds: its canvas, a frame's indices and what a frame restores afterwards. A
  /// canvas that takes more is an error; a frame that would take more fails. Kept canvases have their own limit in
  /// ``CheckpointPolicy``.
  public var decodedBytes: Int64
  /// Number of frames; what follows is left out, with a diagnostic.
  public var frameCount: Int
  /// Bytes of comments kept.
  public var commentBytes: Int
  /// Bytes of a file that has to be held in memory whole: what arrives piece by piece, and a pipe.
  public var streamBytes: Int

  public init(
    canvasPixels: Int64 = 1 << 25, claimedPixels: Int64 = (1 << 29) - 1, framePixels: Int64 = 1 << 25,
    decodedBytes: Int64 = 1 << 29, frameCount: Int = 1 << 17, commentBytes: Int = 1 << 16,
    streamBytes: Int = 1 << 30
  ) {
    self.canvasPixels = canvasPixels
    self.claimedPixels = claimedPixels
    self.framePixels = framePixels
    self.decodedBytes = decodedBytes
    self.frameCount = frameCount
    self.commentBytes = commentBytes
    self.streamBytes = streamBytes
  }

  public static let `default` = DecodingLimits()
}
