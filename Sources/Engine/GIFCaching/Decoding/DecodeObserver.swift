internal import EngineSupport
internal import Synchronization

/// One turn of a decoding thread: a step towards a frame.
package struct DecodeSpan: Sendable, Hashable {
  /// The frame that is wanted.
  package let frame: Int
  /// The frame that was finished; nil where the turn only came nearer, or failed.
  package let finished: Int?
  /// Code streams decoded: 0 where the frame was composed from palette indices that had been kept.
  package let codeStreams: Int
  /// Identifies what different players share: see ``BudgetDecision/store``.
  package let store: Int
  /// Identifies a thread.
  package let thread: Int
  /// When the turn began and ended, in nanoseconds of the observer's clock.
  package let begin: Int64
  package let end: Int64
}

/// Takes reports of every turn of decoding that is done for a player, for traces and measurements.
package final class DecodeObserver: Sendable {
  let now: @Sendable () -> Int64
  let report: @Sendable (DecodeSpan) -> Void

  /// - Parameters:
  ///   - now: the time, in nanoseconds.
  ///   - report: called on the thread that decodes, without a lock.
  package init(
    now: @escaping @Sendable () -> Int64, report: @escaping @Sendable (DecodeSpan) -> Void
  ) {
    self.now = now
    self.report = report
  }
}

/// The observers of a store's players. If there are none, a look for one costs an atomic load.
final class DecodeObservers: Sendable {
  private let all = Lock<[StorePlayer.ID: DecodeObserver]>([:])
  private let isEmpty = Atomic<Bool>(true)

  /// Sets or, with nil, removes the observer of a player.
  ///
  /// - Parameter old: if given, nothing is done unless it is the player's observer.
  func set(_ observer: DecodeObserver?, of id: StorePlayer.ID, replacing old: DecodeObserver? = nil) {
    // The one before may hold the last reference to anything; it is released after the lock.
    let before = all.withLock { all -> DecodeObserver? in
      let before = all[id]
      guard old == nil || old === before else { return nil }
      all[id] = observer
      isEmpty.store(all.isEmpty, ordering: .relaxed)
      return before
    }
    withExtendedLifetime(before) {}
  }

  /// The observer that was set for a player.
  func own(of id: StorePlayer.ID) -> DecodeObserver? { all.withLock { $0[id] } }

  /// The observer that takes a player's turn: its own or, as the frame is shared, the first of the others.
  func observer(for id: StorePlayer.ID) -> DecodeObserver? {
    guard !isEmpty.load(ordering: .relaxed) else { return nil }
    return all.withLock { all in all[id] ?? all.min { $0.key < $1.key }?.value }
  }
}
