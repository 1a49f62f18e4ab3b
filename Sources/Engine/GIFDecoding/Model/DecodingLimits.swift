/// The limits of what a file may claim. Each is checked before memory is allocated.
///
/// The defaults admit every plausible GIF: an 8K screen is 33.2 million pixels.
public struct DecodingLimits: Sendable, Hashable {
  /// The largest canvas to render, and the largest frame of another size, in pixels of 4 bytes.
  ///
  /// A larger canvas can still be indexed.
  public var canvasPixels: Int64
  /// The largest canvas to index, in pixels: beyond it the header is certainly damaged. The default is
  /// Chromium's.
  public var claimedPixels: Int64
  /// The largest rectangle of a frame, in pixels; it may be larger than the canvas. A larger frame fails.
  public var framePixels: Int64
  /// The largest number of bytes that one renderer holds: canvas, indices, and the pixels that a frame
  /// restores.
  ///
  /// A canvas above it is an error; a frame above it fails. Kept canvases have their own limit:
  /// ``CheckpointPolicy``.
  public var decodedBytes: Int64
  /// The largest number of frames; further ones are ignored, with a diagnostic.
  public var frameCount: Int
  /// The largest sum of the frames' rectangles, in pixels: the work of one play. Further frames are ignored,
  /// with a diagnostic.
  ///
  /// Two megabytes can hold three gigapixels. A core decodes some hundred million pixels to a gigapixel a
  /// second.
  public var totalPixels: Int64
  /// The largest number of comment bytes kept.
  public var commentBytes: Int
  /// The largest number of bytes of a stream, a pipe or a download: of what is held in memory. Further bytes
  /// are an error as soon as they come.
  public var streamBytes: Int

  package init(
    canvasPixels: Int64 = 1 << 25, claimedPixels: Int64 = (1 << 29) - 1, framePixels: Int64 = 1 << 25,
    decodedBytes: Int64 = 1 << 29, frameCount: Int = 1 << 17, totalPixels: Int64 = .max,
    commentBytes: Int = 1 << 16, streamBytes: Int = 1 << 28
  ) {
    self.canvasPixels = canvasPixels
    self.claimedPixels = claimedPixels
    self.framePixels = framePixels
    self.decodedBytes = decodedBytes
    self.frameCount = frameCount
    self.totalPixels = totalPixels
    self.commentBytes = commentBytes
    self.streamBytes = streamBytes
  }

  /// The default limits.
  public static let `default` = DecodingLimits()

  /// Limits for files from strangers: 16.7 million pixels a canvas, 128 MiB a renderer, 64 MiB of input, and
  /// a second or two of decoding for each play.
  public static let untrusted = DecodingLimits(
    canvasPixels: 1 << 24, claimedPixels: 1 << 24, framePixels: 1 << 24, decodedBytes: 1 << 27,
    frameCount: 1 << 14,
    totalPixels: 1 << 30, commentBytes: 1 << 12, streamBytes: 1 << 26)
}
