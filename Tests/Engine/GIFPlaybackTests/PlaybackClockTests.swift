import GIFCaching
import GIFTimeline
import Synchronization
import Testing

@testable import GIFPlayback

@Suite("PlaybackClock, moved by hand")
struct PlaybackClockTests {
  /// A clock, its time, and the names of the players that were woken.
  private final class Bench: Sendable {
    let time = ManualTime(start: PlaybackInstant(nanoseconds: 1_000))
    let clock: PlaybackClock
    private let log = Mutex<[String]>([])

    init() { clock = PlaybackClock(drivenWith: time.now) }

    func player(_ name: String, _ more: @escaping @Sendable () -> Void = {}) -> PlaybackClock.PlayerID {
      let player = clock.register()
      clock.attach(player) { [unowned self] _ in
        log.withLock { $0.append(name) }
        more()
      }
      return player
    }

    @discardableResult
    func schedule(_ player: PlaybackClock.PlayerID, _ nanoseconds: Int64?) -> Bool {
      clock.schedule(player, at: nanoseconds.map { PlaybackInstant(nanoseconds: $0) }) == .passed
    }

    func tick(at nanoseconds: Int64) -> [String] {
      time.move(to: PlaybackInstant(nanoseconds: nanoseconds))
      clock.tick()
      return log.withLock { names in
        defer { names = [] }
        return names
      }
    }
  }

  @Test("Players are woken in the order of their deadlines, those due together at once")
  func order() {
    let bench = Bench()
    let (a, b, c) = (bench.player("a"), bench.player("b"), bench.player("c"))
    bench.schedule(a, 3_000)
    bench.schedule(b, 2_000)
    bench.schedule(c, 2_500)
    #expect(bench.clock.nextDeadline?.nanoseconds == 2_000)
    #expect(bench.tick(at: 1_999) == [])
    #expect(bench.clock.wakeUps == 0)
    #expect(bench.tick(at: 2_000) == ["b"])
    #expect(bench.clock.wakeUps == 1)
    #expect(bench.tick(at: 9_000) == ["c", "a"])
    #expect(bench.clock.wakeUps == 2)
    #expect(bench.clock.nextDeadline == nil)
    #expect(bench.tick(at: 99_000) == [])
    #expect(bench.clock.wakeUps == 2)
  }

  @Test("Every player has a number of its own")
  func numbers() {
    let clock = Bench().clock
    #expect(Set((0..<100).map { _ in clock.register() }).count == 100)
  }

  @Test("A deadline wakes once")
  func once() {
    let bench = Bench()
    let player = bench.player("a")
    bench.schedule(player, 1_500)
    #expect(bench.tick(at: 1_500) == ["a"])
    #expect(bench.tick(at: 1_500) == [])
    #expect(bench.tick(at: 5_000) == [])
  }

  @Test("A deadline in the past is due at the next tick")
  func past() {
    let bench = Bench()
    let player = bench.player("a")
    bench.schedule(player, 10)
    #expect(bench.tick(at: 1_000) == ["a"])
  }

  @Test("A deadline that a tick has passed is known as such, and stays for the next tick")
  func passed() {
    let bench = Bench()
    let player = bench.player("a")
    #expect(!bench.schedule(player, 500))
    #expect(bench.tick(at: 2_000) == ["a"])
    #expect(!bench.schedule(player, 2_001))
    #expect(!bench.schedule(player, nil))
    #expect(bench.schedule(player, 2_000))
    #expect(bench.tick(at: 2_000) == ["a"])
  }

  @Test("A player whose deadline a tick passes while it is at the time before loses no frame")
  func tickDuringATick() throws {
    let time = SteppingTime()
    let clock = PlaybackClock(drivenWith: time.now)
    let image = try Sample.image(delays: [10, 10, 10])
    let player = GIFPlayer(image, options: GIFPlayer.Options(), clock: clock, pool: .inline)
    let log = EventLog(player)
    player.play()
    player.pause()
    // The player reads the old time, then another thread's tick comes before it has set its deadline.
    time.afterNextRead { [clock] time in
      time.advance(by: .milliseconds(100))
      clock.tick()
    }
    player.play()
    #expect(log.changes.map(\.currentFrameIndex) == [0, 1])
    #expect(log.changes.last?.lateness == .zero)
  }

  @Test("A player that has no deadline any more, or is gone, is not woken")
  func unregister() {
    let bench = Bench()
    let (a, b, c) = (bench.player("a"), bench.player("b"), bench.player("c"))
    for player in [a, b, c] { bench.schedule(player, 2_000) }
    bench.schedule(a, nil)
    bench.clock.unregister(b)
    #expect(bench.tick(at: 2_000) == ["c"])
    bench.schedule(b, 3_000)
    #expect(bench.clock.nextDeadline == nil)
    #expect(bench.tick(at: 4_000) == [])
    #expect(bench.clock.wakeUps == 1)
  }

  @Test("A player that was never attached gets no deadline")
  func unattached() {
    let bench = Bench()
    bench.schedule(bench.clock.register(), 2_000)
    #expect(bench.clock.nextDeadline == nil)
  }

  @Test("A player sets its next deadline while it is woken")
  func reschedule() {
    let bench = Bench()
    let number = Mutex(0)
    let player = bench.player("a") { [unowned bench] in
      let player = number.withLock { $0 }
      bench.schedule(player, bench.clock.now.nanoseconds + 100)
    }
    number.withLock { $0 = player }
    bench.schedule(player, 1_100)
    for round in 1...50 {
      #expect(bench.tick(at: 1_000 + Int64(round) * 100) == ["a"])
      #expect(bench.clock.nextDeadline?.nanoseconds == 1_100 + Int64(round) * 100)
    }
    #expect(bench.clock.wakeUps == 50)
    // A deadline set for now waits for the next tick: a tick always ends.
    bench.schedule(player, 1)
    #expect(bench.tick(at: 6_050) == ["a"])
  }

  @Test("A player may leave, and take another along, while it is woken")
  func leaveInside() {
    let bench = Bench()
    let numbers = Mutex<[PlaybackClock.PlayerID]>([])
    let leave: @Sendable () -> Void = { [unowned bench] in
      for player in numbers.withLock({ $0 }) { bench.clock.unregister(player) }
    }
    let players = [bench.player("a", leave), bench.player("b")]
    numbers.withLock { $0 = players }
    bench.schedule(players[0], 2_000)
    bench.schedule(players[1], 3_000)
    #expect(bench.tick(at: 2_500) == ["a"])
    #expect(bench.clock.nextDeadline == nil)
    #expect(bench.tick(at: 3_500) == [])
  }

  @Test("Many players at the same instants count as one wake-up each")
  func coalesced() {
    let bench = Bench()
    let players = (0..<200).map { bench.player("\($0)") }
    for round in Int64(1)...5 {
      for player in players { bench.schedule(player, 1_000 + round * 40) }
      #expect(bench.tick(at: 1_000 + round * 40).count == 200)
    }
    #expect(bench.clock.wakeUps == 5)
  }

  @Test("A tick for the instant of the next refresh shows what is due then; time does not run back after it")
  func tickAhead() throws {
    let stage = Stage()
    let player = stage.player(try Sample.image(delays: [10, 10, 10]))
    let log = EventLog(player)
    player.play()
    stage.time.advance(by: .milliseconds(90))
    stage.clock.tick(at: Stage.start + .milliseconds(99))
    #expect(log.frames == [0])
    stage.clock.tick(at: Stage.start + .milliseconds(106))
    #expect(log.frames == [0, 1])
    #expect(log.changes.last?.shownAt == Stage.start + .milliseconds(106))
    #expect(stage.clock.now == Stage.start + .milliseconds(106))
    stage.clock.tick(at: Stage.start)
    player.pause()
    #expect(player.position == .milliseconds(106))
    stage.time.advance(by: .seconds(1))
    #expect(stage.clock.now == Stage.start + .milliseconds(1_090))
    #expect(stage.clock.wakeUps == 1)
  }

  @Test("The tolerance is clipped to its bounds")
  func tolerance() {
    #expect(PlaybackClock(tolerance: .milliseconds(3)).tolerance == .milliseconds(3))
    #expect(PlaybackClock(tolerance: .seconds(-1)).tolerance == .zero)
    #expect(PlaybackClock(tolerance: .seconds(Int64.max)).tolerance == .milliseconds(100))
    #expect(PlaybackClock(drivenWith: ManualTime().now).tolerance == .zero)
  }
}

/// A time that is moved by what a test does right after it has been read once.
private final class SteppingTime: Sendable {
  private let time = ManualTime(start: PlaybackInstant(nanoseconds: 1_000))
  private let step = Mutex<(@Sendable (ManualTime) -> Void)?>(nil)

  func afterNextRead(_ body: @escaping @Sendable (ManualTime) -> Void) {
    step.withLock { $0 = body }
  }

  func now() -> PlaybackInstant {
    let now = time.now()
    let body = step.withLock { $0.take() }
    body?(time)
    return now
  }
}
