public import GIFDecoding

/// In what form each frame of an animation is held, for front ends to draw.
public struct CacheMap: Sendable, Hashable {
  public enum Tier: String, Sendable, Hashable {
    /// Only the compressed bytes of the file.
    case cold
    /// Palette indices: composed without decoding.
    case warm
    /// Being decoded now.
    case inFlight
    /// A finished picture.
    case hot
  }

  /// A tier for each frame.
  public let tiers: [Tier]
  /// The frames at which players are, in order; players at the same frame are listed each.
  public let playheads: [Int]
}

/// What one store holds, and what it has done since it was made.
public struct StoreSnapshot: Sendable, Hashable {
  /// The canvas.
  public let width: Int
  public let height: Int
  /// The size of the pictures where it differs from the canvas.
  public let size: PixelSize?
  public let frameCount: Int
  public let players: Int
  /// Bytes held in all, the renderer included.
  public let heldBytes: Int64
  public let hotFrames: Int
  public let warmFrames: Int
  public let warmBytes: Int64
  public let checkpointBytes: Int64
  public let decodedFrames: Int
  public let composedFrames: Int
  public let demotions: Int
  public let evictions: Int
}
