import GIFDecoding
import GIFPlayback
import GIFTimeline
import Testing

@testable import GIFStage

/// A view of one colour that counts calls.
private final class Plate: View {
  let color: Color
  var takesPointers = false
  var takesWheel = false
  var pointers: [PointerEvent] = []
  var turns: [Int] = []
  var drawn = 0
  var layouts = 0
  var wish: PlaybackInstant?

  init(_ color: UInt32, _ frame: PixelRect) {
    self.color = Color(color)
    super.init()
    self.frame = frame
  }

  override func draw(on surface: inout Surface) {
    drawn += 1
    surface.fill(bounds, color)
  }

  override func layout() { layouts += 1 }

  override func update(at now: PlaybackInstant) -> PlaybackInstant? { wish }

  override func pointer(_ event: PointerEvent) -> Bool {
    pointers.append(event)
    return takesPointers
  }

  override func wheel(_ pixels: Int) -> Bool {
    turns.append(pixels)
    return takesWheel
  }
}

@Suite("View: frame, drawing, pointers")
struct ViewTests {
  /// A root of 40 x 30 with a child at (5, 5) that has a child partly outside of it.
  private func tree() -> (rig: StageRig, root: Plate, child: Plate, inner: Plate) {
    let root = Plate(0x111111, .empty)
    let child = Plate(0xFF0000, PixelRect(5, 5, 20, 10))
    let inner = Plate(0x00FF00, PixelRect(15, 5, 10, 10))
    root.add(child)
    child.add(inner)
    let rig = StageRig()
    rig.show(root, width: 40, height: 30)
    rig.draw()
    return (rig, root, child, inner)
  }

  @Test("Children are drawn over their parents, inside them only")
  func drawn() throws {
    let (rig, _, _, _) = tree()
    let surface = try #require(rig.stage?.surface)
    for y in 0..<30 {
      for x in 0..<40 {
        let isChild = (5..<25).contains(x) && (5..<15).contains(y)
        let isInner = (20..<25).contains(x) && (10..<15).contains(y)
        let expected = isInner ? Color(0x00FF00) : isChild ? Color(0xFF0000) : Color(0x111111)
        #expect(surface[x, y] == expected.word, "\(x), \(y)")
      }
    }
  }

  @Test("Only changes are redrawn, in the stage's pixels and clipped by the parents")
  func damage() {
    let (rig, _, child, inner) = tree()
    #expect(rig.draw().isEmpty)
    inner.invalidate(PixelRect(1, 1, 2, 2))
    #expect(rig.draw() == [PixelRect(21, 11, 2, 2)])
    inner.invalidate()
    #expect(rig.draw() == [PixelRect(20, 10, 5, 5)])
    child.isHidden = true
    #expect(rig.draw() == [PixelRect(5, 5, 20, 10)])
    inner.invalidate()
    #expect(rig.draw().isEmpty)
    let drawings = child.drawn
    child.isHidden = false
    rig.draw()
    #expect(child.drawn == drawings + 1)
  }

  @Test("A moved view leaves no pixels behind and is laid out only when its size changes")
  func moved() throws {
    let (rig, _, child, _) = tree()
    let layouts = child.layouts
    child.frame = PixelRect(30, 20, 20, 10)
    #expect(Set(rig.draw()) == [PixelRect(5, 5, 20, 10), PixelRect(30, 20, 10, 10)])
    #expect(try #require(rig.stage?.surface)[6, 6] == Color(0x111111).word)
    #expect(child.layouts == layouts)
    child.frame.width = 5
    #expect(child.layouts == layouts + 1)
    child.frame = PixelRect(.max, .min, .max, .max)
    rig.draw()
  }

  @Test("A removed view disappears, and a view added elsewhere leaves its parent")
  func removed() {
    let (rig, root, child, inner) = tree()
    inner.removeFromParent()
    #expect(rig.draw() == [PixelRect(20, 10, 5, 5)])
    #expect(inner.parent == nil && child.children.isEmpty)
    root.add(inner)
    #expect(rig.draw() == [PixelRect(15, 5, 10, 10)])
    child.add(inner)
    #expect(root.children.count == 1 && inner.parent === child)
    rig.draw()
    inner.removeFromParent()
    inner.removeFromParent()
  }

  @Test("A stage of another size lays out and draws everything; one of the same size nothing")
  func resized() throws {
    let (rig, root, _, _) = tree()
    let stage = try #require(rig.stage)
    stage.resize(width: 40, height: 30)
    #expect(rig.draw().isEmpty)
    let layouts = root.layouts
    stage.resize(width: 60, height: 20)
    #expect(root.frame == PixelRect(0, 0, 60, 20) && root.layouts == layouts + 1)
    #expect(rig.draw() == [PixelRect(0, 0, 60, 20)])
    stage.resize(width: 60, height: 20, scale: 2)
    #expect(root.layouts == layouts + 2 && root.scale == 2)
    stage.resize(width: -1, height: 0, scale: 99)
    #expect(stage.scale == 4 && rig.draw().isEmpty)
  }

  @Test("The next tick is the earliest of all views and the clock")
  func wishes() {
    let (rig, _, child, inner) = tree()
    #expect(rig.stage?.tick() == nil)
    let now = rig.clock.now
    child.wish = now + .milliseconds(30)
    inner.wish = now + .milliseconds(20)
    #expect(rig.stage?.tick() == now + .milliseconds(20))
  }

  @Test("A press goes to the front view, then to its parents; the handling view gets the later events")
  func pointers() throws {
    let (rig, root, child, inner) = tree()
    let stage = try #require(rig.stage)
    child.takesPointers = true
    stage.pointer(PointerEvent(.began, x: 22, y: 12))
    #expect(inner.pointers == [PointerEvent(.began, x: 2, y: 2)])
    #expect(child.pointers == [PointerEvent(.began, x: 17, y: 7)])
    stage.pointer(PointerEvent(.moved, x: 0, y: 0))
    stage.pointer(PointerEvent(.ended, x: 39, y: 29))
    stage.pointer(PointerEvent(.moved, x: 22, y: 12))
    #expect(
      child.pointers.dropFirst() == [PointerEvent(.moved, x: -5, y: -5), PointerEvent(.ended, x: 34, y: 24)])
    #expect(inner.pointers.count == 1 && root.pointers.isEmpty)
    stage.pointer(PointerEvent(.began, x: 1, y: 1))
    stage.pointer(PointerEvent(.began, x: 500, y: 1))
    #expect(root.pointers == [PointerEvent(.began, x: 1, y: 1)])
  }

  @Test("A second press cancels the first; a released view gets nothing")
  func cancelled() throws {
    let (rig, root, child, _) = tree()
    let stage = try #require(rig.stage)
    child.takesPointers = true
    stage.pointer(PointerEvent(.began, x: 6, y: 6))
    stage.pointer(PointerEvent(.began, x: 7, y: 6))
    #expect(child.pointers.map(\.phase) == [.began, .cancelled, .began])
    var gone: Plate? = Plate(0, PixelRect(30, 20, 5, 5))
    gone?.takesPointers = true
    root.add(try #require(gone))
    stage.pointer(PointerEvent(.began, x: 31, y: 21))
    gone?.removeFromParent()
    gone = nil
    stage.pointer(PointerEvent(.ended, x: 31, y: 21))
  }

  @Test("The wheel goes to parents until a view handles it")
  func wheel() throws {
    let (rig, root, child, inner) = tree()
    child.takesWheel = true
    rig.stage?.wheel(40, x: 22, y: 12)
    rig.stage?.wheel(-7, x: 1, y: 1)
    rig.stage?.wheel(3, x: -1, y: 1)
    #expect(inner.turns == [40] && child.turns == [40] && root.turns == [-7])
  }

  @Test("Taps may move a little; a drag that returns is no tap")
  func taps() {
    var tap = TapRecognizer()
    func take(_ events: [(PointerEvent.Phase, Int)], scale: Int = 1) -> [Bool] {
      events.map { tap.take(PointerEvent($0.0, x: $0.1, y: 0), scale: scale) }
    }
    #expect(take([(.began, 10), (.moved, 14), (.ended, 16)]) == [false, false, true])
    #expect(take([(.began, 10), (.ended, 17)]) == [false, false])
    #expect(take([(.began, 10), (.ended, 17)], scale: 2) == [false, true])
    #expect(take([(.began, 10), (.moved, 30), (.moved, 10), (.ended, 10)]) == [false, false, false, false])
    #expect(take([(.began, 10), (.cancelled, 0), (.ended, 10)]) == [false, false, false])
    #expect(take([(.ended, 10)]) == [false])
  }
}

@Suite("View: events and lifetimes")
struct ViewEventTests {
  @Test("Taps bubble from child to parent, scrolling is for direct handlers only")
  func routes() {
    let (root, child, inner) = (View(), View(), View())
    root.add(child)
    child.add(inner)
    var heard: [String] = []
    for (name, view) in [("root", root), ("child", child), ("inner", inner)] {
      view.on { [weak inner] in heard.append("\(name): \(ViewLog.word($0.kind)) \($0.target === inner)") }
    }
    inner.emit(.tapped)
    #expect(heard == ["inner: tap true", "child: tap true", "root: tap true"])
    heard = []
    inner.emit(.scrolled(visible: 0..<3))
    #expect(heard == ["inner: scrolled 0..<3 true"])
    heard = []
    child.emit(.finished)
    #expect(heard == ["child: finished false", "root: finished false"])
  }

  @Test("Each kind has its route")
  func kinds() throws {
    let image = try TestImage.flat(frames: 1)
    let bubbling: [ViewEvent.Kind] = [
      .loaded(image), .failed(.test("")), .finished, .playbackChanged(isPlaying: true), .tapped,
      .scrubbed(ScrubEvent(phase: .began, knob: .start, value: 0)),
    ]
    #expect(bubbling.allSatisfy { $0.route == .bubbling })
    #expect(ViewEvent.Kind.scrolled(visible: 0..<1).route == .direct)
  }

  @Test("Handlers are called in order; a handler may cancel or add one")
  func cancelling() {
    let view = View()
    var heard: [Int] = []
    var second: ViewSubscription?
    view.on { _ in
      heard.append(1)
      second?.cancel()
    }
    second = view.on { _ in heard.append(2) }
    view.on { [unowned view] _ in
      heard.append(3)
      if heard.count < 3 { view.on { _ in heard.append(4) } }
    }
    view.emit(.tapped)
    #expect(heard == [1, 3])
    view.emit(.tapped)
    #expect(heard == [1, 3, 1, 3, 4])
    second?.cancel()
  }

  @Test("A handler may remove the view from its tree; its former parent still gets the event")
  func removal() {
    let (root, child) = (View(), View())
    root.add(child)
    var heard = 0
    child.on { $0.target.removeFromParent() }
    root.on { _ in heard += 1 }
    child.emit(.tapped)
    #expect(heard == 1)
    child.emit(.tapped)
    #expect(heard == 1)
  }

  @Test("A view's subscriptions to others end with it")
  func observation() {
    let source = View()
    var heard = 0
    var listener: View? = View()
    weak let watched = listener
    listener?.observe(source) { _ in heard += 1 }
    source.emit(.tapped)
    listener = nil
    source.emit(.tapped)
    #expect(heard == 1 && watched == nil)
  }

  @Test("A released view releases its children, players and subscriptions")
  func lifetimes() throws {
    let rig = StageRig()
    rig.loader["a"] = try TestImage.flat(frames: 3)
    let root = View()
    rig.show(root, width: 20, height: 20)
    weak var watchedView: AnimatedImageView?
    weak var watchedPlayer: GIFPlayer?
    do {
      let view = AnimatedImageView(ImageProperties(source: "a"), services: rig.services)
      view.frame = PixelRect(0, 0, 20, 20)
      root.add(view)
      rig.run(.milliseconds(150))
      watchedView = view
      watchedPlayer = view.player
      #expect(view.shown?.index == 1)
      #expect(rig.clock.nextDeadline != nil)
      view.removeFromParent()
    }
    #expect(watchedView == nil && watchedPlayer == nil)
    #expect(rig.clock.nextDeadline == nil)
  }
}
