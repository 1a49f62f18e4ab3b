import EngineSupport
import GIFCaching
import GIFDecoding
import GIFTestSupport
import GIFTimeline
import Testing

/// A player as the cache sees one: it looks, moves on, waits, and looks again when it is notified of an
/// arrival.
private final class Watcher: Sendable {
  struct State: Sendable {
    var frame = 0
    /// The frame that it looked for in vain.
    var wanted: Int?
    var request = 0
    /// Where it stands; nil before it has begun.
    var playhead: Playhead?
    var visibility = Visibility.visible
    var direction = Playhead.Direction.forward
    var range: Range<Int>
    /// Notifications while it waited for nothing.
    var needless = 0
    var wrong = 0
  }

  let cache: PlayerFrames
  let place: Int
  let state: Lock<State>
  private let onChange: @Sendable () -> Void

  init(_ cache: PlayerFrames, place: Int, onChange: @escaping @Sendable () -> Void = {}) {
    self.cache = cache
    self.place = place
    self.onChange = onChange
    state = Lock(State(range: 0..<cache.image.frameCount))
    cache.onArrival { [weak self] _ in self?.arrived() }
  }

  private func arrived() {
    state.withLock { state in
      if let wanted = state.wanted { look(wanted, &state) } else { state.needless += 1 }
    }
    onChange()
  }

  /// Under the lock, as players look: a look that is overtaken by a newer one would have the cache wait for
  /// the wrong frame.
  private func look(_ frame: Int, _ state: inout State) {
    let found = cache.frame(at: frame)
    if let found, found.index != frame { state.wrong += 1 }
    state.wanted = found == nil ? frame : nil
  }

  /// Goes to a frame, at an instant of the players' clock.
  func go(to frame: Int, now: Int64, isPaused: Bool = false) {
    move { state in
      state.frame = frame
      look(frame, &state)
      return Playhead(
        frame: frame, direction: state.direction, range: state.range,
        nextDue: isPaused ? nil : now + 100_000_000)
    }
  }

  private func move(_ change: (inout State) -> Playhead?) {
    let (playhead, request) = state.withLock { state -> (Playhead?, Int) in
      state.playhead = change(&state)
      state.playhead?.visibility = state.visibility
      state.request += 1
      return (state.playhead, state.request)
    }
    if let playhead { cache.move(to: playhead, request: request) }
  }

  /// Ends playback at a frame.
  func finish(at frame: Int) {
    move { state in
      state.frame = frame
      look(frame, &state)
      var playhead = Playhead(frame: frame, direction: state.direction, range: state.range)
      playhead.isFinished = true
      return playhead
    }
  }

  func show(_ visibility: Visibility) {
    move { state in
      state.visibility = visibility
      return state.playhead
    }
  }

  /// Whether it waits for a frame that it is to be given.
  var isWaiting: Bool {
    state.withLock { $0.wanted != nil && $0.visibility != .hidden && $0.request > 0 }
  }

  var isServed: Bool { state.withLock { $0.visibility != .hidden && $0.request > 0 } }
}

/// Any number of players of mixed sizes on one budget, and what may happen to them.
private struct Stage {
  let budget: FrameBudget
  let pool: DecodePool
  let images: [(image: GIFImage, size: PixelSize?, floor: Int64)]
  var random: SeededGenerator
  var watchers: [Watcher] = []
  var now: Int64 = 1_000_000_000
  var bounds: [Int64] = [0]
  let onChange: @Sendable () -> Void

  init(seed: UInt64, pool: DecodePool, onChange: @escaping @Sendable () -> Void = {}) throws {
    random = SeededGenerator(seed: seed)
    self.pool = pool
    self.onChange = onChange
    var images: [(GIFImage, PixelSize?, Int64)] = []
    for number in 0..<Int.random(in: 1...6, using: &random) {
      let frames = [1, 2, 5, 12, 30][Int.random(in: 0..<5, using: &random)]
      let image = try CacheSample.image(
        frames: frames, side: .random(in: 8...40, using: &random), shift: number)
      let size = Bool.random(using: &random) ? nil : PixelSize(width: 5, height: 9)
      images.append((image, size, CacheSample.byteCount(image, frames: min(2, frames), size: size)))
    }
    self.images = images
    budget = FrameBudget(limit: 1 << 16)
  }

  /// What playback cannot do without.
  var floors: Int64 {
    let served = Set(watchers.filter(\.isServed).map(\.place))
    return served.reduce(0) { $0 + images[$1].floor }
  }

  mutating func step() {
    now += Int64.random(in: 1...200_000_000, using: &random)
    guard !watchers.isEmpty, Int.random(in: 0..<40, using: &random) > 0 else { return add() }
    let place = Int.random(in: 0..<watchers.count, using: &random)
    let watcher = watchers[place]
    let count = watcher.cache.image.frameCount
    switch Int.random(in: 0..<40, using: &random) {
    case 0...22:
      let (frame, direction) = watcher.state.withLock { ($0.frame, $0.direction) }
      watcher.go(to: (frame + (direction == .reverse ? count - 1 : 1)) % count, now: now)
    case 23...28: watcher.go(to: .random(in: 0..<count, using: &random), now: now)
    case 29: watcher.go(to: .random(in: 0..<count, using: &random), now: now, isPaused: true)
    case 30...31:
      let direction = CacheSample.directions[Int.random(in: 0..<4, using: &random)]
      watcher.state.withLock { $0.direction = direction }
    case 32...34: watcher.show([.hidden, .near, .visible][Int.random(in: 0..<3, using: &random)])
    case 35:
      let limits: [Int64] = [0, 1 << 12, 1 << 14, 1 << 16, 1 << 20]
      budget.limit = limits[Int.random(in: 0..<5, using: &random)]
    case 36:
      let level: MemoryPressure.Level = Bool.random(using: &random) ? .warning : .critical
      _ = budget.follow(level, at: now, chance: .random(in: 0..<1, using: &random))
    case 37: _ = budget.follow(.normal, at: now + 1_000_000_000_000, chance: 0.5)
    case 38:
      // Playback is over, and may begin again.
      watcher.finish(at: count - 1)
    default: watchers.remove(at: place)
    }
  }

  private mutating func add() {
    for _ in 0..<Int.random(in: 1...(watchers.count < 20 ? 12 : 60), using: &random)
    where watchers.count < 200 {
      let place = Int.random(in: 0..<images.count, using: &random)
      let policy = CachePolicy(
        readAhead: .milliseconds(.random(in: 0...900, using: &random)),
        readAheadFrames: .random(in: 0...9, using: &random),
        preload: [.none, .all, .frames(4)][Int.random(in: 0..<3, using: &random)])
      let cache = PlayerFrames(
        images[place].image, size: images[place].size, policy: policy, budget: budget, pool: pool)
      let watcher = Watcher(cache, place: place, onChange: onChange)
      watchers.append(watcher)
      watcher.go(to: .random(in: 0..<cache.image.frameCount, using: &random), now: now)
    }
  }
}

@Suite("FrameBudget: any schedule of any players", .timeLimit(.minutes(20)))
struct SharedBudgetTests {
  @Test(
    "Without threads no budget is exceeded, every wanted frame comes, and no notification is needless",
    arguments: 0..<24
  )
  func inline(seed: UInt64) throws {
    var stage = try Stage(seed: seed, pool: .inline)
    var bound = max(stage.budget.limit, stage.floors)
    for round in 0..<250 {
      let before = max(stage.budget.limit, stage.floors)
      stage.step()
      let after = max(stage.budget.limit, stage.floors)
      bound = max(bound, before, after)
      let note = Comment("seed \(seed) round \(round)")
      let held = stage.budget.heldBytes
      try #require(held <= after, note)
      try #require(stage.budget.peakBytes <= bound, note)
      let snapshot = stage.budget.snapshot
      try #require(snapshot.stores.reduce(0) { $0 + $1.store.heldBytes } == held, note)
      try #require(snapshot.stores.allSatisfy { $0.store.heldBytes <= $0.grant }, note)
      try #require(stage.watchers.allSatisfy { !$0.isWaiting }, note)
      try #require(stage.watchers.allSatisfy { $0.state.withLock { $0.needless } == 0 }, note)
      try #require(stage.watchers.allSatisfy { $0.state.withLock { $0.wrong } == 0 }, note)
    }
    stage.watchers = []
    #expect(stage.budget.heldBytes == 0)
    #expect(stage.budget.snapshot.stores.isEmpty)
  }

  @Test("On two threads no budget is exceeded, and every wanted frame comes", arguments: 0..<12)
  func threads(seed: UInt64) throws {
    let changes = Monitor(0)
    let wake: @Sendable () -> Void = {
      changes.withLock { $0 += 1 }
      changes.broadcast()
    }
    var stage = try Stage(seed: seed, pool: DecodePool(threadCount: 2), onChange: wake)
    // A store that has just lost its players may still decode, so all floors count.
    let floors = stage.images.reduce(0) { $0 + $1.floor }
    var most = stage.budget.limit
    for _ in 0..<400 {
      stage.step()
      most = max(most, stage.budget.limit)
    }
    // Every arrival wakes this thread.
    for watcher in stage.watchers {
      changes.waitingWithLock { _ -> MonitorStep<Void> in watcher.isWaiting ? .wait(until: nil) : .done(()) }
    }
    #expect(stage.budget.peakBytes <= max(most, floors))
    #expect(stage.watchers.allSatisfy { $0.state.withLock { $0.wrong == 0 } })
  }
}
