import GIFCaching
import GIFDecoding
import GIFPlayback
import GIFTimeline
import Testing

@testable import GIFStage

@Suite("AnimatedImageView: from a source to pictures")
struct AnimatedImageViewTests {
  /// A view of 12 x 8 on a stage, without a fade.
  private func view(
    _ source: String?, rig: StageRig, change: (inout ImageProperties) -> Void = { _ in }
  ) -> AnimatedImageView {
    var properties = ImageProperties(source: source)
    properties.fade = .zero
    change(&properties)
    let view = AnimatedImageView(properties, services: rig.services)
    rig.show(view, width: 12, height: 8)
    return view
  }

  private func pixel(_ rig: StageRig, _ x: Int = 6, _ y: Int = 4) -> UInt32? {
    rig.draw()
    return rig.stage?.surface[x, y]
  }

  @Test("Loading, playing and looping emit events in order")
  func plays() throws {
    let rig = StageRig()
    rig.loader["a"] = try TestImage.flat(frames: 3)
    var properties = ImageProperties(source: "a")
    properties.loopCount = .plays(2)
    let view = AnimatedImageView(properties, services: rig.services)
    let log = ViewLog(view)
    rig.show(view, width: 12, height: 8)
    rig.run(.seconds(1))
    #expect(
      log.words == [
        "loaded 3", "frame 0", "frame 1", "frame 2", "loop 1", "frame 0", "frame 1", "frame 2", "loop 2",
        "finished",
      ])
    #expect(pixel(rig) == TestImage.pixel(2))
  }

  @Test("A placeholder is shown while loading and on failure, and disappears with the first picture")
  func placeholder() throws {
    let rig = StageRig(isImmediate: false)
    let view = view("a", rig: rig) { $0.placeholder = Color(0x777777) }
    let log = ViewLog(view)
    #expect(pixel(rig, 0, 0) == Color(0x777777).word)
    rig.loader.complete("a", with: .success(try TestImage.flat(frames: 2)))
    rig.settle()
    #expect(pixel(rig, 0, 0) == TestImage.pixel(0) && pixel(rig) == TestImage.pixel(0))
    view.properties.source = "b"
    #expect(pixel(rig) == Color(0x777777).word)
    rig.loader.complete("b", with: .failure(.test("not there")))
    rig.settle()
    guard case .failed = view.phase else { return #expect(Bool(false), "\(view.phase)") }
    #expect(pixel(rig, 0, 0) == Color(0x777777).word)
    #expect(log.take().suffix(1) == ["failed not there"])
  }

  @Test(
    "Where hovering plays: the first frame stands, the pointer plays it, a tap pauses it, leaving does, too")
  func hovered() throws {
    let rig = StageRig()
    rig.loader["a"] = try TestImage.flat(frames: 30)
    let view = view("a", rig: rig) { $0.playsOnHover = true }
    let log = ViewLog(view)
    defer { withExtendedLifetime(log) {} }
    rig.run(.seconds(1))
    #expect(!view.isPlaying && view.shown?.index == 0)
    for x in [3, 4] { rig.stage?.hover(at: (x, 3)) }
    rig.run(.milliseconds(250))
    #expect(view.isPlaying && view.shown?.index == 2)
    for phase in [PointerEvent.Phase.began, .ended] { rig.stage?.pointer(PointerEvent(phase, x: 3, y: 3)) }
    rig.stage?.hover(at: (5, 3))
    rig.run(.seconds(1))
    #expect(!view.isPlaying && view.shown?.index == 2)
    rig.stage?.hover(at: nil)
    rig.stage?.hover(at: (5, 3))
    rig.run(.milliseconds(100))
    #expect(view.isPlaying && view.shown?.index == 3)
    rig.stage?.hover(at: nil)
    #expect(!view.isPlaying)
    #expect(log.words.filter { $0 == "play" || $0 == "pause" } == ["play", "pause", "play", "pause"])
    // Another source starts over, also under a pointer that has not moved.
    rig.stage?.hover(at: (5, 3))
    view.show(view.properties)
    rig.settle()
    #expect(!view.isPlaying)
    rig.stage?.hover(at: (5, 4))
    #expect(view.isPlaying)
  }

  @Test("An image without frames is a failure")
  func noFrames() throws {
    let rig = StageRig()
    rig.loader["a"] = try TestImage.flat(frames: 0)
    let view = view("a", rig: rig)
    guard case .failed = view.phase else { return #expect(Bool(false), "\(view.phase)") }
  }

  @Test("A picture fades in, and then only its frames need ticks")
  func fade() throws {
    let rig = StageRig()
    rig.loader["a"] = try TestImage.flat(frames: 1)
    let view = view("a", rig: rig) {
      $0.fade = .milliseconds(160)
      $0.placeholder = Color(0)
    }
    // The first frame is 0x102030: red grows from 0 to 16.
    var reds: [UInt32] = []
    for _ in 0..<12 {
      reds.append(try #require(pixel(rig)) & 0xFF)
      rig.time.advance(by: .milliseconds(16))
      rig.settle()
    }
    #expect(reds.first == 0 && reds.last == 0x10 && reds == reds.sorted() && Set(reds).count > 5)
    #expect(rig.stage?.tick() == nil)
    #expect(view.shown?.index == 0)
  }

  @Test("After a change of source, late pictures and events of the old one are dropped")
  func reuse() throws {
    let rig = StageRig(isImmediate: false)
    let view = view("a", rig: rig) { $0.placeholder = Color(0x777777) }
    let log = ViewLog(view)
    let image = try TestImage.flat(frames: 3)
    view.show(ImageProperties(source: "b"))
    #expect(rig.loader.waiting == ["b"])
    rig.loader.complete("a", with: .success(image))
    rig.settle()
    #expect(log.words.isEmpty && view.shown == nil)
    rig.loader.complete("b", with: .success(image))
    rig.run(.milliseconds(250))
    #expect(log.take() == ["loaded 3", "frame 0", "frame 1", "frame 2"])
    view.show(ImageProperties(source: "c"))
    #expect(view.shown == nil && view.player == nil)
    #expect(pixel(rig) == Theme.panel.word)
    rig.run(.seconds(1))
    #expect(log.words.isEmpty && rig.clock.nextDeadline == nil)
  }

  @Test("A view that shows an item again resumes at its position, playing or paused")
  func resumes() throws {
    let rig = StageRig()
    rig.loader["a"] = try TestImage.flat(frames: 5)
    rig.loader["b"] = try TestImage.flat(frames: 2)
    let view = view("a", rig: rig)
    rig.run(.milliseconds(230))
    view.perform(.pause)
    let snapshot = try #require(view.snapshot)
    #expect(snapshot.frame == 2 && snapshot.elapsed == .milliseconds(30) && snapshot.state == .paused)
    view.show(ImageProperties(source: "b"))
    rig.run(.milliseconds(300))
    #expect(view.isPlaying)
    view.show(ImageProperties(source: "a"), resuming: snapshot)
    rig.run(.milliseconds(300))
    #expect(view.shown?.index == 2 && !view.isPlaying)
    view.perform(.play)
    rig.run(.milliseconds(60))
    #expect(view.shown?.index == 2)
    rig.run(.milliseconds(20))
    #expect(view.shown?.index == 3)
  }

  @Test("A tap toggles playback, and a drag does not")
  func taps() throws {
    let rig = StageRig()
    rig.loader["a"] = try TestImage.flat(frames: 3)
    let view = view("a", rig: rig)
    let log = ViewLog(view)
    func press(to x: Int) {
      rig.stage?.pointer(PointerEvent(.began, x: 1, y: 1))
      rig.stage?.pointer(PointerEvent(.ended, x: x, y: 1))
    }
    press(to: 2)
    rig.run(.seconds(1))
    press(to: 11)
    rig.run(.seconds(1))
    #expect(log.take() == ["tap", "pause"])
    press(to: 1)
    rig.run(.milliseconds(120))
    #expect(log.take() == ["tap", "play", "frame 1"])
    view.togglesOnTap = false
    press(to: 1)
    #expect(log.take().isEmpty)
  }

  @Test("Steps pause, seeks continue, restarts start at frame 0, and a finished image plays again")
  func commands() throws {
    let rig = StageRig()
    rig.loader["a"] = try TestImage.flat(frames: 4)
    let view = view("a", rig: rig) { $0.loopCount = .plays(1) }
    let log = ViewLog(view)
    view.perform(.step(by: 2))
    rig.run(.milliseconds(300))
    #expect(log.take() == ["pause", "frame 2"])
    view.perform(.seek(toFrame: 1))
    rig.run(.milliseconds(300))
    #expect(log.take() == ["frame 1"])
    view.perform(.restart)
    rig.run(.milliseconds(100))
    #expect(log.take() == ["play", "frame 0", "frame 1"])
    rig.run(.milliseconds(400))
    #expect(log.take() == ["frame 2", "frame 3", "loop 1", "finished"])
    view.perform(.play)
    rig.settle()
    #expect(log.take() == ["play", "frame 0"])
  }

  @Test("Hidden views load and decode nothing; near views decode their first frames and are paused")
  func visibility() throws {
    let rig = StageRig()
    rig.loader["a"] = try TestImage.flat(frames: 6)
    let view = view(nil, rig: rig)
    let log = ViewLog(view)
    view.move(to: .hidden)
    view.properties.source = "a"
    rig.run(.seconds(1))
    #expect(rig.loader.sources.isEmpty && view.player == nil)
    view.move(to: .near)
    rig.run(.seconds(1))
    #expect(log.take() == ["loaded 6"])
    #expect(view.player?.state == .paused && view.shown?.index == 0)
    view.move(to: .visible)
    rig.run(.milliseconds(100))
    #expect(log.take() == ["frame 0", "frame 1"])
    let decoded = try #require(view.player).cacheStatistics.decodedFrames
    #expect(decoded >= 2)
    view.move(to: .hidden)
    #expect(view.player == nil && view.shown == nil && rig.clock.nextDeadline == nil)
    rig.run(.seconds(1))
    view.move(to: .visible)
    rig.run(.milliseconds(100))
    #expect(log.take() == ["frame 1", "frame 2"])
  }

  @Test("A view without a size loads nothing")
  func noPlace() throws {
    let rig = StageRig()
    rig.loader["a"] = try TestImage.flat(frames: 3)
    let view = AnimatedImageView(ImageProperties(source: "a"), services: rig.services)
    rig.show(view, width: 0, height: 0)
    #expect(rig.loader.sources.isEmpty && view.image == nil && view.player == nil)
    rig.stage?.resize(width: 12, height: 8)
    rig.settle()
    #expect(view.shown?.index == 0)
  }
}

@Suite("AnimatedImageView: properties set while it plays")
struct ImagePropertyTests {
  private func playing(_ frames: Int, rig: StageRig) throws -> AnimatedImageView {
    rig.loader["a"] = try TestImage.flat(frames: frames, width: 24, height: 16)
    var properties = ImageProperties(source: "a")
    properties.fade = .zero
    let view = AnimatedImageView(properties, services: rig.services)
    rig.show(view, width: 12, height: 8)
    return view
  }

  @Test("Reverse playback continues from the current frame, without a gap")
  func mode() throws {
    let rig = StageRig()
    let view = try playing(5, rig: rig)
    rig.run(.milliseconds(250))
    let log = ViewLog(view)
    view.properties.mode = .reverse
    #expect(view.shown?.index == 2)
    rig.run(.milliseconds(300))
    #expect(log.take() == ["frame 1", "frame 0", "loop 1", "frame 4"])
  }

  @Test("A range with the current frame continues there, another range starts at its first frame")
  func range() throws {
    let rig = StageRig()
    let view = try playing(6, rig: rig)
    rig.run(.milliseconds(250))
    let log = ViewLog(view)
    view.properties.range = 1..<4
    rig.run(.milliseconds(200))
    #expect(log.take() == ["frame 3", "loop 1", "frame 1"])
    view.properties.range = 4..<900
    rig.run(.milliseconds(100))
    #expect(log.take() == ["frame 4", "frame 5"])
    view.perform(.pause)
    view.properties.range = nil
    rig.run(.seconds(1))
    #expect(log.take() == ["pause"] && view.shown?.index == 5)
  }

  @Test("Speed changes without a jump and without another player")
  func rate() throws {
    let rig = StageRig()
    let view = try playing(5, rig: rig)
    let player = view.player
    rig.run(.milliseconds(50))
    view.properties.rate = 5
    rig.run(.milliseconds(10))
    #expect(view.shown?.index == 1 && view.player === player)
  }

  @Test("Pictures are decoded at their shown size, and again when a resize is stable")
  func size() throws {
    let rig = StageRig()
    let view = try playing(5, rig: rig)
    #expect(view.shown?.pixels.width == 12)
    rig.run(.milliseconds(150))
    let log = ViewLog(view)
    let player = view.player
    for width in [18, 20, 6, 15] {
      rig.stage?.resize(width: width, height: width * 2 / 3)
      rig.run(.milliseconds(10))
      #expect(view.player === player)
    }
    rig.run(.milliseconds(130))
    #expect(view.player !== player && view.shown?.pixels.width == 15)
    rig.run(.milliseconds(130))
    // A picture decoded at another size is no frame change, and time continues.
    #expect(log.take() == ["frame 2", "frame 3", "frame 4"])
    view.properties.resizeMode = .stretch
    view.properties.decodesToSize = false
    rig.run(.milliseconds(200))
    #expect(view.shown?.pixels.width == 24)
  }

  @Test("Only the part of the view that changes is drawn, in each resize mode")
  func damage() throws {
    for mode in ResizeMode.allCases {
      let rig = StageRig()
      rig.loader["a"] = try TestImage.dots(frames: 4)
      var properties = ImageProperties(source: "a")
      properties.fade = .zero
      properties.resizeMode = mode
      let view = AnimatedImageView(properties, services: rig.services)
      rig.show(view, width: 32, height: 32)
      rig.run(.milliseconds(250))
      rig.draw()
      rig.run(.milliseconds(100))
      let place = view.imageRect
      let dot = PictureLayout.shown(
        PixelRect(3, 1, 1, 1), of: try #require(PixelSize(width: 8, height: 4)), in: place)
      #expect(rig.draw() == [dot.intersection(PixelRect(0, 0, 32, 32))], "\(mode)")
      #expect(rig.stage?.surface[dot.x + 1, dot.y + 1] == Color(0xFF0000).word)
    }
  }

  @Test("Backgrounds show only where the picture is transparent")
  func backgrounds() throws {
    let rig = StageRig()
    let view = try playing(2, rig: rig)
    view.properties.resizeMode = .contain
    view.properties.background = .color(Color(0xABCDEF))
    rig.stage?.resize(width: 40, height: 8)
    rig.settle()
    rig.draw()
    let surface = try #require(rig.stage?.surface)
    #expect(surface[20, 4] == TestImage.pixel(0))
    #expect(surface[1, 4] == Theme.ground.word)
  }

  @Test("A change of properties requires the least work")
  func changes() {
    let old = ImageProperties(source: "a")
    func changes(_ body: (inout ImageProperties) -> Void) -> ImageProperties.Changes {
      var new = old
      body(&new)
      return new.changes(from: old)
    }
    #expect(changes { _ in } == [])
    #expect(changes { $0.source = nil } == .source)
    #expect(changes { $0.mode = .bounce } == .order)
    #expect(changes { $0.range = 1..<2 } == .order)
    #expect(changes { $0.loopCount = .forever } == .schedule)
    #expect(changes { $0.delayPolicy = .encoded } == .schedule)
    #expect(changes { $0.latePolicy = .wait } == .schedule)
    #expect(changes { $0.rate = 2 } == .rate)
    #expect(changes { $0.resizeMode = .cover } == [.size, .appearance])
    #expect(changes { $0.background = .checker } == .appearance)
    #expect(
      changes {
        $0.fade = .zero
        $0.autoplays = false
      } == [])
  }
}
