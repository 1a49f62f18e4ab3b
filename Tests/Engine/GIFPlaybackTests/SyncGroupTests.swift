import GIFCaching
import GIFDecoding
import GIFPlayback
import GIFTestSupport
import GIFTimeline
import Synchronization
import Testing

@Suite("SyncGroup")
struct SyncGroupTests {
  private let stage = Stage()

  @Test(
    "Different GIFs begin at one instant and stay in step for a day, at odd speeds too",
    arguments: [1, 0.37, 2.9])
  func lockStep(rate: Double) throws {
    let group = SyncGroup(clock: stage.clock)
    let players = try [[503, 1_999], [7_777], [1_301, 65, 1_607], [911, 4_000]].map { try stage.player($0) }
    for player in players { #expect(group.add(player)) }
    group.rate = rate
    group.play()
    for minutes in stride(from: Int64(7), to: 24 * 60, by: 173) {
      stage.run(to: .seconds(minutes * 60))
      if minutes % 2 == 0 {
        group.pause()
        stage.time.advance(by: .milliseconds(1_234))
        group.play()
      }
      let expected = group.position
      for player in players where player.state == .playing {
        let error = player.position - expected
        #expect(max(error, .zero - error) < .microseconds(1))
      }
    }
    #expect(group.position > .seconds(80_000 * rate))
  }

  @Test("No member starts before the last one can show its first frame")
  func commonStart() async throws {
    let pool = DecodePool(threadCount: 1)
    let barrier = await Barrier.lower(on: pool)
    let group = SyncGroup(clock: stage.clock)
    let quick = try stage.player([10, 10])
    let slow = GIFPlayer(try Sample.image(delays: [10, 20]), clock: stage.clock, pool: pool)
    var changes = slow.frameChanges.makeAsyncIterator()
    for player in [quick, slow] { group.add(player) }
    group.play()
    #expect(quick.currentFrame?.index == 0 && quick.state == .playing)
    stage.jump(to: .seconds(5))
    #expect(quick.position == .zero && group.position == .zero && stage.clock.nextDeadline == nil)
    barrier.raise()
    #expect(await changes.next()?.currentFrameIndex == 0)
    // The start follows the event on the decoding thread, which has done it once it can be held up again.
    await Barrier.lower(on: pool).raise()
    stage.jump(to: .seconds(5) + .milliseconds(50))
    #expect(quick.position == .milliseconds(50) && slow.position == .milliseconds(50))
    #expect(stage.clock.nextDeadline == Stage.start + .milliseconds(5_100))
  }

  @Test("Offsets: one ahead, one that begins later")
  func offsets() throws {
    let group = SyncGroup(clock: stage.clock)
    let (ahead, plain, behind) = (
      try stage.player([10, 20]), try stage.player([10, 20]), try stage.player([10, 20])
    )
    group.add(ahead, offset: .milliseconds(150))
    group.add(plain)
    group.add(behind, offset: .milliseconds(-250))
    group.play()
    #expect([ahead, plain, behind].map { $0.currentFrame?.index } == [1, 0, 0])
    stage.run(to: .milliseconds(200))
    #expect([ahead, plain, behind].map(\.position) == [350, 200, 0].map { .milliseconds($0) })
    stage.run(to: .milliseconds(300))
    #expect(behind.position == .milliseconds(50))
    group.seek(to: .milliseconds(600))
    #expect([ahead, plain, behind].map(\.position) == [750, 600, 350].map { .milliseconds($0) })
    stage.run(to: .milliseconds(310))
    #expect([ahead, plain, behind].map(\.position) == [760, 610, 360].map { .milliseconds($0) })
  }

  @Test("A later member joins where the group is; one that leaves plays on alone")
  func joinAndLeave() throws {
    let group = SyncGroup(clock: stage.clock)
    let (first, second) = (try stage.player([10, 20]), try stage.player([7, 9]))
    group.add(first)
    group.play()
    stage.run(to: .milliseconds(333))
    group.add(second)
    #expect(second.position == .milliseconds(333) && second.state == .playing)
    group.remove(first)
    group.pause()
    stage.run(to: .milliseconds(400))
    #expect(first.position == .milliseconds(400) && second.position == .milliseconds(333))
    #expect(group.players.map(\.id) == [second.id])
    let other = PlaybackClock(drivenWith: stage.time.now)
    #expect(!group.add(GIFPlayer(second.image, clock: other, pool: .inline)))
  }

  @Test("Speed and pauses change all at once, without a jump")
  func rate() throws {
    let group = SyncGroup(clock: stage.clock)
    let players = try (0..<5).map { try stage.player([10 + $0, 20, 30]) }
    for player in players { group.add(player) }
    group.play()
    stage.run(to: .milliseconds(100))
    group.rate = 3
    stage.run(to: .milliseconds(200))
    group.pause()
    stage.run(to: .seconds(9))
    #expect(!group.isPlaying && players.allSatisfy { $0.position == .milliseconds(400) })
    group.rate = 1
    group.play()
    stage.run(to: .seconds(10))
    #expect(group.position == .milliseconds(1_400))
    #expect(players.allSatisfy { $0.position == .milliseconds(1_400) })
    group.reduceMotion(.firstFrame)
    #expect(players.allSatisfy { $0.currentFrame?.index == 0 })
  }

  @Test("Still, broken, empty and hidden players delay no other member")
  func others() throws {
    let group = SyncGroup(clock: stage.clock)
    let moving = try stage.player([10, 20])
    let hidden = try stage.player([10, 20])
    hidden.visibility = .hidden
    let broken = stage.player(try Sample.image(delays: [10, 10], limits: DecodingLimits(canvasPixels: 23)))
    for player in [moving, try stage.player([10]), try stage.player([]), broken, hidden] { group.add(player) }
    group.play()
    stage.run(to: .milliseconds(250))
    #expect(moving.position == .milliseconds(250))
    #expect(broken.state == .failed)
    let log = EventLog(hidden)
    hidden.visibility = .visible
    #expect(hidden.position == .milliseconds(250))
    #expect(log.text == ["appear 1"])
  }

  @Test("A group that goes lets its players go on")
  func released() throws {
    var group: SyncGroup? = SyncGroup(clock: stage.clock)
    weak let watched = group
    let (playing, waiting) = (try stage.player([10, 10]), try stage.player([10, 10]))
    group?.add(playing)
    group?.play()
    stage.run(to: .milliseconds(50))
    group?.add(waiting)
    group = nil
    #expect(watched == nil)
    stage.run(to: .milliseconds(150))
    #expect(playing.position == .milliseconds(150))
    #expect(waiting.state == .playing)
  }
}
