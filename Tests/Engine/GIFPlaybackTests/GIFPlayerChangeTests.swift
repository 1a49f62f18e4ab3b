import GIFDecoding
import GIFPlayback
import GIFTestSupport
import GIFTimeline
import Testing

@Suite("GIFPlayer: frame changes")
struct GIFPlayerChangeTests {
  @Test("The first frames, field by field")
  func fields() throws {
    let stage = Stage()
    let player = stage.player(try Sample.image(delays: [10, 25, 7]))
    let log = EventLog(player)
    #expect(player.state == .stopped)
    #expect(player.currentFrame == nil)
    stage.time.advance(by: .seconds(2))
    player.play()
    #expect(player.state == .playing)
    stage.run(to: .milliseconds(2_400))
    stage.jump(to: .milliseconds(2_430))

    let changes = log.changes
    try #require(changes.count == 4)
    #expect(changes.map(\.currentFrameIndex) == [0, 1, 2, 0])
    #expect(changes.map(\.frame.index) == [0, 1, 2, 0])
    #expect(changes.allSatisfy { $0.target == player.id && $0.frameCount == 3 })
    #expect(changes.map(\.loop) == [0, 0, 0, 1])
    #expect(changes.map(\.mediaTime) == [0, 100, 350, 420].map { .milliseconds($0) })
    #expect(
      changes.map { $0.scheduledAt - Stage.start } == [2_000, 2_100, 2_350, 2_420].map { .milliseconds($0) })
    #expect(
      changes.map { $0.shownAt - Stage.start } == [2_000, 2_100, 2_350, 2_430].map { .milliseconds($0) })
    #expect(changes.map(\.lateness) == [0, 0, 0, 10].map { .milliseconds($0) })
    #expect(changes.map(\.skippedFrames) == [0, 0, 0, 0])
    #expect(changes.map(\.cause) == [.play, .play, .play, .loop])
    #expect(player.currentFrame?.index == 0)
    #expect(player.position == .milliseconds(430))
  }

  @Test("Causes of changes by command")
  func causes() throws {
    let stage = Stage()
    let player = stage.player(try Sample.image(delays: [10, 25, 7]))
    let log = EventLog(player)
    player.step()
    player.step(by: -1)
    player.seek(toFrame: 2)
    player.seek(to: .milliseconds(100))
    player.play()
    player.restart()
    player.stop()
    player.stop()
    #expect(log.text == ["step 1", "step 0", "seek 2", "seek 1", "restart 0", "seek 0"])
    #expect(log.changes.allSatisfy { $0.skippedFrames == 0 && $0.lateness == .zero })
    #expect(player.state == .stopped)
    #expect(stage.clock.nextDeadline == nil)
  }

  @Test("Players have numbers of their own, events name theirs")
  func targets() throws {
    let stage = Stage()
    let image = try Sample.image(delays: [10, 10], repetitions: nil)
    let players = (0..<4).map { _ in stage.player(image) }
    let logs = players.map { EventLog($0) }
    #expect(Set(players.map(\.id)).count == 4)
    for player in players { player.play() }
    stage.run(to: .seconds(1))
    for (player, log) in zip(players, logs) {
      #expect(log.text == ["play 0", "play 1", "loop! 1", "finish"])
      #expect(log.changes.allSatisfy { $0.target == player.id })
      #expect(log.loops.map(\.target) == [player.id])
      #expect(log.loops.map(\.remaining) == [0])
    }
    // All were due together.
    #expect(stage.clock.wakeUps == 2)
  }

  @Test(
    "The changed rectangle covers every pixel that changed; the frame is the renderer's", arguments: 0..<24)
  func changedRect(seed: UInt64) throws {
    let gif = RandomGIF.make(seed: seed)
    let image = try GIFImage(bytes: gif.bytes)
    let pictures = PlainCompositor.canvases(of: gif.animation)
    var random = SeededGenerator(seed: seed &+ 1_000)
    for mode in PlaybackMode.allCases {
      var options = GIFPlayer.Options()
      options.loopCount = .forever
      options.mode = mode
      let stage = Stage()
      let player = stage.player(image, options: options)
      let log = EventLog(player)
      player.play()
      var time = Duration.zero
      for _ in 0..<60 {
        time += .milliseconds(Int64.random(in: 1...350, using: &random))
        switch Int.random(in: 0..<12, using: &random) {
        case 0: player.seek(toFrame: .random(in: 0..<image.frameCount, using: &random))
        case 1:
          player.step(by: .random(in: -3...3, using: &random))
          player.play()
        case 2: player.restart()
        case 3: stage.run(to: time)
        default: stage.jump(to: time)
        }
      }
      var before = [UInt32](repeating: 0, count: image.width * image.height)
      #expect(log.changes.count > 1)
      for change in log.changes {
        let picture = pictures[change.currentFrameIndex]
        let isRight = picture.indices.allSatisfy { place in
          change.frame.pixels[place % image.width, place / image.width] == picture[place]
        }
        #expect(isRight, "frame \(change.currentFrameIndex)")
        let outside = picture.indices.first { place in
          let pixel = PixelRect(x: place % image.width, y: place / image.width, width: 1, height: 1)
          return picture[place] != before[place] && !change.changedRect.contains(pixel)
        }
        #expect(outside == nil, "frame \(change.currentFrameIndex), \(mode)")
        before = picture
      }
    }
  }

  @Test("A step forward changes a small rectangle, not the canvas")
  func smallRect() throws {
    let stage = Stage()
    let player = stage.player(try Sample.image(delays: [10, 10, 10, 10]))
    let log = EventLog(player)
    player.play()
    stage.run(to: .milliseconds(100))
    stage.jump(to: .milliseconds(300))
    stage.run(to: .milliseconds(400))
    let rects = log.changes.map(\.changedRect)
    let canvas = PixelRect(x: 0, y: 0, width: 6, height: 4)
    #expect(
      rects == [
        canvas, PixelRect(x: 1, y: 1, width: 2, height: 2), PixelRect(x: 2, y: 0, width: 3, height: 4),
        canvas,
      ])
  }
}
