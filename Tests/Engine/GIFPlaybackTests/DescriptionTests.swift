import GIFDecoding
import GIFPlayback
import GIFTimeline
import Testing

@Suite("What is printed of playback")
struct DescriptionTests {
  @Test("A frame change is one short line without its pixels")
  func frameChange() throws {
    let image = try Sample.image(delays: [10, 20])
    var renderer = try FrameRenderer(image)
    let start = PlaybackInstant(sinceStart: .seconds(1))
    let change = FrameChange(
      target: GIFPlayer.ID(rawValue: 3), frame: try renderer.frame(at: 1), changedRect: .empty, frameCount: 2,
      loop: 4, scheduledAt: start, shownAt: start + .milliseconds(4), skippedFrames: 1)
    #expect("\(change)" == "player 3: frame 1 of 2, loop 4, play, 1 skipped, 0.004 seconds late")
    #expect("\(PlayerEvent.frameChange(change))" == "\(change)")
  }

  @Test("Events, states and time lines are one line each")
  func others() throws {
    let stage = Stage()
    let player = try stage.player([10, 20], plays: 3)
    player.play()
    stage.jump(to: .milliseconds(150))
    let id = player.id
    #expect("\(player)" == "player \(id): playing at 0.15 seconds")
    #expect(
      "\(LoopCompletion(target: id, count: 1, remaining: 2))" == "player \(id): loop 1 completed, 2 left")
    #expect(
      "\(BufferingChange(reason: .source, frameCount: 2, isComplete: false))"
        == "waits for the source, 2+ frames known")
    #expect(
      "\(player.snapshot)"
        == "playing, frame 1, loop 0, 0.05 seconds elapsed, 0.15 seconds left, forward, 1.0x")
    #expect("\(player.timeline)" == "2 steps of frames 0..<2, forward, 0.3 s a loop, 3 plays")
    #expect("\(PlaybackInstant(sinceStart: .milliseconds(1_500)))" == "1.5 s")
  }

  @Test("The time line in durations")
  func durations() throws {
    let timeline = Timeline(try Sample.image(delays: [10, 20]), loopCount: .plays(2))
    #expect(timeline.loopDuration == .milliseconds(300) && timeline.totalDuration == .milliseconds(600))
    let position = try #require(timeline.position(at: Duration.milliseconds(450)))
    #expect(position.frame == 1 && position.loop == 1 && !position.isFinished)
    #expect(position.nextChangeTime == .milliseconds(600))
  }

  @Test("A failed player names its error")
  func error() throws {
    let image = try Sample.image(delays: [10, 10], limits: DecodingLimits(canvasPixels: 23))
    let player = Stage().player(image)
    #expect(player.error == nil)
    player.play()
    #expect(player.state == .failed && player.error?.code == .canvasTooLarge)
  }
}
