/// What one player found in its cache, and what that cache holds; all counts are since the player's creation.
/// What players of the same content share is counted for each of them.
public struct CacheStatistics: Sendable, Hashable, CustomStringConvertible {
  /// Lookups of this player that found their frame.
  public var hits = 0
  /// Frames that this player looked for before they were there, each counted once.
  public var misses = 0
  /// Frames whose code streams were decoded, steps on the way to another frame included.
  public var decodedFrames = 0
  /// Finished frames made.
  public var composedFrames = 0
  /// Finished frames evicted of which the palette indices stayed.
  package var demotions = 0
  /// Finished frames evicted without a trace.
  package var evictions = 0
  /// Finished frames held now.
  package var residentFrames = 0
  /// Frames held as palette indices now.
  package var warmFrames = 0
  /// Bytes held now: both forms of frames, and what decoding takes.
  public var residentBytes = 0
  /// The most bytes held at any time.
  package var peakBytes = 0

  /// One line, for logs.
  public var description: String {
    "\(hits) hits, \(misses) misses, \(decodedFrames) decoded, \(composedFrames) composed, "
      + "\(residentFrames) frames and \(warmFrames) sets of indices in \(residentBytes) bytes"
  }
}
