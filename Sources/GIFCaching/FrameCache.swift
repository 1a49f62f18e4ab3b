public import GIFDecoding
public import GIFTimeline

/// A player's view of an animation's frames: finished pictures around its playhead, decoded before they are due.
///
/// A lookup never decodes and never waits: it gives the picture or nothing. What is missing is decoded by the pool, and
/// the arrival handler tells when it is there. Caches of the same content at the same size share one store, and any
/// decoding in flight; how much memory there is, the ``FrameBudget`` decides.
public final class FrameCache: Sendable {
  private let delays: DelayPolicy
  private let store: FrameStore
  private let id: StoreClient.ID

  /// What arrives: a frame's number, or the error that keeps every picture from being made.
  public typealias ArrivalHandler = @Sendable (Result<Int, GIFError>) -> Void

  /// - Parameters:
  ///   - size: the size of the pictures; nil for that of the canvas.
  ///   - delays: how long frames last, for deciding which is needed when.
  ///   - isComplete: whether all frames of the image are known: see ``grow(to:isComplete:)``. Its pictures are shared with nobody
  ///     until it is complete.
  public init(
    _ image: GIFImage, size: PixelSize? = nil, delays: DelayPolicy = .browser,
    policy: CachePolicy = CachePolicy(), isComplete: Bool = true, budget: FrameBudget = .shared,
    pool: DecodePool = .shared
  ) {
    self.delays = delays
    store =
      !isComplete
      ? FrameStore(image, size: size, key: nil, budget: budget, pool: pool)
      : budget.store(for: image, size: size, pool: pool)
    id = store.attach(
      StoreClient(
        frameCount: image.frameCount, durations: Self.durations(of: image, delays), policy: policy))
  }

  deinit { store.detach(id) }

  /// The image; of one that grows as much as was given last.
  public var image: GIFImage { store.image }

  /// Goes over to a later state of an image that still loads, or to the whole one, and keeps all that is held: only a
  /// frame of which there was but the beginning is decoded again. New frames are decoded from the next
  /// ``move(to:request:)`` on.
  ///
  /// Costs time in proportion to the number of frames, and no decoding.
  ///
  /// - Parameter isComplete: whether no more will come: from then on others share what is held.
  /// - Returns: false where the image so far is not the beginning of `newer` (another canvas or other frames), or was
  ///   complete already. This cache then stays as it is.
  public func grow(to newer: GIFImage, isComplete: Bool) -> Bool {
    store.grow(to: newer, durations: Self.durations(of: newer, delays), isComplete: isComplete, of: id)
  }

  /// How long each frame lasts, in nanoseconds. What no clock will see the end of is cut, so that sums stay numbers.
  private static func durations(of image: GIFImage, _ delays: DelayPolicy) -> [Int64] {
    let longest = Int64.max / 1_000_000 / Int64(image.frameCount + 1)
    return image.frames.map { min(longest, max(0, Int64($0.delayMilliseconds(delays)))) * 1_000_000 }
  }

  /// Sets who is told that a picture has arrived while this cache waits for one: after a lookup that found nothing.
  /// Called on a decoding thread, no lock held. Once decoding has failed, every ``move(to:request:)`` tells of it before
  /// it returns, on the thread that calls it.
  public func onArrival(_ handler: ArrivalHandler?) { store.onArrival(id, handler) }

  /// Sets who hears of the turns of decoding that are done for this cache; nil for nobody. Of a turn that several caches
  /// share the observer of one of them hears.
  ///
  /// - Parameter old: where given, nothing is done unless that one is the observer now.
  public func observeDecoding(_ observer: DecodeObserver?, replacing old: DecodeObserver? = nil) {
    store.observers.set(observer, of: id, replacing: old)
  }

  /// The picture of a frame if it is here. Counts a hit or, once for each frame waited for, a miss.
  ///
  /// What the last lookup did not find is what the cache waits for, so lookups from several threads need an order: that
  /// of a lock under which each is made together with what follows from it. ``move(to:request:)`` comes after it.
  ///
  /// To be kept as long as it is shown: the picture at the playhead, once handed out, may be given up for the next one.
  public func frame(at index: Int) -> Frame? { store.frame(at: index, for: id) }

  /// The picture of a frame if it is here; counts nothing.
  public func peek(at index: Int) -> Frame? { store.peek(at: index) }

  /// Moves the playhead and starts decoding what is missing around it.
  ///
  /// - Parameter request: a number that grows with every call of one owner; an older request than the last one is
  ///   ignored.
  public func move(to playhead: Playhead, request: Int) { store.move(id, to: playhead, request: request) }

  /// How much it matters that pictures are there in time. Nothing is decoded for a hidden player, and what it held is
  /// the first to go, except for the picture it shows.
  public func setVisibility(_ visibility: Visibility) { store.setVisibility(visibility, of: id) }

  /// What to decode beyond the read-ahead while there is room.
  public func setPreload(_ preload: CachePolicy.Preload) { store.setPreload(preload, of: id) }

  /// Drops what no other player needs or shows but the current picture, and decodes nothing until the playhead moves
  /// again.
  public func purge() { store.purge(id) }

  public var statistics: CacheStatistics { store.statistics(of: id) }

  /// Which frames are held in what form, and where the playheads are.
  public var map: CacheMap { store.map }
}
