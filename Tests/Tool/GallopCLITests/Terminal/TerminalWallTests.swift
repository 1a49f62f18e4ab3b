import GIFCaching
import GIFDecoding
import GIFLoading
import GIFPlayback
import GIFStage
import GIFTestSupport
import GIFTimeline
import TerminalDisplay
import Testing

@testable import GallopCLI

/// What keys and the mouse do, on players whose time stands still unless it is moved.
@Suite("The terminal's wall")
struct TerminalWallTests {
  private let clock = PlaybackClock(drivenWith: ManualTime().now)

  private func wall(
    _ count: Int, columns: Int? = nil, size: TerminalSize = TerminalSize(columns: 80, rows: 24),
    overlay: Bool = false
  ) throws -> TerminalWall {
    let image = try GIFImage(bytes: Fixture(delays: Array(repeating: 10, count: 10), loop: 0).bytes)
    var services = StageServices(clock: clock, pool: .inline, loader: StoredImage(image: image))
    services.budget = FrameBudget()
    let tiles = (0..<count).map { TerminalTile(ImageProperties(source: "\($0)"), services: services) }
    let wall = TerminalWall(
      tiles: tiles, size: size, columns: columns, showsOverlay: overlay, services: services)
    for tile in tiles { tile.playback.visibility = .visible }
    settle(wall)
    return wall
  }

  /// Takes the events of the players, those of frames that are due now, too.
  private func settle(_ wall: TerminalWall) {
    for _ in 0..<2 {
      for tile in wall.tiles { tile.playback.update() }
      clock.tick()
    }
    for tile in wall.tiles { tile.playback.update() }
  }

  /// A loader of one image.
  private struct StoredImage: ImageLoader {
    let image: GIFImage

    func states(of source: GIFSource) -> LoadingStates {
      LoadingStates(source: source.description) { $0.finish(with: image) }
    }
  }

  private func visible(_ wall: TerminalWall) -> [Int] {
    wall.tiles.indices.filter { wall.tiles[$0].playback.player?.visibility == .visible }
  }

  private func press(_ wall: TerminalWall, _ commands: SceneCommand...) {
    wall.onQuit = { Issue.record("it quits") }
    for command in commands { wall.apply(command) }
    settle(wall)
  }

  private func frame(_ wall: TerminalWall, _ tile: Int = 0) -> Int? {
    settle(wall)
    return wall.tiles[tile].playback.shown?.index
  }

  private func quits(_ wall: TerminalWall, _ command: SceneCommand) -> Bool {
    var isOver = false
    wall.onQuit = { isOver = true }
    wall.apply(command)
    return isOver
  }

  @Test("Only players of visible tiles are visible, and scrolling stays within the wall")
  func visibility() throws {
    let wall = try wall(24, columns: 3)
    #expect(visible(wall) == Array(0..<6))
    press(wall, .scroll(rows: 1))
    #expect(visible(wall) == Array(3..<9))
    press(wall, .scrollPage(1))
    #expect(visible(wall) == Array(9..<15))
    press(wall, .scrollToEnd)
    #expect(visible(wall) == Array(18..<24))
    press(wall, .scrollPage(5))
    #expect(visible(wall) == Array(18..<24))
    press(wall, .scrollToStart)
    press(wall, .scroll(rows: -3))
    #expect(visible(wall) == Array(0..<6))
    wall.take(MouseReport(.scroll(1), column: 0, row: 0))
    #expect(visible(wall) == Array(3..<9))
  }

  @Test("Selecting another tile scrolls to it, in a cycle")
  func selection() throws {
    let wall = try wall(24, columns: 3)
    for _ in 0..<6 { press(wall, .select(by: 1)) }
    #expect(wall.state.selected == 6 && visible(wall) == Array(3..<9))
    for _ in 0..<7 { press(wall, .select(by: -1)) }
    #expect(wall.state.selected == 23 && visible(wall) == Array(18..<24))
    press(wall, .select(by: 1))
    #expect(wall.state.selected == 0 && visible(wall) == Array(0..<6))
  }

  @Test("After a resize the first tile is still visible")
  func resizing() throws {
    let wall = try wall(24, columns: 3)
    press(wall, .scroll(rows: 4))
    let top = wall.visible.lowerBound
    for (columns, rows) in [(80, 12), (200, 60), (1, 1), (30, 7), (65535, 65535), (80, 24)] {
      wall.resize(to: TerminalSize(columns: columns, rows: rows))
      #expect(!wall.visible.isEmpty && visible(wall) == Array(wall.visible))
      #expect(wall.visible.lowerBound <= top)
      for tile in wall.visible { #expect(wall.picture(of: tile) != nil) }
    }
  }

  @Test("A single GIF has all the room and no caption")
  func single() throws {
    let wall = try wall(1)
    #expect(wall.isSingle && visible(wall) == [0])
    #expect(wall.picture(of: 0) == TerminalArea(column: 0, row: 0, columns: 80, rows: 22))
    #expect(wall.caption(of: 0) == nil)
  }

  @Test("Speed and order apply to all, steps and ranges to the selected one")
  func commands() throws {
    let wall = try wall(3)
    press(wall, .faster, .toggleReverse)
    #expect(
      wall.tiles.allSatisfy { $0.playback.player?.rate == 1.25 && $0.playback.player?.mode == .reverse })
    press(wall, .toggleReverse, .normalRate)
    #expect(wall.tiles.allSatisfy { $0.playback.player?.rate == 1 && $0.playback.player?.mode == .forward })
    press(wall, .toggleBounce)
    #expect(wall.tiles.allSatisfy { $0.playback.player?.mode == .bounce })
    press(wall, .toggleBounce)
    press(wall, .select(by: 1), .step(by: 3))
    #expect(wall.tiles.map(\.playback.player?.state) == [.playing, .paused, .playing])
    #expect(frame(wall, 1) == 3 && frame(wall, 0) == 0)
    press(wall, .setRangeStart)
    #expect(wall.tiles.map(\.playback.player?.range) == [nil, 3..<10, nil])
    press(wall, .step(by: 2), .setRangeEnd)
    #expect(wall.tiles[1].playback.player?.range == 3..<6)
    press(wall, .clearRange)
    #expect(wall.tiles[1].playback.player?.range == nil)
    #expect(quits(wall, .quit))
  }

  @Test("Speed stays within its limits after many changes")
  func rates() throws {
    let wall = try wall(1)
    for _ in 0..<50 { press(wall, .faster) }
    #expect(wall.tiles[0].playback.player?.rate == 20)
    for _ in 0..<99 { press(wall, .slower) }
    #expect(wall.tiles[0].playback.player?.rate == 0.05)
  }

  @Test("Space pauses all if any visible GIF plays, otherwise plays all")
  func toggling() throws {
    let wall = try wall(3)
    wall.tiles[0].playback.perform(.pause)
    press(wall, .togglePlayback)
    #expect(wall.tiles.allSatisfy { $0.playback.player?.state == .paused })
    press(wall, .togglePlayback)
    #expect(wall.tiles.allSatisfy { $0.playback.player?.state == .playing })
  }

  @Test("The ends of a single GIF, its fit and the overlay")
  func singleCommands() throws {
    let wall = try wall(1)
    press(wall, .lastFrame)
    #expect(frame(wall) == 9)
    press(wall, .firstFrame)
    #expect(frame(wall) == 0)
    press(wall, .nextResizeMode)
    #expect(wall.imageProperties.resizeMode == .cover)
    press(wall, .toggleOverlay)
    #expect(wall.layout.overlay.count == 6 && wall.picture(of: 0)?.rows == 16)
    press(wall, .toggleOverlay)
    #expect(wall.layout.overlay.isEmpty)
  }

  @Test("Enter shows the selected tile alone, and enter or escape shows the wall again")
  func opening() throws {
    let wall = try wall(24, columns: 3)
    press(wall, .select(by: 4), .open)
    #expect(wall.state.content == .opened && visible(wall) == [4])
    #expect(wall.picture(of: 4) == wall.layout.pictures && wall.caption(of: 4) == nil)
    // The keys of a single GIF, and those that select another.
    #expect(SceneCommand(.right, in: wall.state.content) == .step(by: 1))
    #expect(SceneCommand(.character("n"), in: wall.state.content) == .select(by: 1))
    press(wall, .select(by: 5))
    #expect(wall.state.selected == 9 && visible(wall) == [9])
    #expect(SceneCommand(.enter, in: wall.state.content) == .back)
    press(wall, .back)
    #expect(wall.state.content == .wall && wall.state.selected == 9 && wall.visible.contains(9))
    #expect(visible(wall) == Array(wall.visible))
    #expect(quits(wall, .back))
  }

  @Test("Shown alone, a tile alone is paused and scrubbed, and the wheel scrolls nothing")
  func commandsAlone() throws {
    let wall = try wall(24, columns: 3)
    press(wall, .select(by: 1), .open, .togglePlayback)
    #expect(!wall.tiles[1].playback.isPlaying && wall.tiles[0].playback.isPlaying)
    wall.take(MouseReport(.scroll(1), column: 3, row: 3))
    #expect(visible(wall) == [1] && wall.firstRow == 0)
    wall.take(MouseReport(.press, column: 79, row: 22))
    wall.take(MouseReport(.release, column: 79, row: 22))
    #expect(frame(wall, 1) == 9)
    wall.take(MouseReport(.press, column: 2, row: 2))
    wall.take(MouseReport(.release, column: 2, row: 2))
    #expect(wall.tiles[1].playback.isPlaying && wall.state.selected == 1)
    wall.resize(to: TerminalSize(columns: 40, rows: 12))
    #expect(visible(wall) == [1])
  }

  @Test("A single GIF cannot be opened")
  func openingSingle() throws {
    let wall = try wall(1)
    press(wall, .open)
    #expect(wall.state.content == .single)
  }

  @Test("The help closes by its key, by escape, and by a click, which reaches no picture")
  func help() throws {
    let wall = try wall(3)
    press(wall, .toggleHelp)
    #expect(wall.state.showsHelp)
    press(wall, .toggleHelp)
    #expect(!wall.state.showsHelp)
    press(wall, .toggleHelp, .back)
    #expect(!wall.state.showsHelp)
    press(wall, .toggleHelp)
    wall.take(MouseReport(.press, column: 3, row: 3))
    wall.take(MouseReport(.release, column: 3, row: 3))
    #expect(!wall.state.showsHelp && wall.tiles.allSatisfy { $0.playback.isPlaying })
  }

  @Test("Saving is left to the program, for the selected tile")
  func saving() throws {
    let wall = try wall(3)
    press(wall, .select(by: 2))
    wall.onSave = { "item \($0) of \($1.frameCount) frames: \($2)" }
    press(wall, .saveFrame)
    #expect(wall.state.message(at: clock.now) == "item 2 of 10 frames: frame(0)")
    #expect(wall.state.message(at: clock.now + .seconds(3)) == nil)
  }

  @Test("Dragging along the bar scrubs, and playback continues afterwards")
  func scrubbing() throws {
    let wall = try wall(1)
    let player = wall.tiles[0].playback.player
    wall.take(MouseReport(.press, column: 40, row: 22))
    #expect(player?.isScrubbing == true && frame(wall) == 5)
    wall.take(MouseReport(.drag, column: 79, row: 3))
    #expect(frame(wall) == 9)
    wall.take(MouseReport(.drag, column: 0, row: 22))
    #expect(frame(wall) == 0)
    wall.take(MouseReport(.release, column: 0, row: 0))
    #expect(player?.isScrubbing == false && player?.state == .playing)
  }

  @Test("Scrubbing stays within the range")
  func scrubbingInRange() throws {
    let wall = try wall(1)
    wall.tiles[0].playback.properties.range = 3..<6
    wall.take(MouseReport(.press, column: 0, row: 22))
    #expect(frame(wall) == 3)
    wall.take(MouseReport(.drag, column: 79, row: 22))
    #expect(frame(wall) == 5)
  }

  @Test("After a lost release the next press ends scrubbing")
  func lostRelease() throws {
    let wall = try wall(3, columns: 3)
    wall.take(MouseReport(.press, column: 40, row: 22))
    #expect(wall.tiles[0].playback.player?.isScrubbing == true)
    press(wall, .select(by: 1))
    wall.take(MouseReport(.press, column: 40, row: 22))
    #expect(
      wall.tiles[0].playback.player?.isScrubbing == false
        && wall.tiles[1].playback.player?.isScrubbing == true)
    wall.take(MouseReport(.press, column: 0, row: 0))
    #expect(wall.tiles[1].playback.player?.isScrubbing == false)
  }

  @Test("A click on a picture selects it and toggles it alone; a press elsewhere or a drag does nothing")
  func clicks() throws {
    let wall = try wall(3, columns: 3)
    wall.take(MouseReport(.press, column: 40, row: 3))
    wall.take(MouseReport(.release, column: 41, row: 4))
    #expect(wall.state.selected == 1)
    #expect(wall.tiles.map(\.playback.player?.state) == [.playing, .paused, .playing])
    wall.take(MouseReport(.press, column: 40, row: 3))
    wall.take(MouseReport(.release, column: 1, row: 3))
    wall.take(MouseReport(.press, column: 40, row: 23))
    wall.take(MouseReport(.release, column: 40, row: 23))
    wall.take(MouseReport(.press, button: .right, column: 40, row: 3))
    wall.take(MouseReport(.release, button: .right, column: 40, row: 3))
    wall.take(MouseReport(.drag, column: 40, row: 22))
    wall.take(MouseReport(.release, column: 65534, row: 65534))
    #expect(wall.tiles.map(\.playback.player?.state) == [.playing, .paused, .playing])
    wall.take(MouseReport(.press, column: 40, row: 3))
    wall.take(MouseReport(.release, column: 40, row: 3))
    #expect(wall.tiles.allSatisfy { $0.playback.player?.state == .playing })
  }

  @Test("Frames replaced before they are drawn count as dropped")
  func droppedFrames() throws {
    let wall = try wall(2)
    for tile in wall.tiles {
      tile.playback.onEvent = { if case .frameChanged(let change) = $0 { wall.note(change, of: tile) } }
    }
    for _ in 0..<4 { wall.tiles[0].playback.perform(.step(by: 1)) }
    wall.tiles[1].playback.perform(.step(by: 1))
    settle(wall)
    wall.noteDrawing(of: 0)
    wall.noteDrawing(of: 1)
    wall.noteDrawing(of: 1)
    #expect(wall.sampleStatistics(at: clock.now))
    let recorder = wall.recorder
    #expect(recorder.droppedFrames == 3 && recorder.shownFrames == 5)
    #expect(recorder.totals.players == 2 && recorder.totals.playing == 0)
    for tile in wall.tiles { tile.playback.onEvent = nil }
  }

  @Test("Where files play one after another, the next one has the overlay and the resize mode of the last")
  func nextFile() throws {
    let wall = try wall(1)
    let next = try self.wall(1).tiles[0]
    press(wall, .nextResizeMode, .toggleOverlay, .toggleHelp)
    wall.show(next)
    #expect(wall.tiles.count == 1 && wall.selectedTile === next)
    #expect(next.playback.properties.resizeMode == .cover)
    #expect(wall.state.showsOverlay && !wall.state.showsHelp && wall.layout.overlay.count == 6)
  }

  @Test(
    "After any commands in any order, exactly the visible tiles have areas and visible players",
    arguments: [1, 2, 7, 24], 0..<6)
  func mash(count: Int, seed: UInt64) throws {
    var numbers = SeededGenerator(seed: seed)
    let wall = try wall(count, columns: seed % 2 == 0 ? nil : 3, overlay: seed % 3 == 0)
    let commands: [SceneCommand] = [
      .togglePlayback, .step(by: 1), .step(by: -1), .faster, .slower, .normalRate, .toggleReverse,
      .toggleBounce, .setRangeStart, .setRangeEnd, .clearRange, .nextResizeMode, .toggleOverlay, .firstFrame,
      .lastFrame, .scroll(rows: 1), .scroll(rows: -1), .scrollPage(1), .scrollPage(-1), .scrollToStart,
      .scrollToEnd, .select(by: 1), .select(by: -1), .selectRow(by: 1), .open, .toggleHelp,
    ]
    let places = [0, 1, 5, 22, 23, 40, 79, 80, 65534]
    let sides = [1, 2, 3, 5, 12, 24, 80, 211, 65535]
    for _ in 0..<150 {
      switch Int.random(in: 0..<8, using: &numbers) {
      case 0..<4: press(wall, commands.randomElement(using: &numbers) ?? .clearRange)
      case 4..<7:
        let actions: [MouseReport.Action] = [.press, .drag, .release, .scroll(1), .scroll(-1)]
        wall.take(
          MouseReport(
            actions.randomElement(using: &numbers) ?? .press, button: .left,
            column: places.randomElement(using: &numbers) ?? 0,
            row: places.randomElement(using: &numbers) ?? 0))
      default:
        wall.resize(
          to: TerminalSize(
            columns: sides.randomElement(using: &numbers) ?? 80,
            rows: sides.randomElement(using: &numbers) ?? 24))
      }
      check(wall)
    }
  }

  private func check(_ wall: TerminalWall) {
    #expect(wall.state.content != .opened || wall.visible == wall.state.selected..<wall.state.selected + 1)
    #expect(visible(wall) == Array(wall.visible) && !wall.visible.isEmpty)
    #expect(wall.tiles.indices.contains(wall.state.selected))
    #expect(wall.tiles.count { $0.playback.player?.isScrubbing == true } <= 1)
    for tile in wall.tiles.indices {
      let area = wall.picture(of: tile)
      #expect((area != nil) == wall.visible.contains(tile))
      guard let area else { continue }
      #expect(area.column + area.columns <= wall.size.columns)
      #expect(area.row + area.rows <= wall.layout.pictures.rows)
    }
  }

  @Test("Where hovering plays: the tile under the mouse plays, a click pauses it, elsewhere moves do nothing")
  func hover() throws {
    let wall = try wall(4, columns: 2)
    for tile in wall.tiles { tile.playback.perform(.pause) }
    let places = try (0..<2).map { item in
      let area = try #require(wall.picture(of: item))
      return MouseReport(.move, column: area.column + 1, row: area.row + 1)
    }
    wall.take(places[0])
    #expect(wall.tiles.allSatisfy { !$0.playback.isPlaying })
    wall.changeAll { $0.playsOnHover = true }
    wall.take(places[0])
    #expect(wall.tiles.map(\.playback.isPlaying) == [true, false, false, false])
    wall.take(places[1])
    #expect(wall.tiles.map(\.playback.isPlaying) == [false, true, false, false])
    for action in [MouseReport.Action.press, .release] {
      wall.take(MouseReport(action, column: places[1].column, row: places[1].row))
    }
    wall.take(MouseReport(.move, column: places[1].column + 1, row: places[1].row))
    #expect(wall.tiles.allSatisfy { !$0.playback.isPlaying })
    // The bar is no tile.
    wall.take(places[0])
    wall.take(MouseReport(.move, column: 0, row: 23))
    #expect(wall.tiles.allSatisfy { !$0.playback.isPlaying })
  }
}
