import GIFDecoding
import GIFPlayback
import GIFTestSupport
import GIFTimeline
import Testing

/// A seek bar's view of a player: time, duration and progress of the present loop, and failures.
@Suite("Seek bars and failures") struct SeekBarTests {
  private let stage = Stage()

  @Test("Position and progress count from the start of the present loop")
  func position() throws {
    let player = stage.player(try Sample.image(delays: [10, 20, 10], repetitions: 0))
    #expect(player.duration == .milliseconds(400) && player.progress == 0)
    player.play()
    stage.run(to: .milliseconds(500))
    #expect(player.position == .milliseconds(500) && player.positionInLoop == .milliseconds(100))
    #expect(player.progress == 0.25)
  }

  @Test("A seek within the loop stays in the loop, and is clipped to its last frame")
  func seek() throws {
    let player = stage.player(try Sample.image(delays: [10, 20, 10], repetitions: 0))
    player.play()
    stage.run(to: .milliseconds(850))
    player.seek(inLoop: .milliseconds(150))
    #expect(player.currentFrame?.index == 1 && player.snapshot.loop == 2)
    #expect(player.positionInLoop == .milliseconds(150))
    player.seek(inLoop: .seconds(9))
    #expect(player.currentFrame?.index == 2 && player.snapshot.loop == 2)
    player.seek(inLoop: .seconds(-9))
    #expect(player.currentFrame?.index == 0 && player.snapshot.loop == 2)
  }

  @Test("After the end the progress is whole, and a seek starts in the first loop")
  func end() throws {
    let player = stage.player(try Sample.image(delays: [10, 20, 10], repetitions: nil))
    player.play()
    stage.run(to: .seconds(2))
    #expect(player.state == .finished && player.progress == 1 && player.positionInLoop == player.duration)
    player.seek(inLoop: .milliseconds(150))
    #expect(player.state == .paused && player.currentFrame?.index == 1 && player.snapshot.loop == 0)
  }

  @Test("A still has no progress")
  func still() throws {
    let player = stage.player(try Sample.image(delays: [0]))
    player.play()
    #expect(player.progress == 0 && player.positionInLoop <= player.duration)
  }

  @Test("A listener that comes after a failure gets it at once, and a sequence ends")
  func lateListener() async throws {
    let player = stage.player(try Sample.image(delays: []))
    let early = player.events()
    player.play()
    var late: [GIFError] = []
    var earlyErrors = 0
    for await event in early { if case .failed = event { earlyErrors += 1 } }
    for await event in player.events() { if case .failed(let error) = event { late.append(error) } }
    for await _ in player.frameChanges {}
    #expect(earlyErrors == 1 && late == [GIFError(.noFrames)])
  }

  @Test("A handler on the main actor uses its owner without a hop")
  @MainActor func mainActor() async throws {
    @MainActor final class Screen {
      var indices: [Int] = []
      let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
      func show(_ index: Int) {
        indices.append(index)
        if index == 2 { continuation.finish() }
      }
    }
    let player = stage.player(try Sample.image(delays: [10, 10, 10], repetitions: nil))
    let screen = Screen()
    player.onFrameChange(deliverOn: .mainActor) { [weak screen] in screen?.show($0.currentFrameIndex) }
    player.play()
    stage.run(to: .seconds(1))
    for await _ in screen.stream {}
    #expect(screen.indices == [0, 1, 2])
  }

  @Test("update reports whether the player takes the image")
  func update() throws {
    let player = stage.player(try Sample.image(delays: [10, 10]))
    #expect(!player.update(player.image, isComplete: true), "its image is complete")
  }
}
