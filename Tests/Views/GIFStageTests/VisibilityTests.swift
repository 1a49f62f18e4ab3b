import GIFCaching
import GIFDecoding
import GIFPlayback
import GIFStage
import GIFTimeline
import Testing

@Suite("View: visibility follows from the tree")
struct VisibilityTests {
  /// A root of 40 x 30 with a child of 20 x 10 that has a child of its own.
  private func tree() -> (rig: StageRig, root: View, child: View, inner: View) {
    let (root, child, inner) = (View(), View(), View())
    child.frame = PixelRect(5, 5, 20, 10)
    inner.frame = PixelRect(2, 2, 4, 4)
    root.add(child)
    child.add(inner)
    let rig = StageRig()
    rig.show(root, width: 40, height: 30)
    return (rig, root, child, inner)
  }

  @Test("A view outside a stage is hidden, and so are a removed one and those of a stage that is gone")
  func stages() {
    let view = View()
    view.frame = PixelRect(0, 0, 9, 9)
    #expect(view.visibility == .hidden)
    let (rig, root, child, inner) = tree()
    #expect([root, child, inner].allSatisfy { $0.visibility == .visible })
    child.removeFromParent()
    #expect(child.visibility == .hidden && inner.visibility == .hidden && root.visibility == .visible)
    root.add(child)
    #expect(inner.visibility == .visible)
    var stage: Stage? = Stage(root: view, width: 9, height: 9, clock: rig.clock)
    #expect(view.visibility == .visible)
    withExtendedLifetime(stage) {}
    stage = nil
    #expect(view.visibility == .hidden)
  }

  @Test("Hidden and fully transparent views hide their children")
  func hiding() {
    let (rig, root, child, inner) = tree()
    defer { withExtendedLifetime(rig) {} }
    child.isHidden = true
    #expect(child.visibility == .hidden && inner.visibility == .hidden)
    child.isHidden = false
    #expect(inner.visibility == .visible)
    root.opacity = 0
    #expect([root, child, inner].allSatisfy { $0.visibility == .hidden })
    root.opacity = 0.1
    #expect([root, child, inner].allSatisfy { $0.visibility == .visible })
  }

  @Test("Within half a stage outside it a view is near, further away it is hidden")
  func distances() {
    let (rig, _, child, inner) = tree()
    for (x, y, expected) in [
      (39, 0, Visibility.visible), (40, 0, .near), (59, 0, .near), (60, 0, .hidden), (-19, 0, .visible),
      (-20, 0, .near), (-39, 0, .near), (-40, 0, .hidden), (0, 29, .visible), (0, 30, .near), (0, 44, .near),
      (0, 45, .hidden), (0, -25, .hidden), (0, -24, .near), (Int.max, Int.min, .hidden),
    ] {
      child.frame = PixelRect(x, y, 20, 10)
      #expect(child.visibility == expected, "\(x), \(y)")
    }
    // Of a view that is partly visible, a child may be near.
    child.frame = PixelRect(39, 0, 20, 10)
    #expect(child.visibility == .visible && inner.visibility == .near)
    rig.stage?.resize(width: 60, height: 30)
    #expect(inner.visibility == .visible)
    child.frame = PixelRect(0, 0, 0, 10)
    #expect(child.visibility == .hidden)
  }

  @Test("A child clipped by its parent is near")
  func clipped() {
    let (rig, _, child, inner) = tree()
    defer { withExtendedLifetime(rig) {} }
    inner.frame = PixelRect(21, 0, 4, 4)
    #expect(inner.visibility == .near)
    child.frame.width = 22
    #expect(inner.visibility == .visible)
  }

  @Test("Opacity applies to all drawing of a view and its children")
  func opacity() throws {
    final class Plate: View {
      override func draw(on surface: inout Surface) { surface.fill(bounds, Color(0xFFFFFF)) }
    }
    let (root, plate) = (View(), Plate())
    plate.frame = PixelRect(0, 0, 5, 5)
    root.add(plate)
    let rig = StageRig()
    let stage = rig.show(root, width: 10, height: 10)
    stage.background = Color(0)
    root.opacity = 0.5
    plate.opacity = 0.5
    rig.draw()
    #expect(stage.surface[1, 1] & 0xFF == 64)
    plate.opacity = 0
    #expect(rig.draw() == [PixelRect(0, 0, 5, 5)] && stage.surface[1, 1] & 0xFF == 0)
    #expect(root.hit(x: 1, y: 1)?.view === root)
  }
}

@Suite("AnimatedImageView: stops when it is not seen")
struct HiddenImageTests {
  private let rig = StageRig()
  private let root = View()
  private let parent = View()
  private let view: AnimatedImageView
  private let log: ViewLog

  /// A playing view of 12 x 8 in a parent of that size, with frames of 100 ms.
  init() throws {
    rig.loader["a"] = try TestImage.flat(frames: 6)
    var properties = ImageProperties(source: "a")
    properties.fade = .milliseconds(160)
    properties.placeholder = Color(0x777777)
    view = AnimatedImageView(properties, services: rig.services)
    view.frame = PixelRect(0, 0, 12, 8)
    parent.frame = view.frame
    parent.add(view)
    root.add(parent)
    log = ViewLog(view)
    rig.show(root, width: 12, height: 8)
    rig.run(.milliseconds(250))
    #expect(log.take() == ["loaded 6", "frame 0", "frame 1", "frame 2"])
  }

  /// The ways to hide a view, and to show it again.
  enum Way: CaseIterable {
    case hidden, transparent, outside, removed, hiddenParent, transparentParent, removedParent
  }

  private func set(_ way: Way, isHidden: Bool) {
    switch way {
    case .hidden: view.isHidden = isHidden
    case .transparent: view.opacity = isHidden ? 0 : 1
    case .outside: view.frame.x = isHidden ? 1000 : 0
    case .removed: if isHidden { view.removeFromParent() } else { parent.add(view) }
    case .hiddenParent: parent.isHidden = isHidden
    case .transparentParent: parent.opacity = isHidden ? 0 : 1
    case .removedParent: if isHidden { parent.removeFromParent() } else { root.add(parent) }
    }
  }

  @Test(
    "No frame changes, no decoding, no memory and no ticks; then it resumes in place", arguments: Way.allCases
  )
  func stops(way: Way) {
    weak let player = view.player
    let budget = rig.services.budget
    set(way, isHidden: true)
    #expect(view.player == nil && view.shown == nil && player == nil)
    #expect(budget.heldBytes == 0)
    rig.run(.seconds(10))
    #expect(log.take().isEmpty && rig.clock.nextDeadline == nil && rig.stage?.tick() == nil)
    set(way, isHidden: false)
    rig.run(.milliseconds(40))
    #expect(log.take() == ["frame 2"])
    // 50 ms of the frame were left.
    rig.run(.milliseconds(20))
    #expect(log.take() == ["frame 3"])
  }

  @Test("A view that appears again shows its frame without a placeholder and without a fade")
  func noFlash() throws {
    let stage = try #require(rig.stage)
    stage.background = Color(0x010203)
    view.isHidden = true
    rig.draw()
    view.isHidden = false
    // The frame is not there yet.
    rig.draw()
    #expect(stage.surface[6, 4] == Color(0x010203).word)
    rig.settle()
    rig.draw()
    #expect(stage.surface[6, 4] == TestImage.pixel(2))
  }

  @Test("A paused view stays paused, and a finished one stays finished")
  func paused() {
    view.perform(.pause)
    view.isHidden = true
    view.isHidden = false
    rig.run(.seconds(1))
    #expect(log.take() == ["pause", "frame 2"] && view.player?.state == .paused)
    view.properties.loopCount = .plays(1)
    view.perform(.play)
    rig.run(.seconds(1))
    #expect(log.take().suffix(2) == ["loop 1", "finished"] && !view.isPlaying)
    view.isHidden = true
    view.isHidden = false
    rig.run(.seconds(1))
    #expect(log.take() == ["frame 5"] && view.player?.state == .finished)
  }

  @Test("A tap on a finished animation plays it again")
  func replay() {
    view.properties.loopCount = .plays(1)
    rig.run(.seconds(1))
    _ = log.take()
    view.perform(.toggle)
    rig.settle()
    #expect(log.take() == ["play", "frame 0"])
  }
}
