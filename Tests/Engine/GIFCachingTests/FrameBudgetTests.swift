import GIFCaching
import GIFDecoding
import GIFTestSupport
import GIFTimeline
import Testing

@Suite("FrameBudget")
struct FrameBudgetTests {
  private func cache(_ image: GIFImage, _ budget: FrameBudget, readAhead: Int = 2) -> PlayerFrames {
    PlayerFrames(
      image, policy: CacheSample.policy(readAhead: readAhead, preload: .all), budget: budget, pool: .inline)
  }

  @Test("A lower limit takes effect before the call returns, and a higher one at once")
  func limit() throws {
    let image = try CacheSample.image(frames: 12)
    let budget = FrameBudget(limit: 1 << 20)
    let cache = cache(image, budget)
    cache.move(to: Playhead(frame: 3, range: 0..<12), request: 1)
    #expect(cache.statistics.residentFrames == 12)
    for frames in [9, 5, 3, 2] {
      budget.limit = CacheSample.byteCount(image, frames: frames)
      #expect(budget.heldBytes <= budget.limit)
      #expect(cache.peek(at: 3) != nil)
    }
    budget.limit = 0
    #expect(budget.heldBytes <= CacheSample.byteCount(image, frames: 2))
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

  @Test("A hidden player makes room for a visible one, and has its frames again when it comes back")
  func visibility() throws {
    // The canvas is large beside the decoder's tables, so that one whole loop has room for another's floor.
    let first = try CacheSample.image(frames: 10, side: 200)
    let second = try CacheSample.image(frames: 10, side: 200, shift: 5)
    let budget = FrameBudget(limit: CacheSample.byteCount(first, frames: 10))
    let shown = cache(first, budget)
    shown.move(to: Playhead(frame: 2, range: 0..<10), request: 1)
    #expect(shown.statistics.residentFrames == 10)
    shown.move(to: Playhead(frame: 2, range: 0..<10, visibility: .hidden), request: 2)
    // There is no renderer, as all frames are held; they stay while no other player needs the room.
    #expect(budget.heldBytes == 10 * 160_000)
    let other = cache(second, budget)
    other.move(to: Playhead(frame: 0, range: 0..<10), request: 1)
    #expect(budget.heldBytes <= budget.limit)
    #expect(other.statistics.residentFrames >= 4)
    #expect(shown.peek(at: 2) != nil)
    #expect(shown.statistics.residentFrames < 10)
    shown.move(to: Playhead(frame: 2, range: 0..<10), request: 3)
    #expect(budget.heldBytes <= budget.limit)
    #expect(shown.peek(at: 2) != nil && shown.peek(at: 3) != nil)
    other.move(to: Playhead(frame: 0, range: 0..<10, visibility: .hidden), request: 2)
    #expect(shown.statistics.residentFrames > 3)
  }

  @Test("A renderer is released once all frames of an animation are held, or its players rest")
  func renderers() throws {
    let image = try CacheSample.image(frames: 10)
    let budget = FrameBudget(limit: 1 << 20)
    let whole = cache(image, budget)
    whole.move(to: Playhead(frame: 2, range: 0..<10), request: 1)
    #expect(budget.snapshot.rendererBytes == 0 && budget.heldBytes == 10 * 1024)
    let long = try CacheSample.image(frames: 400, shift: 3)
    let part = cache(long, FrameBudget(limit: CacheSample.byteCount(long, frames: 5)))
    func renderer(_ cache: PlayerFrames, _ playhead: Playhead, _ request: Int) -> Int64 {
      cache.move(to: playhead, request: request)
      return Int64(cache.statistics.residentBytes) - Int64(cache.statistics.residentFrames) * 1024
    }
    #expect(
      renderer(part, Playhead(frame: 2, range: 0..<400, nextDue: 1), 1) >= image.rendererBytes(size: nil))
    #expect(part.frame(at: 2) != nil)
    var end = Playhead(frame: 2, range: 0..<400)
    #expect(renderer(part, end, 2) > 0, "a pause may be short")
    end.isFinished = true
    #expect(renderer(part, end, 3) == 0)
    #expect(renderer(part, Playhead(frame: 3, range: 0..<400, nextDue: 1), 4) > 0)
    part.move(to: Playhead(frame: 3, range: 0..<400, visibility: .hidden), request: 5)
    #expect(Int64(part.statistics.residentBytes) == Int64(part.statistics.residentFrames) * 1024)
  }

  @Test("The snapshot says whether the animations need more than the limit")
  func overLimit() throws {
    let images = try (0..<3).map { try CacheSample.image(frames: 9, shift: $0) }
    let floor = CacheSample.byteCount(images[0], frames: 2)
    let budget = FrameBudget(limit: 2 * floor)
    var caches: [PlayerFrames] = []
    for (number, image) in images.enumerated() {
      caches.append(cache(image, budget, readAhead: 1))
      caches[number].move(to: Playhead(frame: 0, range: 0..<9, nextDue: 1), request: 1)
      #expect(budget.snapshot.floorBytes == Int64(number + 1) * floor)
      #expect(budget.snapshot.isOverLimit == (number == 2))
    }
    #expect(budget.snapshot.description.contains("over the limit"))
    caches[0].move(to: Playhead(frame: 0, range: 0..<9, visibility: .hidden), request: 2)
    #expect(!budget.snapshot.isOverLimit)
    #expect(!budget.snapshot.description.contains("over the limit"))
  }

  @Test("The snapshot says what each store holds, and its sums agree")
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
    #expect(
      snapshot.frameBytes + snapshot.rendererBytes + snapshot.compressedBytes
        == snapshot.heldBytes)
    #expect(snapshot.animationCount == 2 && !snapshot.isOverLimit)
    #expect(snapshot.peakBytes == budget.peakBytes)
    #expect(snapshot.decisions.count == 2)
    #expect(snapshot.decisions.allSatisfy { $0.reason == .demand && $0.before == 0 && $0.after > 0 })
    #expect(caches[1].map.tiers == Array(repeating: .hot, count: 5))
  }

  @Test("Pressure shrinks what is given out at once, keeps what is shown, and passes in steps")
  func pressure() throws {
    let image = try CacheSample.image(frames: 12)
    let budget = FrameBudget(limit: CacheSample.byteCount(image, frames: 12) + 20 * 1024)
    let (seen, hidden) = (cache(image, budget), cache(try CacheSample.image(frames: 12, shift: 3), budget))
    hidden.move(to: Playhead(frame: 5, range: 0..<12), request: 1)
    hidden.move(to: Playhead(frame: 5, range: 0..<12, visibility: .hidden), request: 2)
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

  @Test("A budget that stops following the machine's pressure recovers at once")
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
