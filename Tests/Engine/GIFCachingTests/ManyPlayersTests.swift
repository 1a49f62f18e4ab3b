import EngineSupport
import GIFDecoding
import GIFTestSupport
import GIFTimeline
import Testing

@testable import GIFCaching

@Suite("Many players of one GIF: what one costs does not grow with their number")
struct ManyPlayersTests {
  private func cache(_ image: GIFImage, _ budget: FrameBudget) -> PlayerFrames {
    PlayerFrames(image, policy: CacheSample.policy(readAhead: 1), budget: budget, pool: .inline)
  }

  @Test("Players that start, hide, change their speed and leave are examined alone")
  func comings() throws {
    let image = try CacheSample.image(frames: 2)
    let budget = FrameBudget(limit: 1 << 24)
    let count = 400
    var caches = (0..<count).map { _ in cache(image, budget) }
    let store = budget.store(for: image, sizing: .canvas, pool: .inline)
    for (place, cache) in caches.enumerated() {
      cache.move(to: Playhead(frame: place % 2, range: 0..<2, nextDue: 1_000), request: 1)
    }
    #expect(store.snapshot.decodedFrames == 2)
    for cache in caches {
      cache.move(to: Playhead(frame: 0, range: 0..<2, nextDue: 1_000, rate: 2), request: 2)
      cache.move(
        to: Playhead(frame: 0, range: 0..<2, nextDue: 1_000, rate: 2, visibility: .near), request: 3)
    }
    for cache in caches.dropLast() {
      cache.move(
        to: Playhead(frame: 0, range: 0..<2, nextDue: 1_000, rate: 2, visibility: .hidden), request: 4)
    }
    caches.removeFirst(count - 1)
    #expect(store.snapshot.players == 1)
    // Each for itself, five times; all of them only where the plan has changed, which it does a few times.
    #expect(store.state.withLock { $0.examinedPlayers } <= 16 * count)
    // The last one is served as ever.
    caches[0].move(to: Playhead(frame: 1, range: 0..<2, nextDue: 1_000), request: 4)
    #expect(caches[0].frame(at: 1) != nil)
  }

  @Test(
    "The frame of a player that leaves or hides makes room for another's at once", arguments: [false, true])
  func room(isHidden: Bool) throws {
    let image = try CacheSample.image(frames: 40)
    let budget = FrameBudget(limit: CacheSample.byteCount(image, frames: 2))
    var first: PlayerFrames? = cache(image, budget)
    let second = cache(image, budget)
    first?.move(to: Playhead(frame: 0, range: 0..<40, nextDue: 1_000), request: 1)
    // The next frame of the first goes for it, and its own next one has no room.
    second.move(to: Playhead(frame: 20, range: 0..<40, nextDue: 2_000), request: 1)
    #expect((0..<40).filter { second.peek(at: $0) != nil } == [0, 20])
    if isHidden {
      first?.move(to: Playhead(frame: 0, range: 0..<40, nextDue: 1_000, visibility: .hidden), request: 2)
    } else {
      first = nil
    }
    #expect((0..<40).filter { second.peek(at: $0) != nil }.contains(21))
  }

  @Test("A plan that stays the same leaves nothing new to decode; one that changes may")
  func plans() {
    var rig = StateRig(frames: 9, hot: 5)
    let id = rig.add(readAhead: 8)
    func apply(_ hot: Int, decodes: Bool = true) -> Bool {
      rig.state.apply(TierPlan(hotFrames: hot, warmBytes: 0, checkpointBytes: 0, decodes: decodes))
    }
    rig.move(id, to: 0)
    let changes = [apply(5), apply(6), apply(6), apply(6, decodes: false), apply(6)]
    #expect(changes == [false, true, false, true, true])
    _ = rig.decodeAll()
    // A larger renderer is decoded with only once the budget knows of it.
    let durations = Array(repeating: Int64(1), count: 9)
    rig.state.grow(
      to: StateRig.costs(9, renderer: 200), changed: nil, durations: durations, of: id, isComplete: true)
    let grown = [apply(6), apply(6)]
    #expect(grown == [true, false])
  }

  @Test("An older grant that comes late is ignored")
  func oldGrant() {
    var rig = StateRig(frames: 9)
    let id = rig.add(readAhead: 8)
    rig.move(id, to: 0)
    _ = rig.decodeAll()
    let changes = [
      rig.state.apply(grant: 130, serial: 7), rig.state.apply(grant: 1 << 20, serial: 6),
      rig.state.apply(grant: 130, serial: 7),
    ]
    #expect(changes == [true, false, false])
    #expect(rig.state.held.hotCount == 3)
  }

  @Test("Demands are numbered in the order in which they were made")
  func demands() {
    var rig = StateRig(frames: 9)
    let id = rig.add()
    let before = rig.state.nextDemand()
    rig.move(id, to: 0)
    let after = rig.state.nextDemand()
    #expect(before.serial < after.serial)
    #expect(before.demand.floor == 0 && after.demand.floor == 120)
  }
}
