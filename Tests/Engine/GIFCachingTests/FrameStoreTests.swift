import GIFCaching
import GIFDecoding
import GIFTestSupport
import GIFTimeline
import Testing

@Suite("FrameStore: shared by players of the same content")
struct FrameStoreSharingTests {
  private func cache(
    _ image: GIFImage, size: PixelSize? = nil, readAhead: Int = 2, _ budget: FrameBudget,
    pool: DecodePool = .inline
  ) -> PlayerFrames {
    PlayerFrames(
      image, size: size, policy: CacheSample.policy(readAhead: readAhead), budget: budget, pool: pool)
  }

  @Test(
    "A hundred players of one GIF, opened separately, decode each frame once, or once a loop",
    arguments: [3, 6, 12])
  func decodeOnce(room: Int) throws {
    let bytes = CacheSample.bytes(frames: 12)
    let budget = FrameBudget(limit: CacheSample.byteCount(try .onDisk(bytes), frames: room))
    let caches = try (0..<100).map { _ in cache(try .onDisk(bytes), budget) }
    defer { withExtendedLifetime(caches) {} }
    let loops = 3
    for step in 0..<loops * 12 {
      for cache in caches {
        // As a player does: look, then move on, and look again.
        let frame = step % 12
        if cache.frame(at: frame) == nil {
          cache.move(
            to: Playhead(frame: frame, range: 0..<12, nextDue: Int64(step + 1) * 100_000_000),
            request: step + 1)
          #expect(cache.frame(at: frame)?.index == frame)
        } else {
          cache.move(
            to: Playhead(frame: frame, range: 0..<12, nextDue: Int64(step + 1) * 100_000_000),
            request: step + 1)
        }
      }
    }
    let decoded = caches[0].statistics.decodedFrames
    #expect(Double(decoded) <= 1.2 * 12 * Double(room == 12 ? 1 : loops))
    #expect(budget.snapshot.stores.count == 1)
    #expect(budget.snapshot.stores.first?.store.players == 100)
    #expect(budget.peakBytes <= budget.limit)
  }

  @Test("Other content, another size, rule, limit, budget or pool is another store")
  func apart() throws {
    let budget = FrameBudget(limit: 1 << 24)
    let bytes = CacheSample.bytes(frames: 4)
    let image = try GIFImage(bytes: bytes)
    var resilient = image
    resilient.damagePolicy = .resilient
    let strict = try GIFImage(bytes: bytes, limits: DecodingLimits(framePixels: 1 << 20))
    let caches = [
      cache(image, budget), cache(try GIFImage(bytes: bytes), budget),
      cache(try CacheSample.image(frames: 4, shift: 1), budget),
      cache(image, size: PixelSize(width: 4, height: 4), budget),
      cache(image, size: PixelSize(width: 4, height: 4), budget),
      cache(resilient, budget), cache(strict, budget),
      cache(image, budget, pool: DecodePool(threadCount: 0)),
    ]
    for cache in caches { cache.move(to: Playhead(frame: 0, range: 0..<4), request: 1) }
    #expect(budget.snapshot.stores.map(\.store.players).sorted() == [1, 1, 1, 1, 2, 2])
    let other = FrameBudget(limit: 1 << 24)
    let apart = cache(image, other)
    apart.move(to: Playhead(frame: 0, range: 0..<4), request: 1)
    #expect(other.snapshot.stores.count == 1)
    withExtendedLifetime(caches) {}
  }

  @Test("Files that differ in the middle do not share a store, though their ends are equal")
  func middle() throws {
    let bytes = CacheSample.bytes(frames: 4, side: 64)
    var changed = bytes
    // A colour in the middle of the global palette, behind the first 64 bytes would be pixels; take a palette
    // byte that both hashes see the same.
    let place = bytes.count / 2
    changed[place] ^= 1
    let budget = FrameBudget(limit: 1 << 24)
    let caches = [cache(try GIFImage(bytes: bytes), budget), cache(try GIFImage(bytes: changed), budget)]
    for cache in caches { cache.move(to: Playhead(frame: 0, range: 0..<4), request: 1) }
    #expect(budget.snapshot.stores.count == 2)
    withExtendedLifetime(caches) {}
  }

  @Test("A store goes with its last player, and so do its bytes and its grant")
  func release() throws {
    let budget = FrameBudget(limit: 1 << 24)
    var caches = try (0..<5).map { _ in cache(try CacheSample.image(frames: 4), budget) }
    for cache in caches { cache.move(to: Playhead(frame: 0, range: 0..<4), request: 1) }
    #expect(budget.heldBytes > 0)
    caches.removeFirst(4)
    #expect(budget.snapshot.stores.count == 1)
    #expect(caches.first?.peek(at: 0) != nil)
    caches = []
    #expect(budget.heldBytes == 0)
    #expect(budget.snapshot.stores.isEmpty)
  }

  @Test("Callers that open the same content at the same time get one store")
  func together() async throws {
    let budget = FrameBudget(limit: 1 << 24)
    let bytes = CacheSample.bytes(frames: 4)
    for _ in 0..<20 {
      let caches = try await withThrowingTaskGroup(of: PlayerFrames.self) { group in
        for _ in 0..<8 {
          group.addTask {
            let cache = PlayerFrames(try GIFImage(bytes: bytes), budget: budget, pool: .inline)
            cache.move(to: Playhead(frame: 0, range: 0..<4), request: 1)
            return cache
          }
        }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      #expect(budget.snapshot.stores.map(\.store.players) == [8])
      withExtendedLifetime(caches) {}
    }
  }
}

@Suite("FrameStore: tiers")
struct FrameStoreTierTests {
  /// A budget that holds the window as finished frames and all frames as indices.
  private func warmBudget(_ image: GIFImage, readAhead: Int) -> FrameBudget {
    let planes = image.frames.reduce(Int64(0)) { $0 + $1.rect.area }
    return FrameBudget(limit: CacheSample.byteCount(image, frames: readAhead + 1) + planes)
  }

  @Test("From the second loop on, warm frames are composed without decoding")
  func warm() throws {
    let image = try CacheSample.image(frames: 20)
    let budget = warmBudget(image, readAhead: 2)
    let cache = PlayerFrames(
      image, policy: CacheSample.policy(readAhead: 2), budget: budget, pool: .inline)
    var renderer = try FrameRenderer(image)
    var counts: [(decoded: Int, composed: Int)] = []
    for step in 0..<80 {
      cache.move(to: Playhead(frame: step % 20, range: 0..<20), request: step + 1)
      let frame = try #require(cache.frame(at: step % 20))
      #expect(CacheSample.words(frame.pixels) == CacheSample.words(try renderer.frame(at: step % 20).pixels))
      #expect(budget.heldBytes <= budget.limit)
      if step % 20 == 19 { counts.append((cache.statistics.decodedFrames, cache.statistics.composedFrames)) }
    }
    #expect(counts.map(\.decoded) == [20, 20, 20, 20])
    #expect(counts[3].composed >= 80)
    #expect(cache.statistics.warmFrames == 20)
    #expect(cache.statistics.demotions > 0)
    #expect(cache.map.tiers.count { $0 == .warm } == 17)
    #expect(cache.map.tiers.count { $0 == .hot } == 3)
    #expect(cache.map.playheads == [19])
  }

  @Test("Warm frames show the same pixels, damage and all, in any order", arguments: 0..<12)
  func damaged(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let count = 18
    let damaged = Set(
      (0..<Int.random(in: 1...4, using: &random)).map { _ in Int.random(in: 0..<count, using: &random) })
    var image = try CacheSample.image(frames: count, damaged: damaged)
    if seed % 2 == 1 { image.damagePolicy = .resilient }
    let budget = warmBudget(image, readAhead: 1)
    let cache = PlayerFrames(
      image, policy: CacheSample.policy(readAhead: 1), budget: budget, pool: .inline)
    var renderer = try FrameRenderer(image)
    for step in 0..<120 {
      let index = step < 60 ? step % count : Int.random(in: 0..<count, using: &random)
      cache.move(to: Playhead(frame: index, range: 0..<count), request: step * 2 + 1)
      if cache.peek(at: index) == nil {
        _ = cache.frame(at: index)
        cache.move(to: Playhead(frame: index, range: 0..<count), request: step * 2 + 2)
      }
      let frame = try #require(cache.frame(at: index))
      let rendered = try renderer.frame(at: index)
      #expect(frame.status == rendered.status, "seed \(seed) step \(step) frame \(index) of \(damaged)")
      #expect(
        CacheSample.words(frame.pixels) == CacheSample.words(rendered.pixels),
        "seed \(seed) step \(step) frame \(index) of \(damaged)")
      #expect(budget.heldBytes <= budget.limit)
    }
    #expect(budget.peakBytes <= budget.limit)
  }

  @Test("Warm and scaled frames are those of a renderer that scales")
  func scaled() throws {
    let image = try CacheSample.image(frames: 14)
    let size = try #require(PixelSize(width: 9, height: 7))
    let budget = FrameBudget(limit: CacheSample.byteCount(image, frames: 4, size: size) + 400)
    let cache = PlayerFrames(
      image, size: size, policy: CacheSample.policy(readAhead: 1), budget: budget, pool: .inline)
    var renderer = try FrameRenderer(image, size: size)
    for step in 0..<50 {
      cache.move(to: Playhead(frame: step % 14, range: 0..<14), request: step + 1)
      let frame = try #require(cache.frame(at: step % 14))
      #expect(CacheSample.words(frame.pixels) == CacheSample.words(try renderer.frame(at: step % 14).pixels))
    }
    #expect(budget.peakBytes <= budget.limit)
  }

  @Test("Going back is cheaper with canvases kept, and they are within the budget")
  func checkpoints() throws {
    let image = try CacheSample.chain(frames: 100)
    func decodings(room: Int) throws -> Int {
      let budget = FrameBudget(limit: CacheSample.byteCount(image, frames: room))
      let cache = PlayerFrames(
        image, policy: CacheSample.policy(readAhead: 1), budget: budget, pool: .inline)
      var request = 0
      for _ in 0..<2 {
        for frame in (0..<100).reversed() {
          request += 1
          cache.move(to: Playhead(frame: frame, direction: .reverse, range: 0..<100), request: request)
          #expect(cache.frame(at: frame)?.index == frame)
        }
      }
      #expect(budget.peakBytes <= budget.limit)
      return cache.statistics.decodedFrames
    }
    let (least, some) = (try decodings(room: 2), try decodings(room: 34))
    #expect(some * 3 < least, "\(some) decodings with canvases kept, \(least) without")
  }

  @Test("Preloading goes as far as it is asked to", arguments: [0, 3, 7])
  func preload(count: Int) throws {
    let image = try CacheSample.image(frames: 12)
    func hot(_ preload: CachePolicy.Preload) -> Int {
      let cache = PlayerFrames(
        image, policy: CacheSample.policy(readAhead: 1, preload: preload),
        budget: FrameBudget(limit: 1 << 20),
        pool: .inline)
      cache.move(to: Playhead(frame: 4, range: 0..<12), request: 1)
      return cache.statistics.residentFrames
    }
    #expect(hot(.frames(count)) == max(2, count + 1))
    #expect(hot(.all) == 12)
    #expect(hot(.none) == 2)
    let cache = PlayerFrames(
      image, policy: CacheSample.policy(readAhead: 1), budget: FrameBudget(limit: 1 << 20), pool: .inline)
    cache.move(to: Playhead(frame: 4, range: 0..<12), request: 1)
    cache.setPreload(.all)
    #expect(cache.statistics.residentFrames == 12)
  }
}
