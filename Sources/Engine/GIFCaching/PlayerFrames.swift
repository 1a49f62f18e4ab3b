internal import EngineSupport
package import GIFDecoding
package import GIFTimeline
internal import Synchronization

/// The frames of one player, decoded around its playhead before they are due.
///
/// A lookup never decodes and never waits: it gives the finished frame or nothing. The pool decodes what is
/// missing, and the arrival handler is notified. Players of the same content at the same size share one
/// ``FrameStore``, and the decoding. The ``FrameBudget`` decides how much memory there is.
package final class PlayerFrames: Sendable {
  private let delayPolicy: DelayPolicy
  private let attachment: Lock<Attachment>

  private let growthCount = Atomic<Int>(0)

  /// How often the image has grown: frames found before may be other ones now.
  package var growths: Int { growthCount.load(ordering: .acquiring) }

  /// A store, and the number of the player in it. Only the end of a load leads to another store.
  private struct Attachment: Sendable {
    var store: FrameStore
    var id: StorePlayer.ID
  }

  /// Takes what arrives: a frame's number, or the error that keeps every frame from being made.
  package typealias ArrivalHandler = @Sendable (Result<Int, GIFError>) -> Void

  /// - Parameters:
  ///   - size: the size of the finished frames; nil for that of the canvas.
  ///   - fitting: where `size` is nil, the bounds of frames that keep the canvas's shape.
  ///   - delayPolicy: how long frames last, for deciding which is needed when.
  ///   - isComplete: whether all frames of the image are known; see ``grow(to:isComplete:)``. Until then the
  ///     player shares its frames with no other one.
  package init(
    _ image: GIFImage, size: PixelSize? = nil, fitting: PixelSize? = nil,
    delayPolicy: DelayPolicy = .browser, policy: CachePolicy = CachePolicy(), isComplete: Bool = true,
    budget: FrameBudget = .shared, pool: DecodePool = .shared
  ) {
    self.delayPolicy = delayPolicy
    let sizing = FrameSizing(size: size, fitting: fitting)
    let store =
      isComplete
      ? budget.store(for: image, sizing: sizing, pool: pool)
      : FrameStore(image, sizing: sizing, key: nil, budget: budget, pool: pool)
    let id = store.attach(StorePlayer(durations: image.animation.durations(delayPolicy), policy: policy))
    attachment = Lock(Attachment(store: store, id: id))
  }

  deinit {
    let (store, id) = storeAndID
    store.detach(id)
  }

  private var storeAndID: (FrameStore, StorePlayer.ID) { attachment.withLock { ($0.store, $0.id) } }

  private var store: FrameStore { attachment.withLock { $0.store } }

  /// Changes the player, and carries out what follows. None is lost while the store changes.
  private func carryOut(
    _ change: (inout StoreState<Frame, DecodedFrame>, StorePlayer.ID) -> StoreAction
  ) {
    let (store, id, action) = attachment.withLock { attachment in
      (attachment.store, attachment.id, attachment.store.state.withLock { change(&$0, attachment.id) })
    }
    store.carryOut(action, for: id)
  }

  /// The image: the one given last, or another one with the same content. A player that keeps this one keeps
  /// no second copy of the bytes alive.
  package var image: GIFImage { store.image }

  /// The threads that decode.
  package var pool: DecodePool { store.pool }

  // MARK: Lookups

  /// The finished frame if it is here. Counts a hit or, once for each frame waited for, a miss.
  ///
  /// The cache waits for the frame that the last lookup did not find. So lookups from several threads need an
  /// order: make each under the same lock as what follows from it, and ``move(to:request:)`` after it. Keep
  /// the frame as long as it is shown: the cache may evict it for the next one.
  package func frame(at index: Int) -> Frame? {
    // Under the lock, so that the last reference to a store never goes under a lock of the caller's.
    attachment.withLock { attachment in
      attachment.store.state.withLock { $0.lookUp(index, for: attachment.id) }
    }
  }

  /// The finished frame if it is here; counts nothing.
  package func peek(at index: Int) -> Frame? {
    attachment.withLock { attachment in attachment.store.state.withLock { $0.held.frame(at: index) } }
  }

  /// Moves the playhead, and has the pool decode what is missing around it.
  ///
  /// - Parameter request: a number that grows with every call of one owner; an older request than the last
  ///   one is ignored.
  package func move(to playhead: Playhead, request: Int) {
    carryOut { $0.move($1, to: playhead, request: request) }
  }

  /// Sets the handler that is notified when a frame arrives while this cache waits for one, after a lookup
  /// that found nothing.
  ///
  /// The handler is called on a decoding thread, without a lock. Once decoding has failed, every
  /// ``move(to:request:)`` notifies it before the call returns, on the caller's thread.
  package func onArrival(_ handler: ArrivalHandler?) {
    let (store, id) = storeAndID
    store.onArrival(id, handler)
  }

  // MARK: Images that load

  /// What became of the frames held when the image grew.
  package enum Growth: Sendable, Hashable {
    /// They stay; only a last frame that was not whole is decoded again.
    case continued
    /// The canvas or the frames are others than before: all were evicted.
    case replaced
    /// The image was complete already: nothing was done.
    case refused
  }

  /// Goes over to a later state of an image that still loads, or to the complete one. New frames are decoded
  /// from the next ``move(to:request:)`` on.
  ///
  /// Takes time in proportion to the number of frames, and decodes nothing.
  ///
  /// - Parameter isComplete: whether all frames are known: from then on other caches share what is held.
  @discardableResult
  package func grow(to newer: GIFImage, isComplete: Bool) -> Growth {
    defer { growthCount.add(1, ordering: .releasing) }
    let durations = newer.animation.durations(delayPolicy)
    let (store, id) = storeAndID
    return store.grow(to: newer, durations: durations, isComplete: isComplete, of: id)
  }

  /// Goes over to what other caches hold of the complete image, if they do: before ``grow(to:isComplete:)``,
  /// which then has nothing to do.
  ///
  /// Called without a lock of the caller's: what is missing may be decoded, and arrive, before this returns.
  /// Compares the bytes of the images.
  /// - Returns: whether this player shares them now.
  package func join(_ complete: GIFImage) -> Bool {
    let (store, _) = storeAndID
    guard store.content.withLock({ $0.key == nil && $0.image.frameCount <= complete.frameCount }),
      let other = store.budget.storeInUse(for: complete, sizing: store.sizing, pool: store.pool)
    else { return false }
    let durations = complete.animation.durations(delayPolicy)
    let ids = attachment.withLock { attachment -> (StorePlayer.ID, StorePlayer.ID)? in
      guard attachment.store === store,
        let own = other.adopt(attachment.id, of: store, durations: durations)
      else { return nil }
      defer { attachment = Attachment(store: other, id: own) }
      return (attachment.id, own)
    }
    guard let (old, new) = ids else { return false }
    growthCount.add(1, ordering: .releasing)
    store.detach(old)
    other.carryOut(.askBudget, for: new)
    return true
  }

  /// Has the budget look whether it is over its limit: the bytes of a complete image count for good.
  package func tellBudget() { store.budget.demandChanged(of: store) }

  // MARK: Settings

  /// Sets what is decoded beyond the read-ahead while there is room.
  package func setPreload(_ preload: CachePolicy.Preload) {
    carryOut { $0.setPreload(preload, of: $1) }
  }

  // MARK: Reports

  /// Sets the observer of the turns of decoding that are done for this cache; nil for none. A turn that
  /// several caches share is reported to the observer of one of them.
  ///
  /// - Parameter old: if given, nothing is done unless it is the present observer.
  package func observeDecoding(_ observer: DecodeObserver?, replacing old: DecodeObserver? = nil) {
    let (store, id) = storeAndID
    store.observers.set(observer, of: id, replacing: old)
  }

  package var statistics: CacheStatistics {
    let (store, id) = storeAndID
    return store.statistics(of: id)
  }

  /// In what form each frame is held, and where the playheads are.
  package var map: CacheMap { store.map }
}
