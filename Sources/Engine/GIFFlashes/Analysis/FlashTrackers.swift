internal import GIFDecoding

/// The changes of pictures over each backdrop that matters: white, and black from the first transparent
/// sample on.
struct FlashTrackers: Sendable {
  private var overWhite: Tracker
  private var overBlack: Tracker?

  /// Those of one backdrop.
  private struct Tracker: Sendable {
    var tracker: FlashTracker
    /// Nil where fine patterns count.
    var fine: FinePattern?

    mutating func take(_ picture: SampledPicture) -> (general: BitRows?, red: BitRows?) {
      tracker.take(picture)
      fine?.take(picture)
      guard fine != nil else { return (tracker.general.all, tracker.red.all) }
      return (fine?.counted(general: tracker.general), fine?.counted(red: tracker.red))
    }

    /// The same over black, of pictures that had no transparent sample so far.
    var overBlack: Tracker {
      var copy = self
      copy.tracker.backdrop = .black
      copy.fine?.backdrop = .black
      return copy
    }
  }

  /// - Parameter fine: for fine patterns that do not count.
  init(_ tracker: FlashTracker, fine: FinePattern? = nil) {
    overWhite = Tracker(tracker: tracker, fine: fine)
  }

  /// Takes the next picture, the first one whole.
  ///
  /// - Returns: the samples that changed with it over any backdrop; nil for none.
  mutating func take(_ picture: SampledPicture) -> (general: BitRows?, red: BitRows?) {
    if picture.hasTransparency, overBlack == nil { overBlack = overWhite.overBlack }
    let changes = overWhite.take(picture)
    guard let others = overBlack?.take(picture) else { return changes }
    return (Self.union(changes.general, others.general), Self.union(changes.red, others.red))
  }

  private static func union(_ first: BitRows?, _ second: BitRows?) -> BitRows? {
    guard let first, let second else { return first ?? second }
    return first.union(second)
  }
}
