internal import EngineSupport
internal import GIFDecoding
internal import Synchronization

/// The memory that any number of animations share.
///
/// It counts finished frames, palette indices, canvases, and what is being decoded. It also counts the
/// compressed bytes of images in memory: those from ``GIFImage/init(bytes:limits:)``, small files, and what
/// was loaded. Larger files stay on disk and take none. Bytes are granted before they are used, so the sum
/// stays within the limit but for what playback cannot do without:
/// - the compressed bytes,
/// - for each animation that plays, two finished frames and a renderer: 4 bytes for each pixel of the canvas,
///   and 1 byte for each pixel of the largest frame.
///
/// If these pass the limit, renderers of thumbnails are packed between turns, those first that save the most
/// bytes for what they pack. A packed renderer holds its canvas in a third or less, or none where the next
/// frame builds on no other. That takes time for each frame, so it is done only as far as the limit asks for
/// it. ``BudgetSnapshot/floorBytes`` has what is then still needed, which is held in any case;
/// ``onOverLimit(for:_:)`` reports that it passes the limit.
///
/// An animation whose players are all hidden or finished keeps its last frames only while there is room. A
/// renderer is released as soon as all frames of an animation are held. A frame that a player shows, or a
/// program keeps, stays in memory after the budget has evicted it.
///
/// One budget serves the process unless others are made.
public final class FrameBudget: Sendable {
  /// The budget that players use unless given another one. Follows the machine's memory pressure.
  public static let shared: FrameBudget = {
    let budget = FrameBudget()
    budget.followsMemoryPressure = true
    return budget
  }()

  let meter = ByteMeter()
  private let contents: Lock<Contents>
  /// Whether some store had not evicted everything when the budget was last shared out.
  private let isUnsettled = Atomic<Bool>(false)
  private let registry = StoreRegistry()

  private struct Contents: Sendable {
    var state: BudgetState
    var stores: [BudgetState.StoreID: WeakStore] = [:]
    var limitHandlers: [Int: @Sendable (BudgetSnapshot) -> Void] = [:]
    var lastHandler = 0
    /// Whether the floors passed the limit at the last change of which handlers know.
    var wasOverLimit = false

    /// The handlers to call, if the floors have passed the limit since the last change, or are within it
    /// again.
    mutating func takeLimitChange() -> [@Sendable (BudgetSnapshot) -> Void] {
      guard state.isOverLimit != wasOverLimit else { return [] }
      wasOverLimit = state.isOverLimit
      return Array(limitHandlers.values)
    }
  }

  /// Makes a budget of its own, which ignores memory pressure unless it is set to follow it.
  ///
  /// - Parameter limit: bytes; nil for 256 MiB, or an eighth of the memory that this process may use where
  ///   that is less: the machine's, or what its control group allows.
  public init(limit: Int64? = nil) {
    let limit = limit ?? FrameBudget.defaultLimit
    contents = Lock(Contents(state: BudgetState(limit: limit, turns: EngineThread.processorCount)))
  }

  package static let defaultLimit = min(256 << 20, MemoryAllowance.bytes / 8)

  /// Bytes that may be held. A lower limit takes effect before the call returns, except for what is being
  /// decoded.
  public var limit: Int64 {
    get { contents.withLock { $0.state.limit } }
    set { shareOut(because: .limit) { $0.state.setLimit(newValue) } }
  }

  /// Bytes held now by everything under this budget.
  package var heldBytes: Int64 { meter.current }

  /// The most bytes held at any time.
  package var peakBytes: Int64 { meter.peak }

  /// Whether the machine's memory pressure shrinks what is given out; off for separate budgets unless set.
  public var followsMemoryPressure: Bool {
    get { contents.withLock { $0.state.followsPressure } }
    set {
      if newValue {
        contents.withLock { $0.state.setFollowsPressure(true) }
        MemoryPressure.observers.add(self)
      } else {
        MemoryPressure.observers.remove(self)
        shareOut(because: .pressure) { $0.state.setFollowsPressure(false) }
      }
    }
  }

  /// What is held now, and whether that is within the limit.
  public var snapshot: BudgetSnapshot {
    let (state, stores) = contents.withLock { contents in
      (contents.state, contents.state.grants.map { (store: contents.stores[$0.store], bytes: $0.bytes) })
    }
    let entries = stores.compactMap { entry in
      entry.store?.store.map { BudgetSnapshot.Entry(grant: entry.bytes, store: $0.snapshot) }
    }
    return BudgetSnapshot(state, stores: entries, heldBytes: meter.current, peakBytes: meter.peak)
  }
}

// MARK: - Events

extension FrameBudget {
  /// Adds a handler that is called without a lock when what cannot be had for less passes the limit, and when
  /// it is within the limit again; at once if it passes the limit now.
  package func addLimitHandler(_ handler: @escaping @Sendable (BudgetSnapshot) -> Void) -> Int {
    let (id, isOver) = contents.withLock { contents -> (Int, Bool) in
      contents.lastHandler += 1
      contents.limitHandlers[contents.lastHandler] = handler
      return (contents.lastHandler, contents.wasOverLimit)
    }
    if isOver { handler(snapshot) }
    return id
  }

  package func removeLimitHandler(_ id: Int) {
    // Released outside the lock.
    _ = contents.withLock { $0.limitHandlers.removeValue(forKey: id) }
  }
}

// MARK: - Stores

extension FrameBudget {
  /// The store of an image: one that holds the same content already, or a new one.
  func store(for image: GIFImage, sizing: FrameSizing, pool: DecodePool) -> FrameStore {
    registry.store(for: image, StoreKey(image, size: sizing.size(of: image.animation), pool: pool)) { key in
      FrameStore(image, sizing: sizing, key: key, budget: self, pool: pool)
    }
  }

  /// A store with the image's content, if there is one.
  func storeInUse(for image: GIFImage, sizing: FrameSizing, pool: DecodePool) -> FrameStore? {
    registry.find(image, StoreKey(image, size: sizing.size(of: image.animation), pool: pool))
  }

  /// Has other players no longer find a store that can make no frames. A new store of the same image may.
  func withdraw(_ store: FrameStore, under key: StoreKey) { registry.remove(ObjectIdentifier(store), key) }

  /// Has other players find a store whose image has come to its end.
  func share(_ store: FrameStore, under key: StoreKey) { registry.add(store, key) }

  /// Counts the memory of a store's image instead of that of the image it had before. What is shared out
  /// follows with the next demand.
  func exchange(_ old: ObjectIdentifier?, for new: CompressedBytes.Memory?) {
    contents.withLock { meter.change(by: $0.state.exchange(old, for: new)) }
  }

  /// Shares out again after a store's demand has changed. Other stores look for frames to decode only if they
  /// may hold more than before; the caller does so for the player that has changed.
  func demandChanged(of store: FrameStore) {
    if followsMemoryPressure { MemoryPressure.observers.startWatching() }
    let (demand, serial) = store.state.withLock { $0.nextDemand() }
    shareOut(because: .demand) { contents in
      let id = ObjectIdentifier(store)
      if contents.stores[id] == nil { contents.stores[id] = WeakStore(store) }
      contents.state.setDemand(demand, serial: serial, of: id)
    }
  }

  /// Takes out a store that is gone.
  func forget(_ id: ObjectIdentifier, key: StoreKey?) {
    if let key { registry.remove(id, key) }
    shareOut(because: .demand) { contents in
      contents.stores[id] = nil
      contents.state.remove(id)
    }
  }

  /// Gives out what could not be given before, because a thread had to finish its frame first.
  func settle() {
    guard isUnsettled.exchange(false, ordering: .relaxed) else { return }
    shareOut(because: .settling) { _ in }
  }

  private func shareOut(because reason: BudgetDecision.Reason, _ change: (inout Contents) -> Void) {
    var limitHandlers: [@Sendable (BudgetSnapshot) -> Void] = []
    var grants = decide { contents in
      change(&contents)
      limitHandlers = contents.takeLimitChange()
      return contents.state.shareOut(because: reason)
    }
    var changed: [FrameStore] = []
    while !grants.isEmpty {
      var answers: [BudgetState.Answer] = []
      for (store, grant) in grants {
        let (isChange, heldBytes) = store.apply(grant)
        answers.append(.init(store: grant.store, serial: grant.serial, heldBytes: heldBytes))
        if isChange { changed.append(store) }
      }
      grants = decide { $0.state.confirm(answers) }
    }
    for store in changed { store.queue() }
    guard !limitHandlers.isEmpty else { return }
    let snapshot = snapshot
    for handler in limitHandlers { handler(snapshot) }
  }

  /// Has the state decide. The stores of the grants are released by the caller, without the lock: the last
  /// reference to a store takes it out of the budget.
  private func decide(
    _ body: (inout Contents) -> [BudgetState.Grant]
  ) -> [(store: FrameStore, grant: BudgetState.Grant)] {
    contents.withLock { contents in
      var grants = body(&contents)
      var held: [(store: FrameStore, grant: BudgetState.Grant)] = []
      // A store that is going takes itself out when its memory is free; until then it counts with what it
      // had.
      while !grants.isEmpty, held.isEmpty {
        for grant in grants {
          if let store = contents.stores[grant.store]?.store { held.append((store, grant)) }
        }
        if held.isEmpty { grants = contents.state.confirm([]) }
      }
      // Set before any grant is carried out: a thread that finishes its frame right after that finds it set.
      isUnsettled.store(!contents.state.isSettled, ordering: .relaxed)
      return held
    }
  }
}

// MARK: - Memory pressure

extension FrameBudget {
  /// Follows a report of the machine's, or takes the step of recovery that is due.
  ///
  /// - Parameter isReport: whether it comes from the watch over the machine, which only budgets that follow
  ///   it heed.
  /// - Returns: when the next step is due.
  package func follow(
    _ level: MemoryPressure.Level, at now: Int64, chance: Double = .random(in: 0..<1), isReport: Bool = false
  ) -> Int64? {
    let (isChange, next) = contents.withLock { contents -> (Bool, Int64?) in
      // A report that comes after the budget has stopped following would shrink it for ever.
      guard !isReport || contents.state.followsPressure else { return (false, nil) }
      return contents.state.follow(level, at: now, chance: chance)
    }
    if isChange { shareOut(because: .pressure) { _ in } }
    return next
  }

  /// Ends the answer to memory pressure at once.
  package func recover() { shareOut(because: .pressure) { $0.state.recover() } }
}
