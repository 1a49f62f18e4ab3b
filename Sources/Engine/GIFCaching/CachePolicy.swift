/// How far ahead of its playhead a player has frames decoded. The ``FrameBudget`` decides how much memory
/// there is for that.
public struct CachePolicy: Sendable, Hashable {
  /// How long before it is due a frame is decoded.
  public var readAhead: Duration
  /// How many frames are decoded ahead of the playhead at the most; at least one is, however long it may
  /// last.
  public var readAheadFrames: Int
  /// What is decoded beyond the read-ahead while there is room.
  public var preload: Preload

  /// What is decoded beyond the read-ahead.
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

  /// Makes a policy; each default suits playback on a screen.
  public init(
    readAhead: Duration = .milliseconds(250), readAheadFrames: Int = 8, preload: Preload = .none
  ) {
    self.readAhead = readAhead
    self.readAheadFrames = readAheadFrames
    self.preload = preload
  }
}
