import GIFCaching
import GIFDecoding
import GIFPlayback
import GIFTimeline
import Testing

@Suite("GIFPlayer: loops, the end and failure")
struct GIFPlayerEndTests {
  @Test("A finite animation rests on its last frame, reports the end once, and plays again")
  func finite() throws {
    let stage = Stage()
    let player = stage.player(try Sample.image(delays: [10, 20, 30], repetitions: 1))
    let log = EventLog(player)
    let play = ["play 1", "play 2", "loop! 1", "loop 0", "play 1", "play 2", "loop! 2", "finish"]
    player.play()
    stage.run(to: .milliseconds(1_199))
    #expect(log.take() == ["play 0"] + play.dropLast(2))
    #expect(player.state == .playing)
    stage.run(to: .milliseconds(1_200))
    #expect(log.take() == play.suffix(2))
    #expect(player.state == .finished)
    #expect(player.currentFrame?.index == 2)
    #expect(stage.clock.nextDeadline == nil)
    stage.jump(to: .seconds(100))
    #expect(log.take() == [])
    #expect(player.position == .milliseconds(1_200))
    player.play()
    stage.run(to: .seconds(200))
    #expect(log.take() == ["restart 0"] + play)
    #expect(player.currentFrame?.index == 2)
  }

  @Test("The end of a loop says how many are over and how many are left")
  func loops() throws {
    let stage = Stage()
    let image = try Sample.image(delays: [10, 20], repetitions: 3)
    let finite = stage.player(image)
    var options = GIFPlayer.Options()
    options.loopCount = .forever
    let endless = stage.player(image, options: options)
    let (finiteLog, endlessLog) = (EventLog(finite), EventLog(endless))
    finite.play()
    endless.play()
    stage.run(to: .seconds(3))
    #expect(finiteLog.loops.map(\.count) == [1, 2, 3, 4])
    #expect(finiteLog.loops.map(\.remaining) == [3, 2, 1, 0])
    #expect(finiteLog.finishes == 1)
    #expect(endlessLog.loops.map(\.count) == Array(1...10))
    #expect(endlessLog.loops.allSatisfy { $0.remaining == nil && $0.target == endless.id })
    #expect(endlessLog.finishes == 0)
  }

  @Test("Modes and ranges play what they say", arguments: PlaybackMode.allCases)
  func modes(mode: PlaybackMode) throws {
    let stage = Stage()
    var options = GIFPlayer.Options()
    options.mode = mode
    options.range = 1..<5
    options.loopCount = .plays(2)
    options.delayPolicy = .constant(.milliseconds(40))
    let player = stage.player(try Sample.image(delays: [10, 20, 30, 40, 50, 60]), options: options)
    let log = EventLog(player)
    player.play()
    stage.run(to: .seconds(10))
    let loop =
      switch mode {
      case .forward: [1, 2, 3, 4]
      case .reverse: [4, 3, 2, 1]
      case .bounce: [1, 2, 3, 4, 3, 2]
      }
    #expect(log.frames == loop + loop)
    #expect(log.finishes == 1)
    #expect(stage.elapsed == .seconds(10))
    #expect(player.position == .milliseconds(80 * loop.count))
    #expect(player.timeline.range == 1..<5)
  }

  @Test("A still image is shown, finishes, and sets no clock", arguments: [nil, 0, 5])
  func still(repetitions: Int?) throws {
    let stage = Stage()
    let player = stage.player(try Sample.image(delays: [10], repetitions: repetitions))
    let log = EventLog(player)
    player.play()
    #expect(log.text == ["play 0", "finish"])
    #expect(player.state == .finished)
    #expect(stage.clock.nextDeadline == nil)
    stage.jump(to: .seconds(60))
    #expect(stage.clock.wakeUps == 0)
    #expect(log.text.count == 2)
  }

  @Test("A player of a file without frames fails with the reason at the first command")
  func noFrames() throws {
    let stage = Stage()
    let player = stage.player(try Sample.image(delays: []))
    let log = EventLog(player)
    #expect(player.state == .stopped)
    player.play()
    #expect(player.state == .failed && player.error == GIFError(.noFrames))
    let failures = log.events.compactMap { event -> GIFError? in
      if case .failure(let error) = event { error } else { nil }
    }
    #expect(failures == [GIFError(.noFrames)])
    let count = log.events.count
    player.seek(toFrame: 0)
    player.seek(to: .seconds(1))
    player.step()
    player.restart()
    player.stop()
    #expect(log.events.count == count, "nothing follows a failure")
    #expect(player.currentFrame == nil)
    #expect(player.position == .zero)
    #expect(stage.clock.nextDeadline == nil)
  }

  @Test("The speed counts for the clock, not for the media time")
  func rate() throws {
    let stage = Stage()
    let player = stage.player(try Sample.image(delays: [10, 20, 30]))
    let log = EventLog(player)
    player.rate = 2
    player.play()
    stage.run(to: .milliseconds(150))
    #expect(log.frames == [0, 1, 2])
    player.rate = 0.5
    #expect(player.rate == 0.5)
    #expect(player.position == .milliseconds(300))
    stage.run(to: .milliseconds(749))
    #expect(log.frames == [0, 1, 2])
    stage.run(to: .milliseconds(750))
    #expect(log.frames == [0, 1, 2, 0])
    #expect(log.changes.map { $0.shownAt - Stage.start } == [0, 50, 150, 750].map { .milliseconds($0) })
    #expect(log.changes.map(\.mediaTime) == [0, 100, 300, 600].map { .milliseconds($0) })
    player.rate = 1_000
    #expect(player.rate == 20)
  }

  @Test("Commands with the largest arguments there are leave the player sound")
  func hugeArguments() throws {
    let stage = Stage()
    let player = stage.player(try Sample.image(delays: [10, 20, 30]))
    let log = EventLog(player)
    player.seek(to: .seconds(Int64.max))
    player.seek(to: .seconds(Int64.min))
    player.step(by: .max)
    player.step(by: .min)
    player.seek(toFrame: .max)
    player.seek(toFrame: .min)
    #expect(log.changes.map(\.cause) == [.seek, .seek, .step, .step])
    #expect(player.currentFrame?.index == 0)
    #expect(player.position == .zero)
  }

  @Test("A size too large to render fails as an image of that size would")
  func failingSize() throws {
    let stage = Stage()
    let image = try Sample.image(delays: [10, 20], limits: DecodingLimits(canvasPixels: 99))
    var options = GIFPlayer.Options()
    options.budget = FrameBudget()
    options.size = PixelSize(width: 10, height: 10)
    let player = GIFPlayer(image, options: options, clock: stage.clock, pool: .inline)
    let log = EventLog(player)
    player.play()
    #expect(log.failures == [GIFError(.canvasTooLarge, value: 100, limit: 99)])
    #expect(player.state == .failed)
  }

  @Test("An image too large to render fails once, after any command")
  func failure() throws {
    let limits = DecodingLimits(canvasPixels: 23)
    let stage = Stage()
    let player = stage.player(try Sample.image(delays: [10, 20], limits: limits))
    let log = EventLog(player)
    #expect(player.state == .stopped)
    player.play()
    #expect(player.state == .failed)
    #expect(log.failures.map(\.code) == [.canvasTooLarge])
    player.play()
    player.seek(toFrame: 1)
    player.step()
    player.stop()
    player.restart()
    player.rate = 3
    stage.jump(to: .seconds(10))
    #expect(log.text == ["failure"])
    #expect(player.state == .failed)
    #expect(player.currentFrame == nil)
    #expect(stage.clock.nextDeadline == nil)
    #expect(player.cacheStatistics.decodedFrames == 0)
  }
}
