import GIFDecoding
import GIFPlayback
import GIFTimeline
import Testing

@testable import GIFStage

@Suite("PlayerScene: a drag stays with its item")
struct ScrubbedItemTests {
  private let rig = StageRig()
  private let scene: PlayerScene
  private let log = Words()

  private final class Words {
    var words: [String] = []

    func take() -> [String] {
      defer { words = [] }
      return words
    }
  }

  /// A wall of forty; each item has twelve frames of 100 ms, but the second has three.
  init() throws {
    rig.loader["a"] = try TestImage.flat(frames: 12, width: 30, height: 20)
    rig.loader["b"] = try TestImage.flat(frames: 3, width: 30, height: 20)
    var options = PlayerScene.Options(
      items: (0..<40).map { GridItem(id: $0, source: $0 == 1 ? "b" : "a") })
    options.image.fade = .zero
    scene = PlayerScene(options, services: rig.services)
    scene.onItemEvent = { [log] item, event in
      switch event.kind {
      case .playbackChanged(let plays): log.words.append("\(plays ? "play" : "pause") \(item)")
      case .scrubbed(let scrub): log.words.append("\(scrub.phase) \(item)")
      default: break
      }
    }
    scene.onEvent = { [log] event in
      if case .rangeChanged(let item, let range) = event { log.words.append("range \(item) \(range)") }
    }
    rig.show(scene, width: 400, height: 244)
    rig.run(.milliseconds(250))
  }

  private var grid: GridView { get throws { try #require(scene.grid) } }

  private func point(_ phase: PointerEvent.Phase, at value: Int, isRange: Bool = false) {
    let scrubber = scene.bar.scrubber
    let geometry = ScrubberGeometry(width: scrubber.frame.width, margin: 14, reach: 10)
    let x = scrubber.frame.x + geometry.x(of: value, in: scrubber.model)
    rig.stage?.pointer(PointerEvent(phase, x: x, y: scene.bar.frame.y + (isRange ? 34 : 14)))
    rig.settle()
  }

  @Test("If another item is selected during a drag, the dragged one continues and the other is unchanged")
  func selection() throws {
    let grid = try grid
    grid.perform(.pause, ofItem: 1)
    point(.began, at: 5)
    scene.press(.character("n"))
    rig.settle()
    #expect(scene.selectedItem == 1 && !scene.bar.scrubber.isHidden)
    #expect(scene.bar.scrubber.model.maximum == 11 && scene.bar.button.isPlaying)
    point(.moved, at: 7)
    #expect(grid.imageView(of: 0)?.shown?.index == 7)
    point(.ended, at: 7)
    #expect(log.take() == ["pause 1", "began 0", "changed 0", "changed 0", "ended 0"])
    #expect(grid.imageView(of: 0)?.isPlaying == true && grid.imageView(of: 1)?.isPlaying == false)
    #expect(scene.bar.scrubber.model.maximum == 2 && !scene.bar.button.isPlaying)
    rig.run(.milliseconds(100))
    #expect(grid.imageView(of: 0)?.shown?.index == 8)
  }

  @Test("An item scrolled away during a drag plays when it is visible again, with all events")
  func scrolling() throws {
    let grid = try grid
    point(.began, at: 5)
    scene.perform(.scrollToEnd)
    rig.run(.seconds(1))
    #expect(grid.imageView(of: 0) == nil)
    point(.ended, at: 5)
    #expect(log.take() == ["began 0", "changed 0", "ended 0"])
    let last = grid.visibleItems.upperBound - 1
    grid.perform(.pause, ofItem: last)
    #expect(log.take() == ["pause \(last)"])
    scene.perform(.scrollToStart)
    rig.run(.seconds(1))
    #expect(grid.imageView(of: 0)?.isPlaying == true && scene.bar.button.isPlaying)
    grid.perform(.pause, ofItem: 0)
    rig.settle()
    #expect(log.take() == ["pause 0"] && !scene.bar.button.isPlaying)
  }

  @Test("During a drag, playback events of other items are emitted")
  func others() throws {
    let grid = try grid
    point(.began, at: 2)
    grid.perform(.pause, ofItem: 2)
    #expect(log.take() == ["began 0", "pause 2"])
  }

  @Test("A drag of the range ends on its item, visible or not", arguments: [false, true])
  func range(isOutOfSight: Bool) throws {
    let grid = try grid
    point(.began, at: 0, isRange: true)
    point(.moved, at: 4, isRange: true)
    scene.perform(isOutOfSight ? .scrollToEnd : .select(by: 1))
    rig.run(.seconds(1))
    point(.ended, at: 4, isRange: true)
    #expect(log.take() == ["began 0", "changed 0", "ended 0", "range 0 4..<12"])
    #expect(grid.range(ofItem: 0) == 4..<12 && grid.range(ofItem: 1) == nil)
  }
}
