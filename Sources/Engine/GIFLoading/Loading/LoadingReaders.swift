/// Those who read a load: what each has seen, and whether any is left.
///
/// A load may have several readers, who come and go while it runs. The last one to leave ends it.
struct LoadingReaders: Sendable {
  typealias ID = Int

  /// What a reader gets next.
  enum Next: Sendable, Equatable {
    /// Nothing new has come.
    case wait
    /// The state of the bytes so far.
    case state
    /// The end of the load: its image or its error.
    case end
    /// The error of the reader's own cancellation.
    case cancellation
    /// Nothing more: the reader has had the end.
    case nothing
  }

  /// What becomes of the load when a reader leaves it.
  enum Departure: Sendable, Equatable {
    /// Others read on, or the load has ended.
    case goesOn
    /// The load is to be cancelled.
    case cancelsLoad
  }

  private struct Reader: Sendable {
    var seenBytes: Int64 = 0
    var hasCancelled = false
    var isOver = false
  }

  private enum Phase: Sendable {
    case open
    /// The last reader has left a load that had not ended; it takes no others.
    case abandoned
  }

  private var readers: [ID: Reader] = [:]
  private var lastID = 0
  private var phase = Phase.open

  var isAbandoned: Bool { if case .abandoned = phase { true } else { false } }

  /// Adds a reader to which every state is news; nil once the load is abandoned.
  mutating func join() -> ID? {
    guard !isAbandoned else { return nil }
    lastID += 1
    readers[lastID] = Reader()
    return lastID
  }

  /// Whether there is anything next for a reader.
  ///
  /// - Parameter onlyEnd: whether the reader skips the states before the end.
  func hasNews(for id: ID, byteCount: Int64, hasEnded: Bool, onlyEnd: Bool) -> Bool {
    guard let reader = readers[id] else { return true }
    return hasEnded || reader.hasCancelled || reader.isOver || !onlyEnd && byteCount > reader.seenBytes
  }

  /// Takes what a reader gets next.
  mutating func next(for id: ID, byteCount: Int64, hasEnded: Bool, onlyEnd: Bool) -> Next {
    guard let reader = readers[id], !reader.isOver else { return .nothing }
    if reader.hasCancelled || hasEnded {
      readers[id]?.isOver = true
      return reader.hasCancelled ? .cancellation : .end
    }
    guard !onlyEnd, byteCount > reader.seenBytes else { return .wait }
    readers[id]?.seenBytes = byteCount
    return .state
  }

  /// A reader cancels, and gets an error next unless the end was there before.
  mutating func cancel(_ id: ID, hasEnded: Bool) -> Departure {
    guard let reader = readers[id], !reader.hasCancelled else { return .goesOn }
    if !hasEnded { readers[id]?.hasCancelled = true }
    return departure(hasEnded: hasEnded)
  }

  /// A reader goes, and gets nothing more.
  mutating func leave(_ id: ID, hasEnded: Bool) -> Departure {
    guard readers.removeValue(forKey: id) != nil else { return .goesOn }
    return departure(hasEnded: hasEnded)
  }

  private mutating func departure(hasEnded: Bool) -> Departure {
    guard !hasEnded, !isAbandoned, readers.values.allSatisfy(\.hasCancelled) else { return .goesOn }
    phase = .abandoned
    return .cancelsLoad
  }
}
