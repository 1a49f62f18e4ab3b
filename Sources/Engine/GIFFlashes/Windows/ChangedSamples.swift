/// The samples that changed with one frame, kept for as long as they count: where few did, those alone.
struct ChangedSamples: Sendable {
  /// The words with changes, and where in the rows they stand; nil for all of them in order.
  private let places: [UInt32]?
  private let words: [UInt64]
  /// How many samples changed.
  let count: Int

  /// Of so many words, 2 KB, all are kept: they are shared with what found them.
  private static let mostShared = 256

  init(_ rows: BitRows) {
    count = rows.count
    let isLarge = rows.words.count > Self.mostShared
    let used = isLarge ? rows.words.reduce(0) { $0 + ($1 == 0 ? 0 : 1) } : rows.words.count
    guard used < rows.words.count / 2 else {
      (places, words) = (nil, rows.words)
      return
    }
    var (places, words): ([UInt32], [UInt64]) = ([], [])
    places.reserveCapacity(used)
    words.reserveCapacity(used)
    for (place, word) in rows.words.enumerated() where word != 0 {
      places.append(UInt32(place))
      words.append(word)
    }
    (self.places, self.words) = (places, words)
  }

  var isEmpty: Bool { count == 0 }

  /// Calls `body` with each word that has changes.
  @inline(__always)
  func forEachWord(_ body: (_ place: Int, _ bits: UInt64) -> Void) {
    if let places {
      for index in places.indices { body(Int(places[index]), words[index]) }
    } else {
      for place in words.indices where words[place] != 0 { body(place, words[place]) }
    }
  }
}
