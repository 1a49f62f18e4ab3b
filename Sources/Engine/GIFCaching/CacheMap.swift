/// In what form each frame of an animation is held, for front ends to draw.
package struct CacheMap: Sendable, Hashable {
  /// The form in which a frame is held.
  package enum Tier: String, Sendable, Hashable {
    /// Only the compressed bytes of the file.
    case cold
    /// Palette indices: composed without decoding.
    case warm
    /// Being decoded now.
    case inFlight
    /// A finished frame.
    case hot
  }

  /// A tier for each frame.
  package let tiers: [Tier]
  /// The frames at which players are, in order; players at the same frame are listed each.
  package let playheads: [Int]
}
