internal import EngineSupport
internal import GIFCaching
internal import GIFDecoding
internal import GIFTimeline
internal import Synchronization

/// All that a player wants of the cache, in one place: pictures by number, the way it goes, and news of arrivals.
final class PictureSource: Sendable {
  private struct Contents {
    var cache: FrameCache
    /// Counted by caches that were given up.
    var past: CacheStatistics?
    var handler: FrameCache.ArrivalHandler?
    var visibility = Visibility.visible
    var observer: DecodeObserver?
  }

  private let options: GIFPlayer.Options
  private let pool: DecodePool
  private let contents: Lock<Contents>

  init(_ image: GIFImage, options: GIFPlayer.Options, pool: DecodePool) {
    self.options = options
    self.pool = pool
    let cache = Self.makeCache(image, options, pool, isComplete: options.isComplete)
    contents = Lock(Contents(cache: cache))
  }

  private static func makeCache(
    _ image: GIFImage, _ options: GIFPlayer.Options, _ pool: DecodePool, isComplete: Bool
  ) -> FrameCache {
    FrameCache(
      image, size: options.size, delays: options.delayPolicy, policy: options.cachePolicy,
      isComplete: isComplete,
      budget: options.budget, pool: pool)
  }

  /// The image that the pictures are made from: the one given, or another with the same content. A player that
  /// keeps this one keeps no second copy of the bytes alive.
  var image: GIFImage { cache.image }

  /// The picture if it is here; asking for it in vain counts as a miss.
  func picture(_ index: Int) -> Frame? { cache.frame(at: index) }

  /// The picture if it is here; counts nothing.
  func peek(_ index: Int) -> Frame? { cache.peek(at: index) }

  /// Moves the window of pictures to have.
  ///
  /// - Parameter request: a number that grows with every call; an older request than the last one is ignored.
  func move(to playhead: Playhead, request: Int) { cache.move(to: playhead, request: request) }

  /// Sets who is told when a picture has arrived.
  func onArrival(_ handler: @escaping FrameCache.ArrivalHandler) {
    let cache = contents.withLock { contents in
      contents.handler = handler
      return contents.cache
    }
    cache.onArrival(handler)
  }

  /// Goes on with an image that has more frames, or is known to be complete. All pictures stay, unless the canvas or
  /// the frames are others than before: then those already shown are left.
  func grow(to image: GIFImage, isComplete: Bool) {
    if cache.grow(to: image, isComplete: isComplete) { return }
    let new = Self.makeCache(image, options, pool, isComplete: isComplete)
    let (old, news) = contents.withLock { contents in
      defer { contents.cache = new }
      contents.past = contents.cache.statistics.adding(contents.past)
      return (contents.cache, contents)
    }
    old.onArrival(nil)
    old.purge()
    new.onArrival(news.handler)
    new.observeDecoding(news.observer)
    new.setVisibility(news.visibility)
  }

  /// How much it matters that pictures are there in time.
  func setVisibility(_ visibility: Visibility) {
    contents.withLock { contents in
      contents.visibility = visibility
      return contents.cache
    }.setVisibility(visibility)
  }

  /// Sets who hears of the turns of decoding; nil for nobody.
  ///
  /// - Parameter old: where given, nothing is done unless that one is the observer now.
  func observeDecoding(_ observer: DecodeObserver?, replacing old: DecodeObserver? = nil) {
    let cache = contents.withLock { contents -> FrameCache in
      if old == nil || old === contents.observer { contents.observer = observer }
      return contents.cache
    }
    cache.observeDecoding(observer, replacing: old)
  }

  /// What to decode beyond the read-ahead while there is room.
  func setPreload(_ preload: CachePolicy.Preload) { cache.setPreload(preload) }

  /// Which frames are held in what form.
  var map: CacheMap { cache.map }

  var statistics: CacheStatistics {
    contents.withLock { $0.cache.statistics.adding($0.past) }
  }

  private var cache: FrameCache { contents.withLock { $0.cache } }
}

extension CacheStatistics {
  /// With what a cache before this one counted; what is held is held by this one.
  fileprivate func adding(_ past: CacheStatistics?) -> CacheStatistics {
    guard let past else { return self }
    var sum = self
    sum.hits += past.hits
    sum.misses += past.misses
    sum.decodedFrames += past.decodedFrames
    sum.evictions += past.evictions
    sum.peakBytes = max(peakBytes, past.peakBytes)
    return sum
  }
}
