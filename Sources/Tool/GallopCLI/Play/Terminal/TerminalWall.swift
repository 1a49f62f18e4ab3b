internal import EngineSupport
internal import GIFStage
internal import Gallop
internal import TerminalDisplay

/// The cells of a scene in the terminal: one GIF, or a wall of several, with the mouse.
///
/// Only players with visible tiles decode; the others keep their schedule.
final class TerminalWall: SceneDisplay {
  private(set) var tiles: [TerminalTile]
  private let preferredColumns: Int?
  let services: StageServices
  var state: SceneState
  var recorder = StatisticsRecorder()
  var onQuit: (() -> Void)?
  var onSave: ((_ item: Int, _ image: GIFImage, _ part: SavedPart) -> String)?
  private(set) var size: TerminalSize
  private(set) var layout: TerminalLayout
  private(set) var wall: WallLayout
  /// The row of tiles at the top.
  private(set) var firstRow = 0
  /// The tile that is scrubbed.
  private var scrubbed: Int?
  /// The tile on which a button went down.
  private var pressed: Int?
  /// The tile under the mouse.
  private var hovered: Int?

  /// - Parameter tiles: at least one.
  init(
    tiles: [TerminalTile], size: TerminalSize, columns: Int?, showsOverlay: Bool, services: StageServices
  ) {
    self.tiles = tiles
    self.size = size
    self.services = services
    preferredColumns = columns
    state = SceneState(itemCount: tiles.count, showsOverlay: showsOverlay)
    layout = TerminalLayout(size, showsOverlay: showsOverlay)
    wall = WallLayout(itemCount: tiles.count, area: layout.pictures, columns: columns)
    recorder.noteDropped(0)
    showVisible()
  }

  /// Shows another GIF alone, where files play one after another.
  func show(_ tile: TerminalTile) {
    endScrubbing()
    (pressed, hovered) = (nil, nil)
    tile.playback.properties.resizeMode = imageProperties.resizeMode
    tiles = [tile]
    state = state.with(itemCount: 1)
    arrange()
  }

  var isSingle: Bool { tiles.count == 1 }

  var selectedTile: TerminalTile { tiles[state.selected] }

  /// The visible tiles.
  var visible: Range<Int> { state.alone.map { $0..<$0 + 1 } ?? wall.items(from: firstRow) }

  /// The area of a tile's picture; nil if it is not visible.
  func picture(of tile: Int) -> TerminalArea? {
    guard let alone = state.alone else { return wall.picture(of: tile, from: firstRow) }
    return tile == alone ? layout.pictures : nil
  }

  /// The area of a tile's caption; nil if it is not visible or has none.
  func caption(of tile: Int) -> TerminalArea? {
    guard state.alone == nil, wall.hasCaptions, let area = wall.tile(of: tile, from: firstRow) else {
      return nil
    }
    return TerminalArea(
      column: area.column, row: area.row + area.rows - 1, columns: area.columns, rows: 1)
  }

  /// The bar along the selected tile's frames.
  var bar: FrameBar { bar(of: selectedTile) }

  private func bar(of tile: TerminalTile) -> FrameBar {
    FrameBar(frameCount: tile.playback.image?.frameCount ?? 0, width: size.columns)
  }

  func resize(to size: TerminalSize) {
    self.size = size
    arrange()
  }

  private func scroll(to row: Int) {
    firstRow = wall.clamped(row)
    showVisible()
  }

  private func showVisible() {
    let visible = visible
    for (index, tile) in tiles.enumerated() {
      tile.playback.playerVisibility = visible.contains(index) ? .visible : .hidden
      tile.playback.sharesField = state.alone == nil
      tile.playback.shownSize = { [weak self] in self?.shownSize(of: index) }
      tile.playback.updateShownSize()
    }
  }

  /// The size of a tile's picture, with a pixel of the terminal as one of CSS: at least that of the whole
  /// canvas where only a part of it is shown.
  private func shownSize(of tile: Int) -> PixelSize? {
    guard let area = picture(of: tile), let canvas = tiles[tile].playback.image?.size else { return nil }
    let (width, height) = (area.columns * size.cell.width, area.rows * size.cell.height)
    let place = imageProperties.resizeMode.place(canvas, inWidth: width, height: height)
    return PixelSize(clampingWidth: place.width, height: place.height)
  }

  // MARK: Statistics

  /// Counts a frame that a player has shown.
  func note(_ change: FrameChange, of tile: TerminalTile) {
    recorder.add(change)
    tile.noteFrame()
  }

  /// Counts the frames of a tile that the drawing of its newest one drops.
  func noteDrawing(of tile: Int) { recorder.noteDropped(tiles[tile].noteDrawing()) }

  // MARK: Commands

  var memoryInUse: Int64? { ProcessMemory.residentBytes }

  var columns: Int { wall.columns }

  var imageProperties: ImageProperties { tiles[0].playback.properties }

  var playbacks: [ImagePlayback] { visible.map { tiles[$0].playback } }

  func playback(of item: Int) -> ImagePlayback? { tiles[item].playback }

  func name(of item: Int) -> String { tiles[item].caption }

  func performOnAll(_ command: ImageCommand) {
    for tile in tiles { tile.playback.perform(command) }
  }

  func changeAll(_ change: (inout ImageProperties) -> Void) {
    for tile in tiles { change(&tile.playback.properties) }
  }

  func range(ofItem item: Int) -> Range<Int>? { tiles[item].playback.properties.range }

  func setRange(_ range: Range<Int>?, ofItem item: Int) { tiles[item].playback.properties.range = range }

  func arrange() {
    let first = wall.items(from: firstRow).lowerBound
    layout = TerminalLayout(size, showsOverlay: state.showsOverlay)
    wall = WallLayout(itemCount: tiles.count, area: layout.pictures, columns: preferredColumns)
    // The first visible tile stays visible.
    scroll(to: first / wall.columns)
  }

  func openedChanged(from former: Int?) {
    endScrubbing()
    reveal(state.selected, isAnimated: false)
  }

  func reveal(_ item: Int, isAnimated: Bool) { scroll(to: wall.firstRow(showing: item, from: firstRow)) }

  func scroll(_ amount: WallScroll) {
    switch amount {
    case .rows(let rows): scroll(to: firstRow + rows)
    case .pages(let pages): scroll(to: firstRow + pages * wall.visibleRows)
    case .start: scroll(to: 0)
    case .end: scroll(to: wall.rowCount)
    }
  }

  // MARK: Mouse

  func take(_ report: MouseReport) {
    if state.showsHelp {
      // A click closes it, as in a window.
      if report.action == .release { apply(.toggleHelp) }
      return
    }
    switch report.action {
    case .scroll(let rows): if state.opened == nil { scroll(.rows(rows)) }
    case .press where report.button == .left: press(report)
    case .drag where scrubbed != nil: scrub(to: report.column)
    case .release where report.button == .left: release(report)
    case .move where imageProperties.playsOnHover: hover(over: tile(at: report))
    case .press, .drag, .release, .move: break
    }
  }

  private func hover(over tile: Int?) {
    guard tile != hovered else { return }
    if let hovered { tiles[hovered].playback.perform(.pause) }
    if let tile { tiles[tile].playback.perform(.play) }
    hovered = tile
  }

  private func press(_ report: MouseReport) {
    // If a terminal loses a release, scrubbing must still end.
    endScrubbing()
    pressed = nil
    if report.row == layout.bar {
      scrubbed = state.selected
      selectedTile.playback.beginScrubbing()
      scrub(to: report.column)
    } else {
      pressed = tile(at: report)
    }
  }

  private func tile(at report: MouseReport) -> Int? {
    guard report.row < layout.pictures.rows else { return nil }
    return state.alone ?? wall.item(atColumn: report.column, row: report.row, from: firstRow)
  }

  private func scrub(to column: Int) {
    guard let scrubbed, let frame = bar(of: tiles[scrubbed]).frame(at: column) else { return }
    tiles[scrubbed].playback.scrub(toFrame: frame)
  }

  private func release(_ report: MouseReport) {
    endScrubbing()
    if let pressed, pressed == tile(at: report) {
      select(pressed)
      tiles[pressed].playback.perform(.toggle)
    }
    pressed = nil
  }

  private func endScrubbing() {
    if let scrubbed { tiles[scrubbed].playback.endScrubbing() }
    scrubbed = nil
  }
}
