import GIFCaching
import GIFDecoding
import GIFFlashes
import GIFLoading
import GIFTestSupport
import GIFTimeline
import Synchronization
import Testing

@testable import GIFPlayback
@testable import GIFStage

@Suite("Views: images that are held because of their flashes")
struct HeldImageTests {
  private let rig = StageRig(
    judge: FlashJudge { judge in
      judge()
      return true
    })

  /// Black and white in turn, ten flashes a second.
  private static func blinking() throws -> GIFImage {
    var writer = GIFWriter(width: 8, height: 6, palette: [0x000000, 0xFFFFFF])
    writer.loop(0)
    for place in 0..<4 {
      writer.graphicsControl(disposal: 1, delay: 5)
      writer.image(width: 8, height: 6, indices: [UInt8](repeating: UInt8(place % 2), count: 48))
    }
    writer.trailer()
    return try GIFImage(bytes: writer.bytes)
  }

  private func view(_ policy: FlashPolicy, width: Int, height: Int) throws -> AnimatedImageView {
    var properties = ImageProperties(source: "a.gif")
    (properties.flashPolicy, properties.fade) = (policy, .zero)
    let view = AnimatedImageView(properties, services: rig.services)
    rig.show(view, width: width, height: height)
    rig.loader.complete("a.gif", with: .success(try Self.blinking()))
    rig.settle()
    return view
  }

  @Test("The first frame stays, with the reason on it; a tap plays it, the next one pauses it")
  func tap() throws {
    let view = try view(.hold, width: 400, height: 300)
    let log = ViewLog(view)
    rig.run(.seconds(2))
    #expect(view.shown?.index == 0)
    let notice = FlashText.notice(view.flashState, isAlone: true)
    #expect(notice == ["Flashes more than 3 times a second", "Click or space plays it"])
    rig.draw()
    view.tapped()
    rig.run(.milliseconds(100))
    #expect(view.shown?.index == 2 && view.isPlaying)
    #expect(FlashText.notice(view.flashState, isAlone: true).isEmpty)
    #expect(log.words.contains("flashes fails, plays"))
    // The whole view is drawn without the notice.
    #expect(!rig.draw().isEmpty)
    view.tapped()
    #expect(!view.isPlaying)
  }

  @Test("A small view plays; a larger one holds, without an order to play")
  func sizes() throws {
    let view = try view(.hold, width: 100, height: 75)
    rig.run(.milliseconds(120))
    #expect(view.shown?.index == 2 && view.flashState == .passes)
    view.frame.width = 400
    view.frame.height = 300
    rig.run(.seconds(3))
    let index = view.shown?.index
    rig.run(.seconds(3))
    #expect(view.shown?.index == index)
    #expect(view.flashState.report?.result == .fails)
  }

  @Test("Another resize mode is another size, at once")
  func resizeModes() throws {
    // 80 x 60, then 200 x 150 of which the view shows a part.
    let view = try view(.hold, width: 200, height: 60)
    rig.run(.milliseconds(120))
    #expect(view.shown?.index == 2 && view.flashState == .passes)
    view.properties.resizeMode = .cover
    #expect(view.flashState != .passes)
    rig.run(.seconds(3))
    #expect(view.flashState.name == "held")
  }

  @Test("A player that replaces another one still plays what the user asked for; another source does not")
  func asked() throws {
    let view = try view(.hold, width: 400, height: 300)
    view.tapped()
    view.properties.loopCount = .plays(5)
    rig.run(.milliseconds(70))
    #expect(view.flashState.name == "warned")
    view.properties.source = "b.gif"
    rig.settle()
    rig.loader.complete("b.gif", with: .success(try Self.blinking()))
    rig.run(.seconds(1))
    #expect(view.flashState.name == "held" && view.shown?.index == 0)
  }

  @Test("A double tap opens a held image of a wall, and leaves it held")
  func doubleTap() throws {
    var options = PlayerScene.Options(items: (0..<2).map { GridItem(id: $0, source: "a.gif") })
    (options.image.flashPolicy, options.image.fade) = (.hold, .zero)
    let scene = PlayerScene(options, services: rig.services)
    rig.loader["a.gif"] = try Self.blinking()
    rig.show(scene, width: 640, height: 480)
    rig.run(.seconds(1))
    let grid = try #require(scene.grid)
    let place = grid.gridLayout.rect(of: 1)
    #expect(grid.imageView(of: 1)?.flashState.name == "held")
    for _ in 0..<2 {
      rig.stage?.pointer(PointerEvent(.began, x: place.x + 5, y: place.y + 5))
      rig.stage?.pointer(PointerEvent(.ended, x: place.x + 5, y: place.y + 5))
      rig.settle()
    }
    #expect(scene.openedItem == 1)
    rig.run(.seconds(2))
    #expect(scene.selectedView?.flashState.name == "held")
    scene.press(.escape)
    rig.run(.seconds(2))
    let view = try #require(grid.imageView(of: 1))
    #expect(view.flashState.name == "held")
    let index = view.shown?.index
    scene.press(.character(" "))
    rig.run(.seconds(2))
    #expect(view.shown?.index == index)
  }

  @Test("The bar says that a GIF is being checked, until there is a verdict")
  func bar() throws {
    let judging = Mutex<(@Sendable () -> Void)?>(nil)
    let rig = StageRig(
      judge: FlashJudge { judge in
        judging.withLock { $0 = judge }
        return true
      })
    var options = PlayerScene.Options(items: [GridItem(id: 0, source: "a.gif")])
    (options.image.flashPolicy, options.image.fade) = (.hold, .zero)
    let scene = PlayerScene(options, services: rig.services)
    rig.show(scene, width: 640, height: 480)
    rig.loader.complete("a.gif", with: .success(try Self.blinking()))
    rig.run(.seconds(1))
    #expect(scene.bar.status == ["#0 of 4", "checking flashes"])
    // Taken: kept, they would hold the judge that holds them.
    while let thread = judging.withLock({ $0.take() }) { thread() }
    rig.run(.milliseconds(20))
    #expect(scene.bar.status == ["#0 of 4", "0:00.00 / 0:00.20", "held: flashes more than 3 times a second"])
  }

  @Test("What plays beside others may flash in its own part of a field only")
  func grid() throws {
    var properties = GridProperties()
    properties.items = ["a.gif", "b.gif"].enumerated().map { GridItem(id: $0, source: $1) }
    properties.image.flashPolicy = .hold
    properties.columns = .count(2)
    let grid = GridView(properties, services: rig.services)
    rig.show(grid, width: 300, height: 200)
    for name in ["a.gif", "b.gif"] { rig.loader.complete(name, with: .success(try Self.blinking())) }
    rig.run(.seconds(1))
    for (_, view) in grid.imageViews {
      #expect(view.flashState.name == "held" && view.shown?.index == 0)
      let notice = FlashText.notice(view.flashState, isAlone: false)
      #expect(notice == ["Flashes too much beside other GIFs", "Click plays it"])
    }
  }
}
