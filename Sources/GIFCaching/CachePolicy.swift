/// How far ahead of its playhead a player has frames decoded. How much memory there is for it, the
/// ``FrameBudget`` decides.
public struct CachePolicy: Sendable, Hashable {
  /// How long before it is due a frame is to be there.
  public var readAhead: Duration
  /// How many frames are decoded ahead of the playhead at the most; at least one is, however long it may last.
  public var readAheadFrames: Int
  /// What is decoded beyond the read-ahead while there is room.
  public var preload: Preload

  public enum Preload: Sendable, Hashable {
    /// Nothing.
    case none
    /// So many frames from the playhead on.
    case frames(Int)
    /// What is played within this time.
    case time(Duration)
    /// The whole animation.
    case all
  }

  public init(
    readAhead: Duration = .milliseconds(250), readAheadFrames: Int = 8, preload: Preload = .none
  ) {
    self.readAhead = readAhead
    self.readAheadFrames = readAheadFrames
    self.preload = preload
  }
}

/// Where the frames of one player stand; all counts are since its creation. What players of the same content share
/// is counted for each of them.
public struct CacheStatistics: Sendable, Hashable {
  /// Lookups of this player that found the picture.
  public var hits = 0
  /// Pictures that this player asked for before they were there; asking again for the same one does not count.
  public var misses = 0
  /// Frames whose code streams were decoded, steps on the way to a picture included.
  public var decodedFrames = 0
  /// Pictures made.
  public var composedFrames = 0
  /// Pictures given up of which the palette indices stay.
  public var demotions = 0
  /// Pictures given up without a trace.
  public var evictions = 0
  /// Finished pictures held now.
  public var residentFrames = 0
  /// Frames held as palette indices now.
  public var warmFrames = 0
  /// Bytes of both, and of what decoding takes.
  public var residentBytes = 0
  /// The most bytes held at any time.
  public var peakBytes = 0
}
