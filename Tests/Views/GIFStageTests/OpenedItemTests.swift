import GIFCaching
import GIFDecoding
import GIFPlayback
import GIFTimeline
import Testing

@testable import GIFStage

@Suite("PlayerScene: one item large, help, full screen, saved frames")
struct OpenedItemTests {
  private let rig = StageRig()
  private let scene: PlayerScene
  private let log = Words()

  private final class Words {
    var words: [String] = []
    var isQuit = false
  }

  /// A wall of nine; each item has twelve frames of 100 ms.
  init() throws { scene = Self.scene(9, rig, log, try TestImage.flat(frames: 12, width: 30, height: 20)) }

  private static func scene(_ count: Int, _ rig: StageRig, _ log: Words, _ image: GIFImage) -> PlayerScene {
    rig.loader["a"] = image
    var options = PlayerScene.Options(items: (0..<count).map { GridItem(id: $0, source: "a") })
    options.image.fade = .zero
    let scene = PlayerScene(options, services: rig.services)
    scene.onEvent = { event in
      if case .opened(let item) = event { log.words.append(item.map { "open \($0)" } ?? "close") }
    }
    scene.onQuit = { log.isQuit = true }
    scene.onFullscreen = {
      log.words.append($0 ? "full" : "window")
      return true
    }
    scene.onSave = { item, image, part in
      log.words.append("save \(item) \(image.frameCount) \(part)")
      return "saved"
    }
    rig.show(scene, width: 640, height: 480)
    rig.run(.milliseconds(250))
    return scene
  }

  private var grid: GridView { get throws { try #require(scene.grid) } }

  private func tap(_ scene: PlayerScene, x: Int, y: Int) {
    rig.stage?.pointer(PointerEvent(.began, x: x, y: y))
    rig.stage?.pointer(PointerEvent(.ended, x: x, y: y))
    rig.settle()
  }

  @Test("Enter shows the selected item large from its present frame on; escape goes back")
  func keys() throws {
    let grid = try grid
    scene.press(.right)
    #expect(grid.imageView(of: 1)?.shown?.index == 2)
    scene.press(.enter)
    rig.settle()
    let view = try #require(scene.selectedView)
    #expect(scene.openedItem == 1 && grid.isHidden && view.frame == grid.frame)
    #expect(view.shown?.index == 2 && view.isPlaying)
    rig.run(.milliseconds(200))
    #expect(view.shown?.index == 4)
    scene.press(.escape)
    rig.settle()
    #expect(scene.openedItem == nil && !grid.isHidden && !log.isQuit)
    #expect(grid.imageView(of: 1)?.shown?.index == 4 && view.player == nil)
    #expect(log.words == ["open 1", "close"])
    scene.press(.escape)
    #expect(log.isQuit)
  }

  @Test("A double tap opens an item and leaves its playback as it was; another one closes it")
  func doubleTap() throws {
    let place = try grid.gridLayout.rect(of: 4)
    let (x, y) = (place.x + 5, place.y + 5)
    tap(scene, x: x, y: y)
    rig.run(.milliseconds(150))
    tap(scene, x: x, y: y)
    #expect(scene.openedItem == 4 && scene.selectedView?.isPlaying == true)
    rig.run(.seconds(1))
    tap(scene, x: x, y: y)
    tap(scene, x: x, y: y)
    #expect(scene.openedItem == nil)
  }

  @Test("Two slow taps, or taps on two items, open nothing")
  func singleTaps() throws {
    let (first, second) = (try grid.gridLayout.rect(of: 0), try grid.gridLayout.rect(of: 1))
    tap(scene, x: first.x + 5, y: first.y + 5)
    tap(scene, x: second.x + 5, y: second.y + 5)
    rig.run(.milliseconds(500))
    tap(scene, x: second.x + 5, y: second.y + 5)
    #expect(scene.openedItem == nil)
  }

  @Test("The large item has the keys of a single one; n and p open its neighbours")
  func largeKeys() throws {
    scene.press(.enter)
    scene.press(.space)
    rig.settle()
    scene.press(.right)
    rig.settle()
    #expect(scene.selectedItem == 0 && scene.selectedView?.shown?.index == 3)
    scene.press(.character("n"))
    rig.settle()
    #expect(scene.openedItem == 1 && scene.selectedItem == 1)
    scene.press(.enter)
    #expect(scene.openedItem == nil)
    #expect(try grid.imageView(of: 0)?.isPlaying == false)
  }

  @Test("Speed and range of the large item stay in the grid")
  func settings() throws {
    scene.press(.enter)
    rig.settle()
    scene.press(.character("i"))
    scene.press(.character("+"))
    #expect(scene.selectedView?.properties.range == 2..<12 && scene.selectedView?.properties.rate == 1.25)
    scene.press(.escape)
    #expect(try grid.range(ofItem: 0) == 2..<12 && grid.properties.image.rate == 1.25)
  }

  @Test("F11 and escape change the full screen; help closes first")
  func fullscreen() {
    scene.press(.function(11))
    scene.press(.character("?"))
    #expect(scene.isFullscreen && !scene.help.isHidden)
    scene.press(.escape)
    #expect(scene.isFullscreen && scene.help.isHidden)
    scene.press(.escape)
    #expect(!scene.isFullscreen && !log.isQuit && log.words == ["full", "window"])
    scene.press(.character("h"))
    scene.press(.character("h"))
    #expect(scene.help.isHidden)
  }

  @Test("The current frame is saved, and the message disappears")
  func saving() {
    scene.press(.character("s"))
    rig.settle()
    #expect(log.words == ["save 0 12 frame(2)"])
    #expect(!scene.messageLabel.isHidden && scene.messageLabel.line == "saved")
    rig.run(.seconds(4))
    #expect(scene.messageLabel.isHidden)
  }

  @Test("The range is saved: all frames, or those that the user has chosen")
  func savingRanges() {
    scene.press(.character("g"))
    scene.press(.character("i"))
    scene.press(.character("g"))
    rig.settle()
    #expect(log.words == ["save 0 12 range(Range(0..<12))", "save 0 12 range(Range(2..<12))"])
  }

  @Test("The bar keeps the selected item when it is scrolled away, and stepping shows it again")
  func barKeepsItem() throws {
    let rig = StageRig()
    let scene = Self.scene(60, rig, Words(), try TestImage.flat(frames: 12, width: 30, height: 20))
    let status = scene.bar.status
    #expect(status == ["#2 of 12", "0:00.20 / 0:01.20"])
    scene.perform(.scrollToEnd)
    rig.run(.seconds(1))
    #expect(scene.grid?.imageView(of: 0) == nil && !scene.bar.scrubber.isHidden)
    #expect(scene.bar.scrubber.model.maximum == 11 && scene.bar.button.isPlaying)
    scene.press(.character("."))
    rig.settle()
    #expect(scene.grid?.imageView(of: 0) != nil)
  }

  @Test("A still alone has no bar; in a grid it has no slider")
  func still() throws {
    let rig = StageRig()
    let image = try TestImage.flat(frames: 1, width: 30, height: 20)
    let single = Self.scene(1, rig, Words(), image)
    #expect(single.bar.isHidden && single.contentView.frame.height == 480)
    let wall = Self.scene(4, rig, Words(), image)
    #expect(!wall.bar.isHidden && wall.bar.scrubber.isHidden && wall.bar.button.isHidden)
  }

  @Test("Over the slider, the range's knobs and the time and frame under the pointer show")
  func tooltip() {
    let scrubber = scene.bar.scrubber
    #expect(scene.tooltip.isHidden && !scrubber.showsRangeKnobs)
    let geometry = ScrubberGeometry(width: scrubber.frame.width, margin: 14, reach: 10)
    let x = scrubber.frame.x + geometry.x(of: 5, in: scrubber.model)
    rig.stage?.hover(at: (x, scene.bar.frame.y + 20))
    rig.settle()
    #expect(scrubber.showsRangeKnobs && !scene.tooltip.isHidden)
    #expect(scene.tooltip.line == "0:00.50  #5")
    rig.stage?.hover(at: nil)
    rig.settle()
    #expect(scene.tooltip.isHidden && !scrubber.showsRangeKnobs)
    scene.press(.character("i"))
    rig.settle()
    #expect(scrubber.showsRangeKnobs)
    rig.stage?.pointer(PointerEvent(.began, x: x, y: scene.bar.frame.y + 14))
    rig.settle()
    #expect(scene.tooltip.line == "0:00.50  #5")
    rig.draw()
  }
}

@Suite("The overlay beside the wall")
struct OverlayPlaceTests {
  private func totals(players count: Int) throws -> PlayerTotals {
    let rig = StageRig()
    let image = try TestImage.flat(frames: 30, width: 30, height: 20)
    var options = GIFPlayer.Options()
    options.budget = rig.services.budget
    let players = (0..<count).map { _ in
      GIFPlayer(image, options: options, clock: rig.clock, pool: .inline)
    }
    for frame in 0..<30 { for player in players { player.seek(toFrame: frame) } }
    return PlayerTotals(players: players, budget: rig.services.budget.snapshot)
  }

  @Test("What players share is counted once")
  func shared() throws {
    let (one, many) = (try totals(players: 1), try totals(players: 24))
    #expect(many.players == 24 && many.decodedFrames == 30 && one.decodedFrames == 30)
    #expect(many.residentBytes == one.residentBytes && many.residentFrames == one.residentFrames)
    #expect(many.heldBytes > 0 && many.heldBytes <= many.limit)
  }

  @Test("The overlay takes the right side where there is room, and otherwise covers a corner")
  func place() {
    let overlay = DebugOverlay()
    let rest = overlay.place(in: PixelRect(0, 0, 1280, 756))
    #expect(rest == PixelRect(0, 0, 960, 756) && overlay.frame == PixelRect(960, 0, 320, 756))
    let small = PixelRect(0, 0, 600, 400)
    #expect(overlay.place(in: small) == small && overlay.frame.maxX <= 600)
  }

  @Test("The cells of the cache map stand above the bars of their delays")
  func aligned() {
    var surface = Surface(width: 300, height: 30, color: .black)
    CacheMapGraph(tiers: Array(repeating: .hot, count: 7), playhead: nil).draw(
      on: &surface, in: PixelRect(0, 0, 300, 10), scale: 1)
    BarGraph(values: Array(repeating: 5, count: 7), color: Theme.line).draw(
      on: &surface, in: PixelRect(0, 20, 300, 10), scale: 1)
    for x in 0..<300 {
      #expect((surface[x, 5] == Theme.accent.word) == (surface[x, 25] == Theme.line.word), "\(x)")
    }
  }
}
