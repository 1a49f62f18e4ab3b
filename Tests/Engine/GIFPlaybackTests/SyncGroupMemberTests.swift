import GIFCaching
import GIFDecoding
import GIFPlayback
import GIFTimeline
import Synchronization
import Testing

@Suite("SyncGroup: members that end, join and leave")
struct SyncGroupMemberTests {
  private let stage = Stage()

  // MARK: Ends

  @Test("Sent back before its end, a member that had finished plays again, with the others")
  func sentBack() throws {
    let group = SyncGroup(clock: stage.clock)
    let (short, long) = (try stage.player([50, 50], plays: 1), try stage.player([30, 70]))
    for player in [short, long] { group.add(player) }
    group.play()
    stage.run(to: .seconds(3))
    #expect(short.state == .finished)
    let log = EventLog(short)
    group.seek(to: .milliseconds(200))
    #expect(short.state == .playing && log.take() == ["seek 0"])
    stage.run(to: .milliseconds(3_250))
    #expect([short, long].map(\.position) == [.milliseconds(450), .milliseconds(450)])
    stage.run(to: .seconds(9))
    #expect(log.take() == ["play 1", "loop! 1", "finish"])

    group.pause()
    group.seek(to: .zero)
    #expect(short.state == .paused && short.position == .zero)
    group.play()
    stage.run(to: .milliseconds(9_300))
    #expect([short, long].map(\.position) == [.milliseconds(300), .milliseconds(300)])
  }

  /// A time that passes each time it is read, as it does for threads.
  private final class CreepingTime: Sendable {
    let time = ManualTime(start: Stage.start)
    let pace = Mutex(Duration.zero)

    func now() -> PlaybackInstant {
      defer { time.advance(by: pace.withLock { $0 }) }
      return time.now()
    }
  }

  @Test("A member that ends between a group's pause and its own ends once")
  func endsDuringPause() throws {
    let time = CreepingTime()
    let clock = PlaybackClock(drivenWith: time.now)
    let group = SyncGroup(clock: clock)
    let options = GIFPlayer.Options(loopCount: .plays(1), budget: FrameBudget())
    let player = GIFPlayer(try Sample.image(delays: [10, 20]), options: options, clock: clock, pool: .inline)
    let log = EventLog(player)
    group.add(player)
    group.play()
    time.time.move(to: Stage.start + .milliseconds(100))
    clock.tick()
    // The group reads 299.95 ms, its member an instant past the end.
    time.time.move(to: Stage.start + .microseconds(299_950))
    time.pace.withLock { $0 = .microseconds(100) }
    group.pause()
    #expect(log.text == ["play 0", "play 1", "loop! 1", "finish"])
    #expect(player.state == .finished)
  }

  @Test("A member that has finished rests and reports its end once", arguments: [1, 0.37, 2.9, 19.99])
  func rests(rate: Double) throws {
    let group = SyncGroup(clock: stage.clock)
    let (short, long) = (try stage.player([50, 53], plays: 1), try stage.player([30, 71]))
    for player in [short, long] { group.add(player) }
    group.rate = rate
    let log = EventLog(short)
    group.play()
    while short.state == .playing, let next = stage.clock.nextDeadline {
      stage.time.move(to: next)
      stage.clock.tick()
    }
    #expect(log.take() == ["play 0", "play 1", "loop! 1", "finish"])
    // At its very end, where the group's time and its own may be rounded differently, and later.
    for wait in [Duration.zero, .seconds(3)] {
      stage.run(to: stage.elapsed + wait)
      group.pause()
      group.play()
      group.rate = rate / 2
      group.rate = rate
      group.play()
    }
    group.seek(to: .milliseconds(1_030))
    group.seek(to: .seconds(40))
    stage.run(to: stage.elapsed + .seconds(3))
    #expect(log.take() == [] && short.state == .finished && short.currentFrame?.index == 1)
    #expect(long.state == .playing)
  }

  @Test("Once all have finished, play has all start over together")
  func allFinished() throws {
    let group = SyncGroup(clock: stage.clock)
    let players = [try stage.player([50, 50], plays: 1), try stage.player([30, 40], plays: 2)]
    let still = try stage.player([10])
    defer { withExtendedLifetime(players + [still]) {} }
    for player in players + [still, try stage.player([])] { group.add(player) }
    let logs = players.map { EventLog($0) }
    group.play()
    stage.run(to: .seconds(5))
    #expect((players + [still]).allSatisfy { $0.state == .finished })
    #expect(logs.map(\.finishes) == [1, 1])
    group.play()
    #expect(group.position == .zero && players.allSatisfy { $0.state == .playing && $0.position == .zero })
    stage.run(to: .milliseconds(5_250))
    #expect(group.position == .milliseconds(250))
    #expect(players.allSatisfy { $0.position == .milliseconds(250) })
    stage.run(to: .seconds(9))
    #expect(logs.map(\.finishes) == [2, 2])
  }

  // MARK: Offsets

  @Test("Offsets of any size are taken, and delay no other member")
  func hugeOffsets() throws {
    let group = SyncGroup(clock: stage.clock)
    let players = try (0..<3).map { _ in try stage.player([10, 20]) }
    for (player, seconds) in zip(players, [0, -10_000_000_000, 10_000_000_000]) {
      group.add(player, offset: .seconds(seconds))
    }
    let most = Duration.nanoseconds(Int64.max / 8)
    group.play()
    stage.run(to: .seconds(1))
    #expect(players.map(\.position) == [.seconds(1), .zero, .seconds(1) + most])
    group.seek(to: .seconds(5))
    group.rate = 2
    stage.run(to: .seconds(2))
    #expect(players.map(\.position) == [.seconds(7), .zero, .seconds(7) + most])
  }

  // MARK: Joining

  @Test("A player that plays already joins in step, at any delay of its frame")
  func playingJoins() throws {
    let pool = DecodePool(takenByHand: ())
    let group = SyncGroup(clock: stage.clock)
    let (plain, joiner) = (try stage.player([10, 20]), try stage.slowPlayer(on: pool))
    group.add(plain)
    group.play()
    joiner.rate = 0.5
    stage.run(to: .milliseconds(10_500))
    #expect(joiner.position == .milliseconds(5_250))
    group.add(joiner)
    #expect(joiner.state == .playing && joiner.position == .milliseconds(10_500))
    stage.run(to: .milliseconds(12_250))
    #expect(joiner.position == .milliseconds(10_500) && plain.position == .milliseconds(12_250))
    while pool.takeTurn() {}
    #expect(joiner.position == .milliseconds(12_250) && joiner.currentFrame?.index == 12)
    stage.run(to: .seconds(20))
    #expect(joiner.position == .seconds(20) && plain.position == .seconds(20))
  }

  @Test("A new member goes to where the group stands, at its start and in a pause, too")
  func standingGroup() throws {
    let group = SyncGroup(clock: stage.clock)
    let (paused, fresh) = (try stage.player([10, 20]), try stage.player([10, 20]))
    paused.seek(to: .seconds(5))
    for player in [paused, fresh] { group.add(player) }
    #expect(paused.position == .zero && paused.currentFrame?.index == 0)
    #expect(fresh.state == .stopped && fresh.currentFrame == nil)
    group.play()
    stage.run(to: .milliseconds(300))
    #expect([paused, fresh].map(\.position) == [.milliseconds(300), .milliseconds(300)])
    group.pause()

    let playing = try stage.player([10, 20])
    playing.play()
    stage.run(to: .milliseconds(450))
    group.add(playing)
    stage.run(to: .milliseconds(500))
    #expect(playing.state == .paused && playing.position == .milliseconds(300))
    group.play()
    stage.run(to: .milliseconds(600))
    #expect([paused, fresh, playing].allSatisfy { $0.position == .milliseconds(400) })
  }

  @Test("A member that went its own way is in step again after the group's next command")
  func strayed() throws {
    let group = SyncGroup(clock: stage.clock)
    let players = try (0..<4).map { _ in try stage.player([10, 20]) }
    for player in players { group.add(player) }
    group.play()
    stage.run(to: .seconds(1))
    players[0].seek(to: .seconds(60))
    players[1].stop()
    players[2].pause()
    stage.run(to: .seconds(2))
    group.rate = 1
    #expect(players.allSatisfy { $0.state == .playing && $0.position == .seconds(2) })
    stage.run(to: .seconds(3))
    #expect(players.allSatisfy { $0.position == .seconds(3) })
    // But not during a drag.
    players[3].beginScrubbing()
    players[3].scrub(to: .seconds(9))
    group.rate = 2
    #expect(players[3].position == .seconds(9))
  }

  // MARK: Leaving

  @Test("The others begin once the one they wait for has left")
  func removedWhileWaiting() throws {
    let pool = DecodePool(takenByHand: ())
    let group = SyncGroup(clock: stage.clock)
    let (quick, slow) = (try stage.player([10, 20]), try stage.slowPlayer(on: pool))
    for player in [quick, slow] { group.add(player) }
    group.seek(to: .seconds(30))
    group.play()
    stage.run(to: .seconds(1))
    #expect(quick.position == .seconds(30))
    group.remove(slow)
    stage.run(to: .seconds(2))
    #expect(quick.position == .seconds(31))
  }
}
