import GIFCaching
import GIFDecoding
import GIFLoading
import GIFPlayback
import GIFTimeline
import Testing

@testable import GIFStage

@Suite("PlayerScene")
struct PlayerSceneTests {
  /// The events of a scene, a word each.
  private final class Log {
    var words: [String] = []
    var isQuit = false

    func take() -> [String] {
      defer { words = [] }
      return words
    }

    func add(_ item: Int, _ event: ViewEvent) {
      switch event.kind {
      case .loaded: words.append("loaded \(item)")
      case .progressed: words.append("loading \(item)")
      case .failed(let error): words.append("failed \(item) \(error.reason)")
      case .frameChanged(let change): words.append("frame \(item) \(change.currentFrameIndex)")
      case .loopCompleted: words.append("loop \(item)")
      case .finished: words.append("finished \(item)")
      case .flashesJudged(let state): words.append("flashes \(item) \(state)")
      case .playbackChanged(let isPlaying): words.append("\(isPlaying ? "play" : "pause") \(item)")
      case .tapped, .scrolled: words.append("unexpected \(item)")
      case .scrubbed(let scrub):
        words.append("\(scrub.phase.rawValue) \(scrub.knob.rawValue) \(scrub.value)")
      }
    }

    func add(_ event: SceneEvent) {
      switch event {
      case .rangeChanged(let item, let range): words.append("range \(item) \(range)")
      case .rateChanged(let rate): words.append("rate \(rate)")
      case .modeChanged(let mode): words.append("mode \(mode)")
      case .resizeModeChanged(let mode): words.append("resize \(mode)")
      case .scrolled(let visible): words.append("scrolled \(visible)")
      case .selected(let item): words.append("selected \(item)")
      case .opened(let item): words.append(item.map { "opened \($0)" } ?? "closed")
      }
    }
  }

  private func scene(
    _ count: Int, frames: Int = 11, width: Int = 400, height: Int = 244, rig: StageRig
  ) throws -> (PlayerScene, Log) {
    rig.loader["a"] = try TestImage.flat(frames: frames, width: 30, height: 20)
    var options = PlayerScene.Options(
      items: (0..<count).map { GridItem(id: $0, source: "a", caption: "\($0)") })
    options.image.fade = .zero
    options.memoryInUse = { 123_456 }
    let scene = PlayerScene(options, services: rig.services)
    let log = Log()
    scene.onItemEvent = { log.add($0, $1) }
    scene.onEvent = { log.add($0) }
    scene.onQuit = { log.isQuit = true }
    rig.show(scene, width: width, height: height)
    return (scene, log)
  }

  @Test("The overlay knows the process's memory unless a program has another figure")
  func memory() throws {
    let options = PlayerScene.Options(items: [])
    #expect(try #require(options.memoryInUse()) > 1 << 20)
    #expect(try #require(options.memoryInUse()) < 1 << 40)
  }

  /// Drags in the control bar from one of its values to another, without a release.
  private func press(_ scene: PlayerScene, _ rig: StageRig, at value: Int, isRange: Bool = false) {
    rig.stage?.pointer(PointerEvent(.began, x: column(scene, value), y: row(scene, isRange)))
  }

  private func move(
    _ scene: PlayerScene, _ rig: StageRig, to value: Int, isRange: Bool = false, ends: Bool = false
  ) {
    rig.stage?.pointer(PointerEvent(ends ? .ended : .moved, x: column(scene, value), y: row(scene, isRange)))
    rig.settle()
  }

  private func column(_ scene: PlayerScene, _ value: Int) -> Int {
    let geometry = ScrubberGeometry(width: scene.bar.scrubber.frame.width, margin: 14, reach: 10)
    return scene.bar.scrubber.frame.x + geometry.x(of: value, in: scene.bar.scrubber.model)
  }

  private func row(_ scene: PlayerScene, _ isRange: Bool) -> Int { scene.bar.frame.y + (isRange ? 34 : 14) }

  @Test("Keys play, pause, step, change the order and the speed")
  func keys() throws {
    let rig = StageRig()
    let (scene, log) = try scene(1, rig: rig)
    rig.run(.milliseconds(250))
    #expect(log.take() == ["loaded 0", "frame 0 0", "frame 0 1", "frame 0 2"])
    scene.press(.space)
    rig.run(.seconds(1))
    scene.press(.right)
    scene.press(.left)
    rig.settle()
    #expect(log.take() == ["pause 0", "frame 0 3", "frame 0 2"])
    scene.press(.character("r"))
    scene.press(.space)
    rig.run(.milliseconds(100))
    #expect(log.take() == ["mode reverse", "play 0", "frame 0 1"])
    scene.press(.character("b"))
    scene.press(.character("+"))
    scene.press(.character("0"))
    scene.press(.character("-"))
    #expect(log.take() == ["mode bounce", "rate 1.25", "rate 1.0", "rate 0.8"])
    scene.press(.character("b"))
    scene.press(.character("f"))
    #expect(log.take() == ["mode forward", "resize cover"])
    #expect(!scene.press(.character("z")) && !log.isQuit)
    scene.press(.character("q"))
    #expect(log.isQuit)
  }

  @Test("A drag of the playhead pauses the image, shows each frame, and then continues")
  func scrubbing() throws {
    let rig = StageRig()
    let (scene, log) = try scene(1, rig: rig)
    rig.run(.milliseconds(150))
    _ = log.take()
    press(scene, rig, at: 1)
    move(scene, rig, to: 4)
    rig.run(.seconds(1))
    move(scene, rig, to: 7)
    move(scene, rig, to: 7, ends: true)
    #expect(
      log.take() == [
        "began playhead 1", "changed playhead 4", "frame 0 4", "changed playhead 7", "frame 0 7",
        "ended playhead 7",
      ])
    rig.run(.milliseconds(100))
    #expect(log.take() == ["frame 0 8"])
    scene.press(.space)
    press(scene, rig, at: 2)
    move(scene, rig, to: 2, ends: true)
    rig.run(.seconds(1))
    #expect(
      log.take() == ["pause 0", "began playhead 8", "changed playhead 2", "ended playhead 2", "frame 0 2"])
  }

  @Test("Knobs and keys set ranges; a range of all frames is no range")
  func ranges() throws {
    let rig = StageRig()
    let (scene, log) = try scene(1, rig: rig)
    scene.press(.space)
    press(scene, rig, at: 0, isRange: true)
    move(scene, rig, to: 3, isRange: true)
    move(scene, rig, to: 3, isRange: true, ends: true)
    #expect(
      log.take().suffix(5) == [
        "began start 0", "changed start 3", "ended start 3", "range 0 3..<11", "frame 0 3",
      ])
    scene.press(.right)
    rig.settle()
    scene.press(.character("o"))
    rig.settle()
    #expect(log.take() == ["frame 0 4", "range 0 3..<5"])
    #expect(scene.bar.scrubber.model.start == 3 && scene.bar.scrubber.model.end == 4)
    scene.press(.character("i"))
    #expect(log.take() == ["range 0 4..<5"])
    scene.press(.character("x"))
    scene.press(.character("x"))
    rig.settle()
    #expect(log.take() == ["range 0 0..<11"])
    #expect(scene.selectedView?.properties.range == nil)
    scene.press(.end)
    rig.settle()
    #expect(log.take() == ["frame 0 10"])
  }

  @Test("In a grid a tap selects and toggles, keys apply to all items, the slider to the selected one")
  func wall() throws {
    let rig = StageRig()
    let (scene, log) = try scene(40, rig: rig)
    let grid = try #require(scene.grid)
    _ = log.take()
    let place = grid.gridLayout.rect(of: 1)
    rig.stage?.pointer(PointerEvent(.began, x: place.x + 4, y: place.y + 4))
    rig.stage?.pointer(PointerEvent(.ended, x: place.x + 4, y: place.y + 4))
    #expect(log.take() == ["selected 1", "pause 1"])
    #expect(scene.selectedView === grid.imageView(of: 1))
    scene.press(.character("."))
    rig.settle()
    #expect(log.take() == ["frame 1 1"])
    scene.press(.space)
    #expect(log.take().allSatisfy { $0.hasPrefix("pause") })
    scene.press(.space)
    #expect(Set(log.take()).isSuperset(of: ["play 0", "play 1"]))
    scene.press(.character("p"))
    #expect(log.take() == ["selected 0"])
    scene.press(.end)
    rig.run(.seconds(1))
    #expect(grid.visibleItems.upperBound == 40)
    for key in [StageKey.home, .down, .up, .pageDown, .pageUp, .tab] {
      scene.press(key)
      rig.run(.milliseconds(300))
    }
    #expect(scene.selectedItem == 1)
    scene.press(.down)
    #expect(scene.selectedItem == 1 + grid.gridLayout.columns)
    scene.press(.left)
    scene.press(.up)
    scene.press(.up)
    #expect(scene.selectedItem == 0)
  }

  @Test("A grid scrolls to its ends for any distance")
  func farScrolling() throws {
    let rig = StageRig()
    let (scene, _) = try scene(40, rig: rig)
    let grid = try #require(scene.grid)
    let end = grid.gridLayout.contentHeight - grid.frame.height
    for (command, offset) in [
      (SceneCommand.scroll(rows: .max), end), (.scroll(rows: .min), 0), (.scrollPage(.max), end),
      (.scrollPage(.min), 0),
    ] {
      scene.perform(command)
      rig.run(.seconds(1))
      #expect(grid.scrollOffset == offset)
    }
  }

  @Test("A failed item is reported, and the others play")
  func failures() throws {
    let rig = StageRig(isImmediate: false)
    var options = PlayerScene.Options(items: [
      GridItem(id: 0, source: "a"), GridItem(id: 1, source: "b"),
    ])
    options.image.fade = .zero
    let scene = PlayerScene(options, services: rig.services)
    let log = Log()
    scene.onItemEvent = { log.add($0, $1) }
    scene.onEvent = { log.add($0) }
    rig.show(scene, width: 400, height: 300)
    rig.loader.complete("a", with: .failure(.test("no GIF")))
    rig.loader.complete("b", with: .success(try TestImage.flat(frames: 2)))
    rig.settle()
    #expect(log.take() == ["scrolled 0..<2", "failed 0 no GIF", "loaded 1", "frame 1 0"])
    for key in [StageKey.space, .left, .character("i"), .character("o"), .character("x"), .home] {
      scene.press(key)
    }
    rig.draw()
  }

  @Test("The overlay draws at any size and scale, ten times a second, and never when it is hidden")
  func overlay() throws {
    let rig = StageRig()
    let (scene, _) = try scene(1, frames: 300, width: 700, height: 500, rig: rig)
    #expect(!scene.isOverlayShown)
    scene.press(.character("d"))
    #expect(scene.isOverlayShown)
    rig.run(.seconds(2))
    #expect(rig.draw().contains { $0.intersection(scene.overlay.frame) == scene.overlay.frame })
    for size in [0, 1, 30, 200, 900] {
      rig.stage?.resize(width: size, height: size * 2 / 3, scale: 1 + size % 3)
      rig.run(.milliseconds(300))
      rig.draw()
    }
  }

  @Test("Any keys and sizes in any order are handled")
  func mash() throws {
    let rig = StageRig()
    let (scene, _) = try scene(30, rig: rig)
    let keys: [StageKey] =
      [
        .space, .left, .right, .up, .down, .pageUp, .pageDown, .home, .end, .tab, .enter, .escape,
        .function(11),
      ]
      + "+-0rbioxfdnp,.sh?".map { .character($0) }
    var state: UInt32 = 7
    for turn in 0..<300 {
      state = state &* 1_664_525 &+ 1_013_904_223
      scene.press(keys[Int(state >> 8) % keys.count])
      if turn % 9 == 0 { rig.stage?.resize(width: Int(state >> 20) % 400, height: Int(state >> 12) % 300) }
      if turn % 4 == 0 {
        rig.stage?.pointer(PointerEvent(turn % 8 == 0 ? .began : .ended, x: turn, y: turn / 3))
      }
      rig.time.advance(by: .milliseconds(Int64(state >> 26)))
      rig.stage?.tick()
      rig.draw()
    }
  }
}

@Suite("The overlay's statistics")
struct OverlayTests {
  @Test("Histories keep the newest values and their percentiles")
  func history() {
    var history = History(capacity: 4)
    #expect(history.percentile(0.5) == 0 && history.peak == 0 && history.last == 0)
    for value in [9.0, 1, 2, 3, 4, .nan] { history.add(value) }
    #expect(history.values == [2, 3, 4, 0] && history.last == 0 && history.peak == 4)
    #expect(history.percentile(0.5) == 2 && history.percentile(1) == 4 && history.percentile(0) == 0)
  }

  @Test("Numbers and sizes are formatted")
  func numbers() {
    #expect(NumberFormat.decimal(1, places: 2) == "1.00" && NumberFormat.decimal(0.05, places: 1) == "0.1")
    #expect(NumberFormat.decimal(-1.26, places: 1) == "-1.3" && NumberFormat.decimal(12.5, places: 0) == "13")
    #expect(
      NumberFormat.decimal(.nan, places: 1) == "0.0" && NumberFormat.decimal(.infinity, places: 1).count > 5)
    #expect(
      NumberFormat.bytes(999) == "999 B" && NumberFormat.bytes(1500) == "1.5 KB"
        && NumberFormat.bytes(64_000_000) == "64.0 MB")
  }

  @Test("The cache map's squares fit, as large as they can be")
  func squares() {
    for count in [1, 2, 30, 300, 5000] {
      let (columns, pitch) = CacheMapGraph.grid(count: count, width: 296, height: 36, most: 10)
      let rows = (count + columns - 1) / columns
      #expect(columns * pitch <= 296 && (rows * pitch <= 36 || pitch == 1))
    }
    #expect(CacheMapGraph.grid(count: 20, width: 0, height: 0, most: 10).pitch == 1)
  }

  @Test("The parts of the overlay lie in it, apart from each other")
  func layout() {
    for scale in 1...4 {
      let layout = DebugLayout(width: 320 * scale, scale: scale)
      let parts = [
        layout.title, layout.cacheMap, layout.delays, layout.lateness, layout.memory, layout.counters,
      ]
      for (part, next) in zip(parts, parts.dropFirst()) { #expect(part.maxY + 11 * scale <= next.y) }
      #expect(layout.counters.maxY <= DebugLayout.height * scale)
    }
  }

  @Test("The overlay shows in what form a player's frames are held")
  func tiers() throws {
    let rig = StageRig()
    var options = GIFPlayer.Options()
    options.budget = FrameBudget()
    let player = GIFPlayer(
      try TestImage.flat(frames: 40), options: options, clock: rig.clock, pool: .inline)
    #expect(player.cacheMap.tiers.allSatisfy { $0 == .cold })
    player.seek(toFrame: 36)
    let tiers = player.cacheMap.tiers
    #expect(tiers[36] == .hot && tiers[37] == .hot && tiers[20] == .cold)
  }
}
