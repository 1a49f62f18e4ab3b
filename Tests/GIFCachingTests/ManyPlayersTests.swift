import EngineSupport
import GIFDecoding
import GIFTestSupport
import GIFTimeline
import Testing

@testable import GIFCaching

@Suite("Many players of one GIF: what one costs does not grow with their number")
struct ManyPlayersTests {
  private func client(_ image: GIFImage) -> StoreClient {
    StoreClient(
      frameCount: image.frameCount, durations: Array(repeating: 100_000_000, count: image.frameCount),
      policy: CacheSample.policy(readAhead: 1))
  }

  @Test("Players that start, hide, change their speed and leave are asked alone")
  func comings() throws {
    let image = try CacheSample.image(frames: 2)
    let budget = FrameBudget(limit: 1 << 24)
    let store = budget.store(for: image, size: nil, pool: .inline)
    let count = 400
    let ids = (0..<count).map { _ in store.attach(client(image)) }
    for (place, id) in ids.enumerated() {
      store.move(id, to: Playhead(frame: place % 2, range: 0..<2, nextDue: 1_000), request: 1)
    }
    #expect(store.snapshot.decodedFrames == 2)
    for id in ids {
      store.move(id, to: Playhead(frame: 0, range: 0..<2, nextDue: 1_000, rate: 2), request: 2)
      store.setVisibility(.near, of: id)
    }
    for id in ids.dropLast() {
      store.setVisibility(.hidden, of: id)
      store.detach(id)
    }
    // Each for itself, five times; all of them only where the plan has changed, which it does a few times.
    #expect(store.state.withLock { $0.totals.askedPlayers } <= 16 * count)
    // The last one is served as ever.
    store.purge(ids[count - 1])
    store.move(ids[count - 1], to: Playhead(frame: 1, range: 0..<2, nextDue: 1_000), request: 3)
    #expect(store.frame(at: 1, for: ids[count - 1]) != nil)
  }

  @Test("The picture of who leaves or is purged makes room for another's at once", arguments: [false, true])
  func room(isPurge: Bool) throws {
    let image = try CacheSample.image(frames: 40)
    let budget = FrameBudget(limit: CacheSample.byteCount(image, pictures: 2))
    let store = budget.store(for: image, size: nil, pool: .inline)
    let (first, second) = (store.attach(client(image)), store.attach(client(image)))
    store.move(first, to: Playhead(frame: 0, range: 0..<40, nextDue: 1_000), request: 1)
    // The next picture of the first goes for it, and its own next one has no room.
    store.move(second, to: Playhead(frame: 20, range: 0..<40, nextDue: 2_000), request: 1)
    #expect((0..<40).filter { store.peek(at: $0) != nil } == [0, 20])
    if isPurge { store.purge(first) } else { store.detach(first) }
    #expect((0..<40).filter { store.peek(at: $0) != nil }.contains(21))
  }

  @Test("Without room a frame that many miss is looked at once, and nothing after the first that is needed")
  func ranks() {
    var asked: [Int] = []
    func first(_ frames: [Int], before limit: Int, _ ranks: [Int: Int]) -> Int? {
      asked = []
      return frames.firstNeeded(before: limit) { frame in
        asked.append(frame)
        return ranks[frame] ?? .max
      }
    }
    let many = (0..<900).map { $0 % 3 }
    #expect(first(many, before: 5, [0: 9, 1: 5, 2: 7]) == nil)
    #expect(asked == [0, 1, 2])
    #expect(first(many, before: 6, [0: 9, 1: 5, 2: 7]) == 1)
    #expect(asked == [0, 1])
    #expect(first([], before: 6, [:]) == nil)
  }

  @Test("A plan that stays the same leaves nothing new to decode; one that changes may")
  func plans() {
    var rig = StateRig(frames: 9, hot: 5)
    let id = rig.add(readAhead: 8)
    func apply(_ hot: Int, decodes: Bool = true) -> Bool {
      rig.state.apply(TierPlan(hotFrames: hot, warmBytes: 0, checkpointBytes: 0, decodes: decodes))
    }
    rig.move(id, to: 0)
    let told = [apply(5), apply(6), apply(6), apply(6, decodes: false), apply(6)]
    #expect(told == [false, true, false, true, true])
    _ = rig.decodeAll()
    // A larger renderer is decoded with only once the budget knows of it.
    let larger = StoreShape(
      frameCount: 9, frameBytes: 10, rendererBytes: 200, planeBytes: 27, canvasBytes: 10)
    rig.state.grow(to: larger, changed: nil, durations: Array(repeating: 1, count: 9), of: id)
    let grown = [apply(6), apply(6)]
    #expect(grown == [true, false])
  }

  @Test("The audience is that of all players, whatever they do", arguments: 0..<20)
  func audience(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var rig = StateRig(frames: 40)
    var ids: [StoreClient.ID] = []
    for request in 1...300 {
      let id = ids.randomElement(using: &random)
      switch (Int.random(in: 0..<8, using: &random), id) {
      case (0, _), (_, nil):
        ids.append(
          rig.add(
            policy: CachePolicy(
              readAhead: .milliseconds(.random(in: 0...900, using: &random)),
              readAheadFrames: .random(in: 0...9, using: &random))))
      case (1, let id?):
        rig.state.remove(id)
        ids.removeAll { $0 == id }
      case (2, let id?): rig.state.purge(id)
      case (3...4, let id?):
        _ = rig.state.setVisibility([.hidden, .near, .visible][.random(in: 0..<3, using: &random)], of: id)
      case (5, let id?):
        let durations = Array(repeating: Int64.random(in: 1...200_000_000, using: &random), count: 40)
        rig.state.grow(to: rig.state.shape, changed: nil, durations: durations, of: id)
      case (_, let id?):
        let rates: [Double] = [0.5, 1, 8]
        let rate = rates[.random(in: 0..<3, using: &random)]
        _ = rig.state.move(
          id,
          to: Playhead(
            frame: .random(in: 0..<40, using: &random),
            direction: PlayheadCases.directions[.random(in: 0..<4, using: &random)], range: 0..<40,
            rate: rate),
          request: request)
      }
      #expect(rig.state.audience == plain(rig.state))
    }
  }

  /// The audience of all players, asked one by one.
  private func plain(_ state: StoreState<String, String>) -> StoreAudience {
    let served = state.clients.values.filter(\.isServed)
    var audience = StoreAudience()
    audience.active = served.count
    audience.hidden = state.clients.values.count { $0.isActive && !$0.isServed }
    audience.needed = state.toldNeeded
    audience.readAhead = served.map(\.readAhead).max() ?? 1
    audience.seeksBack = served.contains { $0.seeksBack }
    audience.visibility = served.map(\.visibility).max() ?? .hidden
    return audience
  }
}
