internal import GIFStage
internal import Gallop
internal import TerminalDisplay

/// The model of terminal playback: one GIF, or a wall of several, with commands of keys and mouse.
///
/// Only players with visible tiles decode; the others keep their schedule.
struct TerminalWall {
  /// What a command asks of the program.
  enum Effect {
    case none
    case quit
    /// Saves the frame that a tile shows.
    case save(TerminalTile)
  }

  let tiles: [TerminalTile]
  private let preferredColumns: Int?
  private(set) var size: TerminalSize
  private(set) var layout: TerminalLayout
  private(set) var wall: WallLayout
  private(set) var fit: ResizeMode
  private(set) var showsOverlay: Bool
  private(set) var showsHelp = false
  /// The tile to which steps, ranges and the bar apply.
  private(set) var selected = 0
  /// The tile of a wall that is shown alone; nil for none.
  private(set) var opened: Int?
  /// The row of tiles at the top.
  private(set) var firstRow = 0
  /// The tile that is scrubbed.
  private var scrubbed: Int?
  /// The tile on which a button went down.
  private var pressed: Int?
  /// Whether a tile plays while the mouse is over it.
  var playsOnHover = false
  /// The tile under the mouse.
  private var hovered: Int?

  /// - Parameter tiles: at least one.
  init(tiles: [TerminalTile], size: TerminalSize, columns: Int?, fit: ResizeMode, showsOverlay: Bool) {
    self.tiles = tiles
    self.size = size
    preferredColumns = columns
    self.fit = fit
    self.showsOverlay = showsOverlay
    layout = TerminalLayout(size, showsOverlay: showsOverlay)
    wall = WallLayout(itemCount: tiles.count, area: layout.pictures, columns: columns)
    showVisible()
  }

  var isSingle: Bool { tiles.count == 1 }

  var selectedTile: TerminalTile { tiles[selected] }

  /// What decides the commands of some keys.
  var content: SceneCommand.Content { isSingle ? .single : opened == nil ? .wall : .opened }

  /// The tile that has all the room; nil for a wall.
  private var alone: Int? { isSingle ? 0 : opened }

  /// The visible tiles.
  var visible: Range<Int> { alone.map { $0..<$0 + 1 } ?? wall.items(from: firstRow) }

  /// The area of a tile's picture; nil if it is not visible.
  func picture(of tile: Int) -> TerminalArea? {
    guard let alone else { return wall.picture(of: tile, from: firstRow) }
    return tile == alone ? layout.pictures : nil
  }

  /// The area of a tile's caption; nil if it is not visible or has none.
  func caption(of tile: Int) -> TerminalArea? {
    guard alone == nil, wall.hasCaptions, let area = wall.tile(of: tile, from: firstRow) else { return nil }
    return TerminalArea(
      column: area.column, row: area.row + area.rows - 1, columns: area.columns, rows: 1)
  }

  /// The bar along the selected tile's frames.
  var bar: FrameBar { FrameBar(frameCount: selectedTile.frameCount, width: size.columns) }

  mutating func resize(to size: TerminalSize) {
    self.size = size
    arrange()
  }

  private mutating func arrange() {
    let first = wall.items(from: firstRow).lowerBound
    layout = TerminalLayout(size, showsOverlay: showsOverlay)
    wall = WallLayout(itemCount: tiles.count, area: layout.pictures, columns: preferredColumns)
    // The first visible tile stays visible.
    scroll(to: first / wall.columns)
  }

  private mutating func scroll(to row: Int) {
    firstRow = wall.clamped(row)
    showVisible()
  }

  /// Scrolls to the selected tile, and shows it alone if another one is.
  private mutating func revealSelected() {
    if opened != nil { opened = selected }
    scroll(to: wall.firstRow(showing: selected, from: firstRow))
  }

  /// - Parameter tile: the tile to show alone; nil to show the wall.
  private mutating func open(_ tile: Int?) {
    guard !isSingle else { return }
    endScrubbing()
    opened = tile
    revealSelected()
  }

  private func showVisible() {
    let visible = visible
    for (index, tile) in tiles.enumerated() { tile.isVisible = visible.contains(index) }
  }

  // MARK: Keys

  /// Performs a command; returns what is left to the program.
  mutating func perform(_ command: SceneCommand) -> Effect {
    let player = selectedTile.player
    switch command {
    case .togglePlayback: togglePlayback()
    case .step(let count): player?.step(by: count)
    case .faster: setRate(selectedTile.rate * SceneCommand.rateFactor)
    case .slower: setRate(selectedTile.rate / SceneCommand.rateFactor)
    case .normalRate: setRate(1)
    case .toggleReverse: toggle(.reverse)
    case .toggleBounce: toggle(.bounce)
    case .setRangeStart, .setRangeEnd: setRange(command)
    case .clearRange: player?.setRange(nil)
    case .nextResizeMode: fit = fit.next
    case .toggleOverlay:
      showsOverlay.toggle()
      arrange()
    case .firstFrame: seek { $0.lowerBound }
    case .lastFrame: seek { $0.upperBound - 1 }
    case .scroll(let rows): scroll(to: firstRow + rows)
    case .scrollPage(let pages): scroll(to: firstRow + pages * wall.visibleRows)
    case .scrollToStart: scroll(to: 0)
    case .scrollToEnd: scroll(to: wall.rowCount)
    case .select(let offset):
      selected = ((selected + offset) % tiles.count + tiles.count) % tiles.count
      revealSelected()
    case .selectRow(let rows):
      let item = selected + rows * wall.columns
      if tiles.indices.contains(item) { selected = item }
      revealSelected()
    case .open: open(selected)
    case .saveFrame: return .save(selectedTile)
    case .toggleHelp: showsHelp.toggle()
    case .toggleFullscreen: break
    case .back: return goBack()
    case .quit: return .quit
    }
    return .none
  }

  /// Closes the help or the tile shown alone, or quits.
  private mutating func goBack() -> Effect {
    if showsHelp {
      showsHelp = false
    } else if opened != nil {
      open(nil)
    } else {
      return .quit
    }
    return .none
  }

  private func togglePlayback() {
    if selectedTile.failure != nil { return selectedTile.retry() }
    if alone != nil { return toggle(selectedTile) }
    let isAnyPlaying = visible.contains { tiles[$0].isPlaying }
    for tile in tiles {
      if isAnyPlaying { tile.pause() } else { tile.play() }
    }
  }

  private func toggle(_ tile: TerminalTile) {
    if tile.isPlaying { tile.pause() } else { tile.play() }
  }

  private func seek(_ frame: (Range<Int>) -> Int) {
    guard let player = selectedTile.player else { return }
    player.seek(toFrame: frame(player.timeline.range))
  }

  private func setRate(_ rate: Double) {
    for tile in tiles { tile.rate = rate }
  }

  private func toggle(_ mode: PlaybackMode) {
    let wanted = selectedTile.mode == mode ? .forward : mode
    for tile in tiles { tile.mode = wanted }
  }

  /// Sets an end of the range.
  private func setRange(_ command: SceneCommand) {
    guard let player = selectedTile.player, let here = player.currentFrameIndex else { return }
    let all = 0..<player.image.frameCount
    let wanted = command.range(at: here, played: player.timeline.range).clamped(to: all)
    player.setRange(wanted == all ? nil : wanted)
  }

  // MARK: Mouse

  mutating func take(_ report: MouseReport) {
    if showsHelp {
      // A click closes it, as in a window.
      if report.action == .release { showsHelp = false }
      return
    }
    switch report.action {
    case .scroll(let rows): if opened == nil { scroll(to: firstRow + rows) }
    case .press where report.button == .left: press(report)
    case .drag where scrubbed != nil: scrub(to: report.column)
    case .release where report.button == .left: release(report)
    case .move where playsOnHover: hover(over: tile(at: report))
    case .press, .drag, .release, .move: break
    }
  }

  private mutating func hover(over tile: Int?) {
    guard tile != hovered else { return }
    if let hovered { tiles[hovered].pause() }
    if let tile { tiles[tile].play() }
    hovered = tile
  }

  private mutating func press(_ report: MouseReport) {
    // If a terminal loses a release, scrubbing must still end.
    endScrubbing()
    pressed = nil
    if report.row == layout.bar {
      scrubbed = selected
      selectedTile.player?.beginScrubbing()
      scrub(to: report.column)
    } else {
      pressed = tile(at: report)
    }
  }

  private func tile(at report: MouseReport) -> Int? {
    guard report.row < layout.pictures.rows else { return nil }
    return alone ?? wall.item(atColumn: report.column, row: report.row, from: firstRow)
  }

  private func scrub(to column: Int) {
    guard let scrubbed, let player = tiles[scrubbed].player else { return }
    let bar = FrameBar(frameCount: player.image.frameCount, width: size.columns)
    let played = player.timeline.range
    guard let frame = bar.frame(at: column), !played.isEmpty else { return }
    player.scrub(toFrame: min(played.upperBound - 1, max(played.lowerBound, frame)))
  }

  private mutating func release(_ report: MouseReport) {
    endScrubbing()
    if let pressed, pressed == tile(at: report) {
      selected = pressed
      let tile = tiles[pressed]
      if tile.failure != nil { tile.retry() } else { toggle(tile) }
    }
    pressed = nil
  }

  private mutating func endScrubbing() {
    if let scrubbed { tiles[scrubbed].player?.endScrubbing() }
    scrubbed = nil
  }
}
