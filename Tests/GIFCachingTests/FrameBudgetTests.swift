import GIFDecoding
import GIFTestSupport
import GIFTimeline
import Testing

@testable import GIFCaching

@Suite("FrameBudget")
struct FrameBudgetTests {
  private func cache(_ image: GIFImage, _ budget: FrameBudget, readAhead: Int = 2) -> FrameCache {
    FrameCache(
      image, policy: CacheSample.policy(readAhead: readAhead, preload: .all), budget: budget, pool: .inline)
  }

  @Test("A lower limit takes effect before the call returns, and a higher one at once")
  func limit() throws {
    let image = try CacheSample.image(frames: 12)
    let budget = FrameBudget(limit: 1 << 20)
    let cache = cache(image, budget)
    cache.move(to: Playhead(frame: 3, range: 0..<12), request: 1)
    #expect(cache.statistics.residentFrames == 12)
    for pictures in [9, 5, 3, 2] {
      budget.limit = CacheSample.byteCount(image, pictures: pictures)
      #expect(budget.heldBytes <= budget.limit)
      #expect(cache.peek(at: 3) != nil)
    }
    budget.limit = 0
    #expect(budget.heldBytes <= CacheSample.byteCount(image, pictures: 2))
    budget.limit = -5
    #expect(budget.limit == 0)
    budget.limit = 1 << 20
    #expect(cache.statistics.residentFrames == 12)
    #expect(budget.snapshot.decisions.contains { $0.reason == .limit && $0.after < $0.before })
  }

  @Test("Limits at both ends of the numbers are taken", arguments: [Int64.min, -1, 0, .max])
  func extremes(limit: Int64) throws {
    let image = try CacheSample.image(frames: 4)
    let budget = FrameBudget(limit: limit)
    let cache = cache(image, budget)
    cache.move(to: Playhead(frame: 0, range: 0..<4), request: 1)
    #expect(cache.frame(at: 0) != nil)
    #expect(budget.limit == max(0, limit))
  }

  @Test("Who is hidden makes way for who is seen, and has its pictures again when it comes back")
  func visibility() throws {
    // The canvas is large beside the decoder's tables, so that one whole loop has room for another's floor.
    let first = try CacheSample.image(frames: 10, side: 200)
    let second = try CacheSample.image(frames: 10, side: 200, shift: 5)
    let budget = FrameBudget(limit: CacheSample.byteCount(first, pictures: 10))
    let shown = cache(first, budget)
    shown.move(to: Playhead(frame: 2, range: 0..<10), request: 1)
    #expect(shown.statistics.residentFrames == 10)
    shown.setVisibility(.hidden)
    // The renderer goes at once; pictures stay while nobody else needs the room.
    #expect(budget.heldBytes == 10 * 160_000)
    let other = cache(second, budget)
    other.move(to: Playhead(frame: 0, range: 0..<10), request: 1)
    #expect(budget.heldBytes <= budget.limit)
    #expect(other.statistics.residentFrames >= 4)
    #expect(shown.peek(at: 2) != nil)
    #expect(shown.statistics.residentFrames < 10)
    shown.setVisibility(.visible)
    #expect(budget.heldBytes <= budget.limit)
    #expect(shown.peek(at: 2) != nil && shown.peek(at: 3) != nil)
    other.setVisibility(.hidden)
    #expect(shown.statistics.residentFrames > 3)
  }

  @Test("A purge gives the memory back, but for the picture shown")
  func purge() throws {
    let budget = FrameBudget(limit: 1 << 20)
    let cache = cache(try CacheSample.image(frames: 10), budget)
    cache.move(to: Playhead(frame: 2, range: 0..<10), request: 1)
    cache.purge()
    #expect(budget.heldBytes == 1024)
    cache.move(to: Playhead(frame: 3, range: 0..<10), request: 2)
    #expect(cache.statistics.residentFrames == 10)
  }

  @Test("The snapshot tells who holds what, and the books agree")
  func snapshot() throws {
    let budget = FrameBudget(limit: 1 << 20)
    let caches = [
      cache(try CacheSample.image(frames: 10), budget), cache(try CacheSample.image(frames: 5), budget),
    ]
    for cache in caches { cache.move(to: Playhead(frame: 1, range: 0..<5), request: 1) }
    let snapshot = budget.snapshot
    #expect(snapshot.limit == 1 << 20)
    #expect(snapshot.pressure == .normal)
    #expect(snapshot.stores.map(\.store.frameCount) == [10, 5])
    #expect(snapshot.stores.reduce(0) { $0 + $1.store.heldBytes } == budget.heldBytes)
    #expect(snapshot.stores.allSatisfy { $0.store.heldBytes <= $0.grant })
    #expect(snapshot.heldBytes == budget.heldBytes)
    #expect(snapshot.peakBytes == budget.peakBytes)
    #expect(snapshot.decisions.count == 2)
    #expect(snapshot.decisions.allSatisfy { $0.reason == .demand && $0.before == 0 && $0.after > 0 })
    #expect(caches[1].map.tiers == Array(repeating: .hot, count: 5))
  }

  @Test("Pressure shrinks what is given out at once, hides nothing that is shown, and passes in steps")
  func pressure() throws {
    let image = try CacheSample.image(frames: 12)
    let budget = FrameBudget(limit: CacheSample.byteCount(image, pictures: 12) + 20 * 1024)
    let (seen, hidden) = (cache(image, budget), cache(try CacheSample.image(frames: 12, shift: 3), budget))
    hidden.move(to: Playhead(frame: 5, range: 0..<12), request: 1)
    hidden.setVisibility(.hidden)
    seen.move(to: Playhead(frame: 0, range: 0..<12), request: 1)
    #expect(seen.statistics.residentFrames == 12)
    var next = try #require(budget.follow(.warning, at: 1_000, chance: 0.5))
    #expect(budget.snapshot.pressure == .warning)
    #expect(seen.statistics.residentFrames == 3)
    #expect(hidden.statistics.residentBytes == 0)
    next = try #require(budget.follow(.critical, at: 2_000, chance: 0.5))
    #expect(budget.snapshot.pressure == .critical)
    #expect(seen.statistics.residentFrames == 2)
    #expect(seen.peek(at: 0) != nil)
    var steps = 0
    var now = next
    while let later = budget.follow(.normal, at: now, chance: 0.5) {
      #expect(budget.heldBytes <= budget.limit)
      now = later
      steps += 1
    }
    #expect(steps == 3)
    #expect(budget.snapshot.pressure == .normal)
    #expect(seen.statistics.residentFrames == 12)
  }

  @Test("Who stops following the machine's pressure is not left shrunk")
  func unfollow() throws {
    let budget = FrameBudget(limit: 1 << 20)
    let cache = cache(try CacheSample.image(frames: 12), budget)
    cache.move(to: Playhead(frame: 0, range: 0..<12), request: 1)
    _ = budget.follow(.critical, at: 0, chance: 0)
    #expect(cache.statistics.residentFrames == 2)
    budget.followsMemoryPressure = false
    #expect(budget.snapshot.pressure == .normal)
    #expect(cache.statistics.residentFrames == 12)
  }
}
