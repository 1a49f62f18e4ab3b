import EngineSupport
import GIFDecoding
import GIFTestSupport
import GIFTimeline
import Testing

@testable import GIFCaching

@Suite("FrameBudget: renderers that are packed")
struct PackedStoreTests {
  private let size = PixelSize(width: 16, height: 16)

  /// Animations with large canvases and small changes, as thumbnails.
  private func images(_ count: Int) throws -> [GIFImage] {
    try (0..<count).map { try CacheSample.image(frames: 12, side: 256, shift: $0) }
  }

  private func caches(_ images: [GIFImage], _ budget: FrameBudget, _ pool: DecodePool = .inline)
    -> [PlayerFrames]
  {
    images.map { image in
      PlayerFrames(image, size: size, policy: CacheSample.policy(readAhead: 4), budget: budget, pool: pool)
    }
  }

  /// Moves a player to a step of its loop and returns the frame there.
  private func frame(of cache: PlayerFrames, step: Int) -> Frame? {
    let playhead = Playhead(frame: step % 12, range: 0..<12, nextDue: Int64(step + 1) * 100_000_000)
    cache.move(to: playhead, request: step + 1)
    return cache.frame(at: step % 12)
  }

  @Test("Thumbnails of large GIFs hold a small part of what their renderers take, and show the same")
  func thumbnails() throws {
    let images = try images(20)
    let open = images.reduce(0) { $0 + $1.rendererBytes(size: size) }
    let tight = FrameBudget(limit: 4 << 20)
    let (plain, rested) = (caches(images, FrameBudget(limit: 1 << 30)), caches(images, tight))
    for step in 0..<24 {
      for (one, other) in zip(plain, rested) {
        let expected = try #require(frame(of: one, step: step))
        let shown = try #require(frame(of: other, step: step))
        #expect(CacheSample.words(shown.pixels) == CacheSample.words(expected.pixels))
      }
    }
    let snapshot = tight.snapshot
    #expect(snapshot.heldBytes < open / 2)
    #expect(snapshot.heldBytes <= tight.limit && !snapshot.isOverLimit)
    #expect(tight.peakBytes <= tight.limit + images[0].rendererBytes(size: size))
    #expect(snapshot.heldBytes == snapshot.stores.reduce(0) { $0 + $1.store.heldBytes })
  }

  @Test("Where there is room no renderer is packed, and a higher limit unpacks those that are")
  func room() throws {
    let images = try images(EngineThread.processorCount + 3)
    let budget = FrameBudget(limit: 1 << 18)
    let caches = caches(images, budget)
    defer { withExtendedLifetime(caches) {} }
    for step in 0..<24 {
      for cache in caches { #expect(frame(of: cache, step: step)?.index == step % 12) }
    }
    let open = images[0].rendererBytes(size: size)
    #expect(budget.snapshot.stores.allSatisfy { $0.store.rendererBytes < open / 2 })
    budget.limit = Int64(images.count) * (open + 12 * 1024) - 1024
    for cache in caches {
      for step in [29, 33] { _ = frame(of: cache, step: step) }
    }
    #expect(budget.snapshot.stores.contains { $0.store.rendererBytes == open })
    #expect(!budget.snapshot.isOverLimit)
  }

  @Test("A packed renderer decodes each frame once, and is packed again after each turn")
  func turns() throws {
    let images = try images(EngineThread.processorCount + 3)
    let budget = FrameBudget(limit: 0)
    let pool = DecodePool(takenByHand: ())
    let caches = caches(images, budget, pool)
    defer { withExtendedLifetime(caches) {} }
    for step in 0..<24 {
      // A frame that was there may have made room for the next one by now.
      let shown = caches.map { frame(of: $0, step: step) }
      while pool.takeTurn() {
        for entry in budget.snapshot.stores {
          #expect(entry.store.rendererBytes < images[0].rendererBytes(size: size) / 2)
        }
      }
      for (cache, shown) in zip(caches, shown) {
        #expect((shown ?? cache.frame(at: step % 12))?.index == step % 12)
      }
    }
    for cache in caches { #expect(cache.statistics.decodedFrames <= 26) }
    #expect(budget.snapshot.isOverLimit)
  }

  @Test("A renderer that gives up too little, as its canvas has too many colours, is packed no more")
  func manyColors() throws {
    let images = try (0..<EngineThread.processorCount + 3).map {
      try CacheSample.noise(frames: 6, side: 96, seed: $0)
    }
    let budget = FrameBudget(limit: 0)
    let caches = caches(images, budget)
    defer { withExtendedLifetime(caches) {} }
    for step in 0..<12 {
      for cache in caches {
        let playhead = Playhead(frame: step % 6, range: 0..<6, nextDue: Int64(step + 1) * 100_000_000)
        cache.move(to: playhead, request: step + 1)
        #expect(cache.frame(at: step % 6)?.index == step % 6)
      }
    }
    let open = images.map { $0.rendererBytes(size: size) }
    #expect(budget.snapshot.stores.map(\.store.rendererBytes).sorted() == open.sorted())
  }

  @Test("Too few renderers to save anything are not packed")
  func few() throws {
    let budget = FrameBudget(limit: 0)
    let cache = try #require(caches(try images(1), budget).first)
    for step in 0..<24 { #expect(frame(of: cache, step: step)?.index == step % 12) }
    #expect(budget.snapshot.stores.allSatisfy { $0.store.rendererBytes > 1 << 18 })
  }
}
