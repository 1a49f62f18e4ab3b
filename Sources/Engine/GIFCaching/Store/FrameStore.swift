internal import EngineSupport
internal import GIFDecoding
internal import GIFTimeline

/// The frames of one animation, held for all players that show it at the same size.
///
/// All decisions are ``StoreState``'s; this class carries them out. The pool decodes what is missing a step
/// at a time. So a far jump holds up no other player, and ends as soon as it is no longer wanted. Locks are
/// taken in the order decoder, content, state.
///
/// An image that still loads has a store of its own, which keeps what it holds while the image grows. Once
/// all frames are known, other players share the store.
final class FrameStore: DecodeClient {
  let sizing: FrameSizing
  let budget: FrameBudget
  let pool: DecodePool
  let content: Lock<Content>
  let state: Lock<StoreState<Frame, DecodedFrame>>
  let decoder = Lock(StoreDecoder())
  let observers = DecodeObservers()
  private let handlers = Lock<[StorePlayer.ID: PlayerFrames.ArrivalHandler]>([:])

  /// The image, as far as it is known.
  struct Content {
    var image: GIFImage
    var version = ImageVersion()
    /// Under which other players find the store; nil while the image grows.
    var key: StoreKey?
  }

  /// - Parameter key: under which other players find the store; nil for an image that still loads.
  init(_ image: GIFImage, sizing: FrameSizing, key: StoreKey?, budget: FrameBudget, pool: DecodePool) {
    ReleasedMemory.storeAdded()
    self.sizing = sizing
    self.budget = budget
    self.pool = pool
    content = Lock(Content(image: image, key: key))
    let costs = image.decodingCosts(size: sizing.size(of: image.animation))
    state = Lock(StoreState(costs: costs, isComplete: key != nil))
    budget.exchange(nil, for: image.heldMemory)
  }

  var image: GIFImage { content.withLock { $0.image } }

  deinit {
    // Released first, so that no store is granted the bytes before they are free.
    decoder.withLock { $0.close() }
    change { $0 = StoreState(costs: $0.costs) }
    budget.exchange(image.heldMemory?.id, for: nil)
    budget.forget(ObjectIdentifier(self), key: content.withLock { $0.key })
    ReleasedMemory.storeRemoved()
  }

  // MARK: Players

  func attach(_ player: StorePlayer) -> StorePlayer.ID { state.withLock { $0.add(player) } }

  func detach(_ id: StorePlayer.ID) {
    onArrival(id, nil)
    observers.set(nil, of: id)
    change { $0.remove(id) }
    budget.demandChanged(of: self)
    // What it needed sooner than others may make room for theirs.
    queue(for: id)
  }

  /// Takes a player over from a store whose image has come to have the same content. Nothing is decoded for
  /// it yet, and the other store has still to detach it.
  ///
  /// - Returns: its number here; nil where the other store has no such player.
  func adopt(_ id: StorePlayer.ID, of other: FrameStore, durations: [Int64]) -> StorePlayer.ID? {
    guard var player = other.state.withLock({ $0.players[id] }) else { return nil }
    player.grow(durations)
    let own = state.withLock { $0.adopt(player) }
    onArrival(own, other.handlers.withLock { $0[id] })
    observers.set(other.observers.own(of: id), of: own)
    return own
  }

  func onArrival(_ id: StorePlayer.ID, _ handler: PlayerFrames.ArrivalHandler?) {
    // The old one may hold the last reference to anything; it is released after the lock.
    let old = handlers.withLock { handlers in
      let old = handlers[id]
      handlers[id] = handler
      return old
    }
    withExtendedLifetime(old) {}
  }

  /// Notifies players of an arrival, on this thread.
  func notify(_ ids: [StorePlayer.ID], of arrival: Result<Int, GIFError>) {
    for id in ids { handlers.withLock { $0[id] }?(arrival) }
  }

  /// Carries out what the state asks for after a change of one player.
  func carryOut(_ action: StoreAction, for id: StorePlayer.ID) {
    switch action {
    case .nothing: break
    case .submit(let turn): pool.submit(self, turn)
    case .report(let error): notify([id], of: .failure(error))
    case .askBudget:
      budget.demandChanged(of: self)
      queue(for: id)
    }
  }

  /// Has the pool decode what is missing, if it does not know yet.
  ///
  /// - Parameter id: the only player that has changed; nil where any may have.
  func queue(for id: StorePlayer.ID? = nil) {
    if let turn = state.withLock({ $0.turnToQueue(for: id) }) { pool.submit(self, turn) }
  }

  /// Changes the state, and keeps the budget's meter right.
  func change<Result>(_ body: (inout StoreState<Frame, DecodedFrame>) -> Result) -> Result {
    state.withLock { state in
      let before = state.held.bytes
      let result = body(&state)
      budget.meter.change(by: state.held.bytes - before)
      return result
    }
  }

  // MARK: Images that load

  /// Goes over to a later state of an image that loads, for its one player. Nothing is decoded before that
  /// one moves.
  func grow(
    to newer: GIFImage, durations: [Int64], isComplete: Bool, of id: StorePlayer.ID
  ) -> PlayerFrames.Growth {
    let size = sizing.size(of: newer.animation)
    let key = isComplete ? StoreKey(newer, size: size, pool: pool) : nil
    let costs = newer.decodingCosts(size: size)
    let (old, growth) = content.withLock { content -> (GIFImage, PlayerFrames.Growth) in
      let old = content.image
      guard content.key == nil else { return (old, .refused) }
      // The image first: a thread that decodes a new frame finds it there.
      content.image = newer
      content.key = key
      guard newer.continues(old) else {
        content.version.era += 1
        change { $0.replaceImage(costs, durations: durations, isComplete: isComplete) }
        return (old, .replaced)
      }
      content.version.state += 1
      let changed = newer.animation.replacedFrame(since: old.animation)
      change {
        $0.grow(to: costs, changed: changed, durations: durations, of: id, isComplete: isComplete)
      }
      return (old, .continued)
    }
    guard growth != .refused else { return growth }
    if growth == .replaced { tidyIfIdle() }
    budget.exchange(old.heldMemory?.id, for: newer.heldMemory)
    if let key { budget.share(self, under: key) }
    return growth
  }
}

// MARK: - Memory

extension FrameStore {
  /// Spends what was granted. What no longer fits is evicted before this returns, except for what a
  /// thread that decodes has in use.
  ///
  /// - Returns: whether frames may be decoded that could not be before, and the bytes held now.
  func apply(_ grant: BudgetState.Grant) -> (isChange: Bool, heldBytes: Int64) {
    let isChange = change { $0.apply(grant: grant.bytes, packs: grant.packs, serial: grant.serial) }
    tidyIfIdle()
    return (isChange, state.withLock { $0.bytesBetweenTurns })
  }

  /// Evicts canvases that the plan has no room for, and releases the renderer if it is of no use.
  private func tidyIfIdle() {
    decoder.withLockIfFree { decoder in
      pack(&decoder, after: nil)
      change { state in
        // A thread that decodes tidies up at the end, and has the budget look again.
        guard state.turns.inFlight == nil else { return }
        tidy(&decoder, &state)
      }
    }
  }

  /// Packs the renderer if the plan asks for it. Takes time for each pixel of the canvas, so it is done
  /// without the state's lock.
  ///
  /// - Parameter frame: the frame just finished; nil where the way to one is not over.
  func pack(_ decoder: inout StoreDecoder, after frame: Int?) {
    if state.withLock({ $0.packsRenderer }) { decoder.pack(after: frame) }
  }

  func tidy(_ decoder: inout StoreDecoder, _ state: inout StoreState<Frame, DecodedFrame>) {
    if !state.needsRenderer || decoder.version.era != state.era { decoder.close() }
    let bytes = decoder.limitCheckpoints(to: state.checkpointLimit)
    state.setRenderer(
      isOpen: decoder.isOpen, packedBytes: decoder.packedBytes, checkpointBytes: bytes)
  }

  // MARK: Reports

  func statistics(of id: StorePlayer.ID) -> CacheStatistics {
    state.withLock { state in
      let (hits, misses) = state.players.lookups(of: id)
      let totals = state.held.totals
      return CacheStatistics(
        hits: hits, misses: misses, decodedFrames: state.turns.decodedFrames,
        composedFrames: totals.composedFrames, demotions: totals.demotions, evictions: totals.evictions,
        residentFrames: state.held.hotCount, warmFrames: state.held.warmCount,
        residentBytes: Int(state.held.bytes), peakBytes: Int(totals.peakBytes))
    }
  }

  var snapshot: StoreSnapshot {
    let animation = image.animation
    return state.withLock { StoreSnapshot($0, of: animation, size: sizing.size(of: animation)) }
  }

  var map: CacheMap {
    state.withLock { state in
      let tiers = (0..<state.held.frameCount).map { frame -> CacheMap.Tier in
        if state.held.isHeld(frame) { return .hot }
        if frame == state.turns.inFlight { return .inFlight }
        return state.held.isWarm(frame) ? .warm : .cold
      }
      return CacheMap(tiers: tiers, playheads: state.players.playheads)
    }
  }
}
