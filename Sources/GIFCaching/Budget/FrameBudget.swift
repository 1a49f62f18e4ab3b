internal import EngineSupport
internal import GIFDecoding
internal import Synchronization

/// The memory that any number of animations share: finished pictures, palette indices, canvases, what is being decoded,
/// and the compressed bytes of images that are in memory (``GIFImage/init(bytes:limits:)``, small files, what was
/// loaded); those of larger files stay on disk and take none. Grants bytes before they are used, so that the sum never
/// passes the limit, except for what playback cannot do without: the compressed bytes, for each animation a renderer,
/// and for each player the picture it shows and the next one.
///
/// One budget serves the process unless others are made. ``BudgetArbiter`` decides; this class keeps its inputs
/// together and hands out the grants.
public final class FrameBudget: Sendable {
  /// The budget that caches use unless told otherwise. Follows the machine's memory pressure.
  public static let shared: FrameBudget = {
    let budget = FrameBudget()
    budget.followsMemoryPressure = true
    return budget
  }()

  let meter = ByteMeter()
  private let state: Lock<BudgetState>
  /// Whether some store had not given up everything at the last sharing out.
  private let isUnsettled = Atomic<Bool>(false)
  private let registry = Lock<[StoreKey: [WeakStore]]>([:])

  /// - Parameter limit: bytes; see ``defaultLimit``.
  public init(limit: Int64 = FrameBudget.defaultLimit) {
    state = Lock(BudgetState(limit: max(0, limit)))
  }

  /// 256 MiB, or an eighth of the memory that this process may use where that is less: the machine's, or what its
  /// control group allows.
  public static let defaultLimit = min(256 << 20, MemoryAllowance.bytes / 8)

  /// Bytes that may be held. Lowering it takes effect before the call returns.
  public var limit: Int64 {
    get { state.withLock { $0.limit } }
    set { shareOut(because: .limit) { $0.limit = max(0, newValue) } }
  }

  /// Bytes held now by everything under this budget.
  public var heldBytes: Int64 { meter.current }

  /// The most bytes held at any time.
  public var peakBytes: Int64 { meter.peak }

  /// Whether the machine's memory pressure shrinks what is given out; off for separate budgets unless set.
  public var followsMemoryPressure: Bool {
    get { state.withLock { $0.followsPressure } }
    set {
      if newValue {
        state.withLock { $0.followsPressure = true }
        MemoryPressure.observers.add(self)
      } else {
        MemoryPressure.observers.remove(self)
        // Nobody would tell of the recovery.
        shareOut(because: .pressure) { state in
          state.followsPressure = false
          state.regulator = PressureRegulator()
        }
      }
    }
  }

  /// What is held, by whom, and the last decisions.
  public var snapshot: BudgetSnapshot {
    let (limit, compressed, share, stores, decisions) = state.withLock {
      (
        $0.limit, $0.compressed.total, $0.regulator.share,
        $0.entries.map { (store: $0.store, grant: $0.grant) }, $0.decisions
      )
    }
    return BudgetSnapshot(
      limit: limit, heldBytes: meter.current, compressedBytes: compressed, peakBytes: meter.peak,
      pressure: share.pressure,
      stores: stores.compactMap { entry in
        entry.store.store.map { BudgetSnapshot.Entry(grant: entry.grant, store: $0.snapshot) }
      },
      decisions: decisions)
  }
}

// MARK: - Stores

extension FrameBudget {
  struct StoreKey: Hashable {
    let hash: Int
    let size: PixelSize?
    let pool: ObjectIdentifier

    init(_ image: GIFImage, size: PixelSize?, pool: DecodePool) {
      hash = image.contentHash
      self.size = size
      self.pool = ObjectIdentifier(pool)
    }
  }

  struct WeakStore: Sendable {
    let id: ObjectIdentifier
    weak var store: FrameStore?

    init(_ store: FrameStore) {
      id = ObjectIdentifier(store)
      self.store = store
    }
  }

  /// The store of an image: one that holds the same content already, or a new one.
  func store(for image: GIFImage, size: PixelSize?, pool: DecodePool) -> FrameStore {
    let key = StoreKey(image, size: size, pool: pool)
    var compared: [FrameStore] = []
    while true {
      // Compared outside the lock: a comparison may read megabytes. Made under it, so that two callers at the same time
      // do not make one each.
      let (candidates, made) = registry.withLock { registry -> ([FrameStore], FrameStore?) in
        let candidates = registry[key, default: []].compactMap(\.store).filter { store in
          !compared.contains { $0 === store }
        }
        guard candidates.isEmpty else { return (candidates, nil) }
        let store = FrameStore(image, size: size, key: key, budget: self, pool: pool)
        registry[key, default: []].append(WeakStore(store))
        return ([], store)
      }
      if let made { return made }
      if let same = candidates.first(where: { $0.image.hasSameContent(as: image) }) { return same }
      compared += candidates
    }
  }

  /// Counts the memory of a store's image instead of that of the image it had before. What is shared out follows with
  /// the next change of what a store needs.
  func exchange(_ old: ObjectIdentifier?, for new: CompressedBytes.Memory?) {
    state.withLock { state in
      let before = state.compressed.total
      if let new { state.compressed.hold(new) }
      if let old { state.compressed.release(old) }
      meter.change(by: state.compressed.total - before)
    }
  }

  /// Has others no longer find a store: it can make no pictures any more, and a new one of the same image may.
  func withdraw(_ store: FrameStore, under key: StoreKey) { unregister(ObjectIdentifier(store), key) }

  /// Has others find a store whose image has come to its end.
  func share(_ store: FrameStore, under key: StoreKey) {
    registry.withLock { $0[key, default: []].append(WeakStore(store)) }
  }

  /// Shares out anew after a store's wishes have changed. Asks the store's players what they miss only where more or less
  /// is possible than before; the one that changed is for the caller to ask.
  func changed(_ store: FrameStore) {
    if followsMemoryPressure { MemoryPressure.observers.startWatching() }
    shareOut(because: .demand) { state in
      let demand = store.demand
      if let place = state.place(of: ObjectIdentifier(store)) {
        state.entries[place].demand = demand
        state.entries[place].isPending = true
      } else {
        state.entries.append(
          BudgetState.Entry(id: ObjectIdentifier(store), store: WeakStore(store), demand: demand, grant: 0))
      }
    }
  }

  /// Takes out a store that is gone.
  func forget(_ id: ObjectIdentifier, key: StoreKey?) {
    if let key { unregister(id, key) }
    shareOut(because: .demand) { state in state.entries.removeAll { $0.id == id } }
  }

  private func unregister(_ id: ObjectIdentifier, _ key: StoreKey) {
    registry.withLock { registry in
      registry[key]?.removeAll { $0.id == id }
      if registry[key]?.isEmpty == true { registry[key] = nil }
    }
  }

  /// Gives out what could not be given before, because somebody had to finish a picture first.
  func settle() {
    guard isUnsettled.exchange(false, ordering: .relaxed) else { return }
    shareOut(because: .settling) { _ in }
  }

  /// Follows a report of the machine's, or takes the step of recovery that is due.
  ///
  /// - Parameter isReport: whether it comes from the watch over the machine, which only budgets that follow it heed.
  /// - Returns: when the next step is due.
  func follow(
    _ level: MemoryPressure.Level, at now: Int64, chance: Double = .random(in: 0..<1), isReport: Bool = false
  ) -> Int64? {
    let (hasChanged, next) = state.withLock { state -> (Bool, Int64?) in
      // A report that comes after the budget has stopped following: nobody would tell it of the recovery.
      guard !isReport || state.followsPressure else { return (false, nil) }
      let before = state.regulator.share
      state.regulator.note(level, at: now, chance: chance)
      return (state.regulator.share != before, state.regulator.nextStep)
    }
    if hasChanged { shareOut(because: .pressure) { _ in } }
    return next
  }

  private func shareOut(because reason: BudgetDecision.Reason, _ change: (inout BudgetState) -> Void) {
    let outcome = state.withLock { state in
      change(&state)
      // Set before any store is asked: one that finishes its picture right after that finds it set.
      isUnsettled.store(true, ordering: .relaxed)
      let outcome = state.shareOut(because: reason)
      isUnsettled.store(!outcome.isSettled, ordering: .relaxed)
      return outcome
    }
    for store in outcome.asked { store.queue() }
  }
}
