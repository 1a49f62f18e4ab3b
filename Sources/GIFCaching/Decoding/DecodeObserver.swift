internal import EngineSupport
internal import Glibc
internal import Synchronization

/// One turn of a decoding thread: a step towards a frame's picture.
public struct DecodeSpan: Sendable, Hashable {
  /// The frame that is wanted.
  public let frame: Int
  /// The frame whose picture was finished; nil where the turn only came nearer, or failed.
  public let finished: Int?
  /// Code streams decoded: 0 where the frame was composed from palette indices that had been kept.
  public let codeStreams: Int
  /// Tells apart what different players share: see ``BudgetDecision/store``.
  public let store: Int
  /// Tells threads apart.
  public let thread: Int
  /// When the turn began and ended, in nanoseconds of the observer's clock.
  public let begin: Int64
  public let end: Int64
}

/// Hears of every turn of decoding that is done for a player, for traces and measurements.
public final class DecodeObserver: Sendable {
  let now: @Sendable () -> Int64
  let report: @Sendable (DecodeSpan) -> Void

  /// - Parameters:
  ///   - now: the time, in nanoseconds.
  ///   - report: called on the thread that decodes, no lock held.
  public init(
    now: @escaping @Sendable () -> Int64, report: @escaping @Sendable (DecodeSpan) -> Void
  ) {
    self.now = now
    self.report = report
  }
}

/// The observers of a store's players. Where there are none, asking costs an atomic load.
final class DecodeObservers: Sendable {
  private let all = Lock<[StoreClient.ID: DecodeObserver]>([:])
  private let isEmpty = Atomic<Bool>(true)

  /// Sets or, with nil, removes the observer of a player.
  ///
  /// - Parameter old: where given, nothing is done unless that one is the player's observer.
  func set(_ observer: DecodeObserver?, of id: StoreClient.ID, replacing old: DecodeObserver? = nil) {
    // The one before may hold the last reference to anything; it goes after the lock.
    let before = all.withLock { all -> DecodeObserver? in
      let before = all[id]
      guard old == nil || old === before else { return nil }
      all[id] = observer
      isEmpty.store(all.isEmpty, ordering: .relaxed)
      return before
    }
    withExtendedLifetime(before) {}
  }

  /// Who is told of a turn for a player: its observer or, as the picture is shared, the first of the others.
  func observer(for id: StoreClient.ID) -> DecodeObserver? {
    guard !isEmpty.load(ordering: .relaxed) else { return nil }
    return all.withLock { all in all[id] ?? all.min { $0.key < $1.key }?.value }
  }

  /// The number of this thread.
  static var thread: Int { Int(truncatingIfNeeded: pthread_self()) }
}
