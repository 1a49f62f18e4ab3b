/// The limits of what a file may claim. Each is checked before memory is allocated.
///
/// The defaults admit every plausible GIF: an 8K screen is 33.2 million pixels.
public struct DecodingLimits: Sendable, Hashable {
  /// The largest canvas to render, and the largest frame of another size, in pixels of 4 bytes.
  ///
  /// A larger canvas can still be indexed.
  public var canvasPixels: Int64
  /// The largest canvas to index, in pixels: beyond it the header is certainly damaged. The default is Chromium's.
  public var claimedPixels: Int64
  /// The largest rectangle of a frame, in pixels; it may be larger than the canvas. A larger frame fails.
  public var framePixels: Int64
  /// The largest number of bytes that one renderer holds: canvas, indices, and the pixels that a frame restores.
  ///
  /// A canvas above it is an error; a frame above it fails. Kept canvases have their own limit: ``CheckpointPolicy``.
  public var decodedBytes: Int64
  /// The largest number of frames; further ones are ignored, with a diagnostic.
  public var frameCount: Int
  /// The largest number of comment bytes kept.
  public var commentBytes: Int
  /// The largest number of compressed bytes held in memory: of a stream, a pipe or a download.
  public var streamBytes: Int

  /// Makes limits; each has a default.
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

  /// The default limits.
  public static let `default` = DecodingLimits()
}
