internal import EngineSupport
internal import GIFDecoding
internal import GIFTimeline

/// The frames of one animation, held for every player that shows it at the same size.
///
/// A lookup never decodes and never waits. What is missing is decoded by the pool, a step at a time, so that a far jump
/// holds up nobody and is given up as soon as it is no longer wanted. All decisions are ``StoreState``'s; locks are
/// taken in the order budget, decoder, content, state.
///
/// An image that still loads has a store of its own, which goes over to each later state of the image and keeps what it
/// holds. Once the image is whole, others share the store.
final class FrameStore: DecodeClient {
  let size: PixelSize?
  let budget: FrameBudget
  let pool: DecodePool
  let content: Lock<Content>
  let state: Lock<StoreState<Frame, DecodedFrame>>
  let decoder = Lock(StoreDecoder())
  let handlers = Lock<[StoreClient.ID: FrameCache.ArrivalHandler]>([:])
  let observers = DecodeObservers()

  /// The image, as far as it is known.
  struct Content {
    var image: GIFImage
    /// Counts the states of an image that grows.
    var version = 0
    /// Under which others find the store; nil while the image grows.
    var key: FrameBudget.StoreKey?
  }

  /// - Parameter key: under which others find the store; nil for an image that still loads.
  init(
    _ image: GIFImage, size: PixelSize?, key: FrameBudget.StoreKey?, budget: FrameBudget, pool: DecodePool
  ) {
    self.size = size
    self.budget = budget
    self.pool = pool
    content = Lock(Content(image: image, key: key))
    state = Lock(StoreState(shape: StoreShape(image, size: size)))
    budget.exchange(nil, for: image.heldMemory)
  }

  var image: GIFImage { content.withLock { $0.image } }

  deinit {
    // Let go of first, so that nobody is granted the bytes before they are free.
    decoder.withLock { $0.close() }
    change { $0 = StoreState(shape: $0.shape) }
    budget.exchange(image.heldMemory?.id, for: nil)
    budget.forget(ObjectIdentifier(self), key: content.withLock { $0.key })
  }

  // MARK: Players

  func attach(_ client: StoreClient) -> StoreClient.ID { state.withLock { $0.add(client) } }

  func detach(_ id: StoreClient.ID) {
    onArrival(id, nil)
    observers.set(nil, of: id)
    change { $0.remove(id) }
    budget.changed(self)
    // What it needed sooner than others may make room for theirs.
    queue(for: id)
  }

  func onArrival(_ id: StoreClient.ID, _ handler: FrameCache.ArrivalHandler?) {
    // The old one may hold the last reference to anything; it goes after the lock.
    let old = handlers.withLock { handlers in
      let old = handlers[id]
      handlers[id] = handler
      return old
    }
    withExtendedLifetime(old) {}
  }

  func frame(at index: Int, for id: StoreClient.ID) -> Frame? { state.withLock { $0.lookUp(index, for: id) } }

  func peek(at index: Int) -> Frame? {
    state.withLock { $0.hot.indices.contains(index) ? $0.hot[index] : nil }
  }

  func move(_ id: StoreClient.ID, to playhead: Playhead, request: Int) {
    let (isChange, failure) = state.withLock { ($0.move(id, to: playhead, request: request), $0.failure) }
    if let failure {
      // Whoever comes after the failure has not heard of it.
      handlers.withLock { $0[id] }?(.failure(failure))
      return
    }
    if isChange { budget.changed(self) }
    queue(for: id)
  }

  func setVisibility(_ visibility: Visibility, of id: StoreClient.ID) {
    guard state.withLock({ $0.setVisibility(visibility, of: id) }) else { return }
    budget.changed(self)
    queue(for: id)
  }

  func setPreload(_ preload: CachePolicy.Preload, of id: StoreClient.ID) {
    state.withLock { $0.setPreload(preload, of: id) }
    queue(for: id)
  }

  func purge(_ id: StoreClient.ID) {
    change { $0.purge(id) }
    budget.changed(self)
    queue(for: id)
  }

  func statistics(of id: StoreClient.ID) -> CacheStatistics { state.withLock { $0.statistics(of: id) } }

  /// Has the pool decode what is missing, if it does not know yet.
  ///
  /// - Parameter id: the only player that has changed; nil where anything may have.
  func queue(for id: StoreClient.ID? = nil) {
    if let turn = state.withLock({ $0.turnToQueue(for: id) }) { pool.submit(self, turn) }
  }

  /// Goes over to a later state of an image that loads, for its one player. Nothing is decoded before that one moves.
  ///
  /// - Returns: false, and nothing is done, where what is held is not the beginning of that image.
  func grow(
    to newer: GIFImage, durations: [Int64], isComplete: Bool, of id: StoreClient.ID
  ) -> Bool {
    let key = isComplete ? FrameBudget.StoreKey(newer, size: size, pool: pool) : nil
    let old = content.withLock { content -> GIFImage? in
      guard content.key == nil, newer.continues(content.image) else { return nil }
      let old = content.image
      let last = content.image.frameCount - 1
      let changed = content.image.frames.last == newer.frames.prefix(last + 1).last ? nil : last
      // The image first: whoever decodes a new frame finds it there.
      content = Content(image: newer, version: content.version + 1, key: key)
      change { $0.grow(to: StoreShape(newer, size: size), changed: changed, durations: durations, of: id) }
      return old
    }
    guard let old else { return false }
    budget.exchange(old.heldMemory?.id, for: newer.heldMemory)
    if let key { budget.share(self, under: key) }
    return true
  }

  /// Changes the state, and tells the budget's meter what it holds more or less.
  func change<Result>(_ body: (inout StoreState<Frame, DecodedFrame>) -> Result) -> Result {
    state.withLock { state in
      let before = state.heldBytes
      let result = body(&state)
      budget.meter.change(by: state.heldBytes - before)
      return result
    }
  }
}

// MARK: - Memory

extension FrameStore {
  /// What the store has use for now.
  var demand: BudgetDemand { state.withLock { BudgetDemand($0.shape, $0.audience) } }

  /// Spends what was granted; what does not fit any more is given up before this returns, except for what is in use
  /// by a thread that decodes.
  ///
  /// - Returns: whether there may be something to decode now for any player.
  func apply(grant: Int64) -> Bool {
    let (isChange, isBusy) = change { state in
      let (shape, audience) = (state.shape, state.audience)
      let demand = BudgetDemand(shape, audience)
      let plan = TierPlan(grant: grant, demand: demand, shape: shape, audience: audience)
      return (state.apply(plan), state.inFlight != nil)
    }
    // Whoever decodes tidies up at the end, and has the budget look again.
    if !isBusy { decoder.withLockIfFree { tidy(&$0) } }
    return isChange
  }

  /// Bytes held now, by what is being decoded, too.
  var heldBytes: Int64 { state.withLock { $0.heldBytes } }

  /// Gives up canvases that the plan has no room for, and the renderer where nothing is to be decoded.
  private func tidy(_ decoder: inout StoreDecoder) {
    change { state in
      guard state.inFlight == nil else { return }
      tidy(&decoder, &state)
    }
  }

  func tidy(_ decoder: inout StoreDecoder, _ state: inout StoreState<Frame, DecodedFrame>) {
    if !state.plan.decodes || state.failure != nil { decoder.close() }
    let bytes = decoder.limitCheckpoints(to: state.plan.checkpointBytes)
    state.rendererExists(decoder.isOpen, checkpointBytes: bytes)
  }

  var snapshot: StoreSnapshot {
    let image = image
    return state.withLock { state in
      StoreSnapshot(
        width: image.width, height: image.height, size: size, frameCount: state.shape.frameCount,
        players: state.clients.count, heldBytes: state.heldBytes, hotFrames: state.hotCount,
        warmFrames: state.warmCount, warmBytes: state.warmBytes, checkpointBytes: state.checkpointBytes,
        decodedFrames: state.totals.decodedFrames, composedFrames: state.totals.composedFrames,
        demotions: state.totals.demotions, evictions: state.totals.evictions)
    }
  }

  var map: CacheMap {
    state.withLock { state in
      let tiers = state.hot.indices.map { frame -> CacheMap.Tier in
        if state.hot[frame] != nil { return .hot }
        if frame == state.inFlight { return .inFlight }
        return state.warm[frame] == nil ? .cold : .warm
      }
      return CacheMap(
        tiers: tiers, playheads: state.clients.values.filter(\.isActive).map(\.playhead.frame).sorted())
    }
  }
}
