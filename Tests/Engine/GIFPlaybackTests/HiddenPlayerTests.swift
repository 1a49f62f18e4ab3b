import GIFCaching
import GIFDecoding
import GIFPlayback
import GIFTestSupport
import GIFTimeline
import Testing

@Suite("GIFPlayer: hidden players hold no picture")
struct HiddenPlayerTests {
  let stage = Stage()
  let budget = FrameBudget(limit: 1 << 20)
  /// Decodes when the test says so.
  let pool = DecodePool(takenByHand: ())

  /// A player of four frames, half a second each, without end unless said otherwise.
  private func player(late: LatePolicy = .skip, loops: LoopCount = .forever) throws -> GIFPlayer {
    var options = GIFPlayer.Options()
    options.budget = budget
    options.latePolicy = late
    options.loopCount = loops
    let image = try Sample.image(delays: [50, 50, 50, 50])
    return GIFPlayer(image, options: options, clock: stage.clock, pool: pool)
  }

  private func decode() { while pool.takeTurn() {} }

  /// Plays to a time after the start, and decodes all that is asked for.
  private func run(to end: Duration) {
    decode()
    while let next = stage.clock.nextDeadline, next <= Stage.start + end {
      stage.time.move(to: next)
      stage.clock.tick()
      decode()
    }
    stage.jump(to: end)
    decode()
  }

  private func pixels(_ frame: Frame?) -> [UInt8]? {
    frame.map { unsafe $0.pixels.withUnsafeBytes { unsafe Array($0) } }
  }

  @Test("A hidden player keeps its picture while there is room, and reports it when it is seen again")
  func room() throws {
    let player = try player()
    let log = EventLog(player)
    player.play()
    run(to: .milliseconds(600))
    player.visibility = .hidden
    #expect(player.currentFrameIndex == 1 && player.currentFrame?.index == 1)
    stage.jump(to: .milliseconds(700))
    player.visibility = .visible
    #expect(player.currentFrame?.index == 1 && log.text == ["play 0", "play 1", "appear 1"])
    // From now on it holds the picture itself.
    budget.limit = 0
    #expect(player.currentFrame?.index == 1)
    run(to: .milliseconds(1100))
    #expect(log.frames == [0, 1, 1, 2])
  }

  @Test(
    "The budget evicts the picture of a hidden player, which shows it again when it is seen",
    arguments: [LatePolicy.skip, .wait, .catchUp(max: 4)])
  func evicted(late: LatePolicy) throws {
    let player = try player(late: late)
    let log = EventLog(player)
    player.play()
    run(to: .milliseconds(600))
    let before = pixels(player.currentFrame)
    player.visibility = .hidden
    budget.limit = 0
    #expect(player.currentFrame == nil && player.currentFrameIndex == 1)
    #expect(player.cacheMap.tiers.allSatisfy { $0 == .cold })
    stage.jump(to: .milliseconds(700))
    player.visibility = .visible
    #expect(player.currentFrame == nil && log.frames == [0, 1])
    decode()
    let again = try #require(log.changes.last)
    #expect(log.frames == [0, 1, 1] && player.currentFrame?.index == 1)
    #expect(pixels(again.frame) == before && again.skippedFrames == 0)
    #expect(again.changedRect == PixelRect(x: 0, y: 0, width: 6, height: 4))
    run(to: .milliseconds(1100))
    #expect(log.frames == [0, 1, 1, 2] && log.changes.last?.lateness == .zero)
  }

  @Test("A picture that is gone is not shown again if another frame is due")
  func nextFrame() throws {
    let player = try player()
    let log = EventLog(player)
    player.play()
    decode()
    player.visibility = .hidden
    budget.limit = 0
    stage.jump(to: .milliseconds(1200))
    player.visibility = .visible
    decode()
    #expect(log.text == ["play 0", "appear 2"] && log.changes.last?.skippedFrames == 0)
  }

  @Test(
    "In a cell that is used again the whole picture of a still is reported each time it is seen",
    arguments: [1, 2])
  func still(frames: Int) throws {
    var options = GIFPlayer.Options()
    options.budget = budget
    options.loopCount = .plays(1)
    let image = try Sample.image(delays: Array(repeating: 10, count: frames))
    let player = GIFPlayer(image, options: options, clock: stage.clock, pool: pool)
    player.play()
    run(to: .seconds(1))
    #expect(player.state == .finished)
    let log = EventLog(player)
    for _ in 1...2 {
      player.visibility = .hidden
      player.visibility = .visible
    }
    #expect(log.text == Array(repeating: "appear \(frames - 1)", count: 2) && player.state == .finished)
    let whole = PixelRect(x: 0, y: 0, width: 6, height: 4)
    #expect(log.changes.allSatisfy { $0.changedRect == whole && $0.lateness == .zero })
    player.visibility = .near
    player.visibility = .visible
    #expect(log.frames.count == 3)
  }

  @Test(
    "A player may begin hidden or near, and begins to play once it is seen",
    arguments: [Visibility.hidden, .near])
  func beginsUnseen(visibility: Visibility) throws {
    var options = GIFPlayer.Options()
    options.budget = budget
    options.visibility = visibility
    let image = try Sample.image(delays: [50, 50])
    let player = GIFPlayer(image, options: options, clock: stage.clock, pool: pool)
    #expect(player.visibility == visibility)
    let log = EventLog(player)
    player.play()
    decode()
    #expect(player.cacheStatistics.decodedFrames == (visibility == .near ? 2 : 0))
    run(to: .seconds(2))
    #expect(log.text == [] && player.state == .playing && player.position == .zero)
    player.visibility = .visible
    decode()
    #expect(log.text == ["play 0"])
    run(to: .milliseconds(2500))
    #expect(log.text == ["play 0", "play 1"])
  }

  @Test("Players that are paused or show a poster get their picture again", arguments: [0, 1, 2])
  func atRest(kind: Int) throws {
    let player = try player()
    switch kind {
    case 0: player.seek(toFrame: 2)
    case 1: player.showPoster(3)
    default:
      player.play()
      run(to: .milliseconds(1200))
      player.pause()
    }
    decode()
    let index = try #require(player.currentFrameIndex)
    let (state, position) = (player.state, player.position)
    let log = EventLog(player)
    player.visibility = .hidden
    budget.limit = 0
    player.visibility = .near
    #expect(player.currentFrame == nil)
    player.visibility = .visible
    decode()
    #expect(log.frames == [index] && player.currentFrame?.index == index)
    #expect(player.state == state && player.position == position)
  }

  @Test("A finished player shows its last frame again and stays finished")
  func finished() throws {
    let player = try player(loops: .plays(1))
    player.play()
    run(to: .seconds(3))
    let log = EventLog(player)
    player.visibility = .hidden
    budget.limit = 0
    player.visibility = .visible
    decode()
    #expect(log.frames == [3] && player.state == .finished && player.currentFrame?.index == 3)
    run(to: .seconds(9))
    #expect(log.events.count == 1)
  }
}
