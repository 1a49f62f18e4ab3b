import GIFCaching
import GIFDecoding
import GIFPlayback
import GIFStage
import GIFTestSupport
import GIFTimeline
import Synchronization
import Testing

@Suite("AnimatedImageView: positions are restored in new players")
struct PlayerRestorationTests {
  /// A view of an image with four frames of 100 ms each.
  private func view(
    plays: Int?, rig: StageRig, change: (inout ImageProperties) -> Void = { _ in }
  ) throws -> AnimatedImageView {
    rig.loader["a"] = try TestImage.flat(frames: 4, width: 24, height: 16)
    var properties = ImageProperties(source: "a")
    properties.fade = .zero
    properties.loopCount = plays.map { .plays($0) }
    change(&properties)
    let view = AnimatedImageView(properties, services: rig.services)
    rig.show(view, width: 12, height: 8)
    return view
  }

  @Test("A finished image stays finished when it becomes visible again, without a second finished event")
  func finishedIsSeenAgain() throws {
    let rig = StageRig()
    let view = try view(plays: 2, rig: rig)
    rig.run(.seconds(1))
    let log = ViewLog(view)
    for visibility in [Visibility.near, .visible] {
      view.move(to: .hidden)
      rig.run(.seconds(1))
      view.move(to: visibility)
      rig.run(.seconds(1))
      view.move(to: .visible)
      rig.run(.seconds(1))
      #expect(log.take() == ["frame 3"])
      #expect(view.player?.state == .finished && view.player?.loopsLeft == 0 && view.shown?.index == 3)
    }
  }

  @Test("A still image also finishes once")
  func stillIsSeenAgain() throws {
    let rig = StageRig()
    rig.loader["a"] = try TestImage.flat(frames: 1)
    var properties = ImageProperties(source: "a")
    properties.fade = .zero
    let view = AnimatedImageView(properties, services: rig.services)
    let log = ViewLog(view)
    rig.show(view, width: 12, height: 8)
    rig.run(.seconds(1))
    view.move(to: .hidden)
    view.move(to: .visible)
    rig.run(.seconds(1))
    #expect(log.take() == ["loaded 1", "frame 0", "finished", "frame 0"])
  }

  @Test("A finished image keeps mode and range at another size, and emits no event")
  func finishedIsResized() throws {
    let rig = StageRig()
    let view = try view(plays: 1, rig: rig) {
      $0.mode = .reverse
      $0.range = 1..<4
      $0.rate = 2
    }
    rig.run(.seconds(1))
    let (log, player) = (ViewLog(view), view.player)
    rig.stage?.resize(width: 18, height: 12)
    rig.run(.seconds(1))
    #expect(log.take().isEmpty && view.player !== player && view.shown?.pixels.width == 18)
    let state = try #require(view.player?.snapshot)
    #expect(state.state == .finished && state.mode == .reverse && state.range == 1..<4 && state.rate == 2)
    #expect(view.shown?.index == 1)
    view.perform(.play)
    rig.run(.milliseconds(60))
    #expect(log.take() == ["play", "frame 3", "frame 2"])
  }

  @Test(
    "A finished image that is played while not visible starts again", arguments: [Visibility.hidden, .near])
  func finishedIsPlayed(visibility: Visibility) throws {
    let rig = StageRig()
    let view = try view(plays: 1, rig: rig)
    rig.run(.seconds(1))
    view.move(to: .hidden)
    view.move(to: visibility)
    rig.settle()
    view.perform(.play)
    rig.run(.seconds(1))
    let log = ViewLog(view)
    view.move(to: .visible)
    rig.run(.milliseconds(150))
    #expect(log.take() == ["frame 0", "frame 1"])
  }

  @Test(
    "Finished items of a grid stay finished when they become visible again, and restart when all are played")
  func wall() throws {
    let rig = StageRig()
    rig.loader["a"] = try TestImage.flat(frames: 4)
    var properties = GridProperties()
    properties.items = (0..<100).map { GridItem(id: $0, source: "a") }
    properties.columns = .count(4)
    properties.image.fade = .zero
    properties.image.loopCount = .plays(1)
    let grid = GridView(properties, services: rig.services)
    rig.show(grid, width: 400, height: 300)
    rig.run(.seconds(1))
    var heard: [String] = []
    grid.onItemEvent = { if $0 == 0 { heard.append(ViewLog.word($1.kind)) } }
    func scrollAwayAndBack(_ meanwhile: () -> Void = {}) {
      grid.scrollToItem(90, at: .top)
      rig.run(.seconds(1))
      #expect(grid.imageView(of: 0) == nil)
      meanwhile()
      heard = []
      grid.scrollToItem(0, at: .top)
      rig.run(.milliseconds(150))
    }
    scrollAwayAndBack()
    #expect(heard == ["loaded 4", "frame 3"])
    scrollAwayAndBack { grid.perform(.play) }
    #expect(heard == ["loaded 4", "frame 0", "frame 1"])
  }

  @Test("Reverse playback in the last loop keeps it the last")
  func reverseCountsOn() throws {
    let rig = StageRig()
    let view = try view(plays: 3, rig: rig)
    rig.run(.milliseconds(1050))
    let (log, player) = (ViewLog(view), view.player)
    #expect(player?.loopsLeft == 1 && view.shown?.index == 2)
    view.properties.mode = .reverse
    #expect(view.player === player && player?.loopsLeft == 1)
    rig.run(.seconds(2))
    #expect(log.take() == ["frame 1", "frame 0", "loop 3", "finished"])
  }

  @Test("A new range keeps the loop count, and a finished image stays finished with another mode or range")
  func rangeCountsOn() throws {
    let rig = StageRig()
    let view = try view(plays: 2, rig: rig)
    rig.run(.milliseconds(550))
    let (log, player) = (ViewLog(view), view.player)
    view.properties.range = 0..<3
    rig.run(.seconds(1))
    #expect(log.take() == ["frame 2", "loop 2", "finished"] && view.player === player)
    view.properties.mode = .bounce
    view.properties.range = nil
    rig.run(.seconds(2))
    #expect(!log.take().contains { $0.hasPrefix("loop") || $0 == "finished" })
    #expect(player?.state == .finished && player?.mode == .bounce && player?.range == nil)
  }

  @Test("Delay and late policies apply to the player, also while it plays")
  func rules() throws {
    let rig = StageRig()
    let view = try view(plays: nil, rig: rig) { $0.delayPolicy = .constant(.milliseconds(30)) }
    let log = ViewLog(view)
    rig.run(.milliseconds(65))
    #expect(log.take() == ["frame 1", "frame 2"])
    view.properties.delayPolicy = .constant(.milliseconds(500))
    rig.run(.milliseconds(490))
    #expect(log.take().isEmpty && view.shown?.index == 2)
    rig.run(.milliseconds(20))
    #expect(log.take() == ["frame 3"])
    // Two pictures late in one go.
    view.properties.latePolicy = .wait
    rig.settle()
    rig.time.advance(by: .milliseconds(1100))
    rig.settle()
    #expect(log.take() == ["loop 1", "frame 0"])
  }

  @Test("onPlayer receives each player with its source, before it plays")
  func onPlayer() throws {
    let rig = StageRig()
    rig.loader["a"] = try TestImage.flat(frames: 4, width: 24, height: 16)
    let made = Mutex<[String]>([])
    var services = rig.services
    services.onPlayer = { player, source in made.withLock { $0.append("\(source) \(player.state)") } }
    let view = AnimatedImageView(ImageProperties(source: "a"), services: services)
    rig.show(view, width: 12, height: 8)
    view.move(to: .hidden)
    view.move(to: .visible)
    #expect(made.withLock { $0 } == ["a stopped", "a stopped"])
  }
}
