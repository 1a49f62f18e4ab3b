internal import GIFCaching
internal import GIFDecoding
internal import Synchronization

/// All that a player wants of the cache, in one place: pictures by number, the way it goes, and news of arrivals.
final class PictureSource: Sendable {
  private struct Contents {
    var cache: FrameCache
    /// Counted by caches that were given up.
    var past: CacheStatistics?
    var handler: FrameCache.ArrivalHandler?
  }

  private let size: PixelSize?
  private let policy: CachePolicy
  private let pool: DecodePool
  private let contents: Mutex<Contents>

  init(_ image: GIFImage, size: PixelSize?, policy: CachePolicy, pool: DecodePool) {
    self.size = size
    self.policy = policy
    self.pool = pool
    contents = Mutex(Contents(cache: FrameCache(image, size: size, policy: policy, pool: pool)))
  }

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

  /// Goes on with an image that has more frames. Pictures made so far are given up, but for those already shown.
  func grow(to image: GIFImage) {
    let new = FrameCache(image, size: size, policy: policy, pool: pool)
    let (old, handler) = contents.withLock { contents in
      defer { contents.cache = new }
      contents.past = contents.cache.statistics.adding(contents.past)
      return (contents.cache, contents.handler)
    }
    old.onArrival(nil)
    old.purge()
    new.onArrival(handler)
  }

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
