import EngineSupport
import GIFCaching
import GIFDecoding
import GIFPlayback
import GIFTestSupport
import GIFTimeline
import Testing

/// Lets the only thread of a pool decode on command only.
private final class DecoderGate: DecodeClient {
  private struct State {
    var isOpen = false
    var entered = 0
  }

  private let monitor = Monitor(State())
  private let pool: DecodePool

  /// A gate that is closed.
  init(_ pool: DecodePool) {
    self.pool = pool
    close()
  }

  /// Lets the pool do all that is in its queue, then holds it up. Returns when it is held up.
  func letThrough() {
    monitor.withLock { $0.isOpen = true }
    monitor.broadcast()
    close()
  }

  private func close() {
    let before = monitor.withLock { $0.entered }
    pool.submit(self, PoolTurn(urgency: .max, ticket: 1))
    monitor.waitingWithLock { $0.entered > before ? .done(()) : .wait(until: nil) }
  }

  func decodeNext(_ ticket: Int) -> PoolTurn? {
    monitor.withLock { state in
      state.entered += 1
      state.isOpen = false
    }
    monitor.broadcast()
    monitor.waitingWithLock { $0.isOpen ? .done(()) : .wait(until: nil) }
    return nil
  }

  func open() {
    monitor.withLock { $0.isOpen = true }
    monitor.broadcast()
  }
}

@Suite("GIFPlayer: real speed at every budget", .timeLimit(.minutes(20)))
struct GIFPlayerBudgetTests {
  /// Ten frames, three seconds.
  private static let delays = [10, 20, 30, 40, 50, 30, 30, 30, 30, 30]

  private func player(
    _ stage: Stage, _ image: GIFImage, _ budget: FrameBudget, pool: DecodePool = .inline,
    mode: PlaybackMode = .forward
  ) -> GIFPlayer {
    var options = GIFPlayer.Options()
    options.budget = budget
    options.mode = mode
    options.loopCount = .forever
    return GIFPlayer(image, options: options, clock: stage.clock, pool: pool)
  }

  /// When each frame of a loop is due.
  private static let starts: [Duration] = delays.indices.map { index in
    .milliseconds(delays[..<index].reduce(0, +) * 10)
  }

  @Test("A loop of 3.0 s takes 3.0 s with any budget, every frame at its time", arguments: 0..<14)
  func everyBudget(pictures: Int) throws {
    let image = try Sample.image(delays: Self.delays)
    let stage = Stage()
    let limit = pictures == 0 ? 0 : image.rendererBytes(size: nil) + Int64(pictures) * 6 * 4 * 4
    let budget = FrameBudget(limit: limit)
    let player = player(stage, image, budget)
    let log = EventLog(player)
    player.play()
    stage.run(to: .seconds(9))
    #expect(log.frames == (0..<30).map { $0 % 10 } + [0])
    for (number, change) in log.changes.enumerated() {
      #expect(change.shownAt - Stage.start == .seconds(3 * (number / 10)) + Self.starts[number % 10])
      #expect(change.lateness == .zero)
      #expect(change.skippedFrames == 0)
    }
    #expect(log.loops.map(\.count) == [1, 2, 3])
    let floor = image.rendererBytes(size: nil) + 2 * 6 * 4 * 4 + Int64(image.metadata.byteCount)
    #expect(budget.peakBytes <= max(limit, floor))
  }

  @Test("Many players at different places of one GIF, and paused ones, share two frames at real speed")
  func spread() throws {
    let image = try Sample.image(delays: Self.delays)
    let stage = Stage()
    let budget = FrameBudget(limit: 0)
    let players = (0..<12).map { number in
      player(stage, image, budget, mode: [.forward, .reverse, .bounce][number % 3])
    }
    let logs = players.map { EventLog($0) }
    for (number, player) in players.enumerated() {
      player.seek(toFrame: number % 10)
      if number % 4 != 3 { player.play() }
    }
    stage.run(to: .seconds(30))
    for (number, log) in logs.enumerated() {
      #expect(log.changes.allSatisfy { $0.lateness == .zero && $0.skippedFrames == 0 })
      if number % 4 != 3 {
        #expect(players[number].position > .seconds(29))
        #expect(log.changes.count > 80)
      } else {
        #expect(log.changes.count == 1)
      }
    }
    let floor = image.rendererBytes(size: nil) + 2 * 6 * 4 * 4 + Int64(image.metadata.byteCount)
    #expect(budget.peakBytes <= floor)
  }

  @Test("Pressure changes neither the speed nor the events")
  func pressure() throws {
    func events(_ level: MemoryPressure.Level?) throws -> [String] {
      let image = try Sample.image(delays: Self.delays)
      let stage = Stage()
      let budget = FrameBudget(limit: 1 << 20)
      let players = [PlaybackMode.forward, .reverse, .bounce].map { player(stage, image, budget, mode: $0) }
      defer { withExtendedLifetime(players) {} }
      let logs = players.map { EventLog($0) }
      for player in players { player.play() }
      var random = SeededGenerator(seed: 5)
      for tenth in 1...120 {
        stage.run(to: .milliseconds(100 * tenth))
        guard let level else { continue }
        let now = Int64(tenth) * 100_000_000
        _ = budget.follow(
          tenth % 17 == 0 ? level : .normal, at: now, chance: .random(in: 0..<1, using: &random))
        if tenth % 17 == 0 { #expect(budget.snapshot.pressure == level) }
      }
      return logs.flatMap { log in
        log.text + log.changes.map { "\($0.shownAt.nanoseconds) \($0.lateness) \($0.skippedFrames)" }
      }
    }
    let calm = try events(nil)
    #expect(calm.count > 200)
    #expect(try events(.warning) == calm)
    #expect(try events(.critical) == calm)
  }

  @Test(
    "A slow decoder costs skipped frames and lateness, never speed",
    arguments: [150, 350, 900])
  func slowDecoder(period: Int) throws {
    let image = try Sample.image(delays: Array(repeating: 10, count: 30))
    let stage = Stage()
    let pool = DecodePool(threadCount: 1)
    let gate = DecoderGate(pool)
    defer { gate.open() }
    let player = player(stage, image, FrameBudget(limit: 0), pool: pool)
    let log = EventLog(player)
    player.play()
    gate.letThrough()
    let first = try #require(log.changes.first)
    #expect(first.shownAt == Stage.start)
    var time = 0
    while time < 9_000 {
      // The decoder gets its chance at these instants only.
      time += period
      stage.run(to: .milliseconds(time))
      gate.letThrough()
      #expect(player.position == .milliseconds(time))
    }
    let changes = log.changes
    #expect(changes.count > 9_000 / period / 2)
    // Two frames last over 200 ms; if the decoder rests for longer, some are skipped.
    #expect((changes.map(\.skippedFrames).reduce(0, +) > 0) == (period > 200))
    var step = -1
    for change in changes {
      step += 1 + change.skippedFrames
      #expect(change.currentFrameIndex == step % 30)
      #expect(change.loop == step / 30)
      // It was due by the schedule, whatever came late before it.
      #expect(change.scheduledAt - Stage.start == .milliseconds(100 * step))
      #expect(change.lateness == change.shownAt - change.scheduledAt)
      #expect(change.lateness <= .milliseconds(2 * period + 100))
    }
    #expect(step >= 9_000 / 100 - 2 * period / 100 - 2)
  }

  @Test("Real pressure, as simulated for the process, leaves a player at its speed and passes")
  func simulated() throws {
    let image = try Sample.image(delays: Self.delays)
    let stage = Stage()
    let budget = FrameBudget(limit: 1 << 20)
    budget.followsMemoryPressure = true
    let player = player(stage, image, budget)
    let log = EventLog(player)
    player.play()
    stage.run(to: .seconds(1))
    MemoryPressure.simulate(.critical)
    #expect(budget.snapshot.pressure == .critical)
    stage.run(to: .seconds(6))
    #expect(log.changes.allSatisfy { $0.lateness == .zero && $0.skippedFrames == 0 })
    #expect(log.loops.map(\.count) == [1, 2])
    budget.followsMemoryPressure = false
    #expect(budget.snapshot.pressure == .normal)
  }
}
