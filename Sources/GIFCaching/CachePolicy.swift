/// How much of an animation is held as finished pictures, and how far ahead of the playhead.
public struct CachePolicy: Sendable, Hashable {
  /// Bytes of finished pictures held at the most. The picture shown and the next one are held in any case: with
  /// less, playback would decode on demand and every frame would come late.
  public var byteBudget: Int
  /// How many frames after the current one are decoded before they are due, at least 1.
  public var readAhead: Int
  /// Bytes of canvases kept so that going back need not decode from the key frame; beside the budget.
  public var checkpointBytes: Int

  public init(byteBudget: Int = 64 << 20, readAhead: Int = 8, checkpointBytes: Int = 0) {
    self.byteBudget = byteBudget
    self.readAhead = readAhead
    self.checkpointBytes = checkpointBytes
  }
}

/// Where a cache stands; all counts are since its creation.
public struct CacheStatistics: Sendable, Hashable {
  /// Lookups that found the picture.
  public var hits = 0
  /// Pictures that were asked for before they were there; asking again for the same one does not count.
  public var misses = 0
  /// Frames decoded.
  public var decodedFrames = 0
  /// Pictures dropped to make room.
  public var evictions = 0
  /// Pictures held now.
  public var residentFrames = 0
  /// Bytes of the pictures held now.
  public var residentBytes = 0
  /// The most bytes held at any time.
  public var peakBytes = 0
}
