public import GIFDecoding

/// How a WebP is made of an image.
public struct WebPOptions: Sendable, Hashable {
  /// How pictures are compressed.
  public enum Compression: Sendable, Hashable {
    case lossless
    /// With a quality of 0 to 100; others are clipped.
    case lossy(Float)
  }

  public var compression = Compression.lossless
  /// The size of the pictures, by area averaging; nil for that of the canvas.
  public var size: PixelSize?
  /// The frames that it shows, in this order; nil for all.
  public var frames: [Int]?
  /// Pictures a second at the most: others are left out, and those before them show for their time; nil for
  /// all.
  public var mostPerSecond: Double?

  /// Makes options for a lossless WebP of all frames.
  public init() {}
}
