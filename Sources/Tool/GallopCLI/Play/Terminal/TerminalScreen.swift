internal import GIFStage
internal import Gallop
internal import TerminalDisplay

/// The terminal's screen: pictures with captions, the overlay, the frame bar and the status line.
///
/// Each drawing sends one update with the changes since the last one.
struct TerminalScreen {
  private let writer: TerminalWriter
  private let capabilities: TerminalCapabilities
  /// The terminal's background; nil if unknown.
  private let background: Color?
  private let glyphs: BarGlyphs

  private var grid: CellGrid
  /// The cells that the terminal shows; nil if they are unknown.
  private var shown: CellGrid?
  private var renderers: [Int: TerminalRenderer] = [:]
  /// The frame or text drawn of each tile.
  private var drawn: [Int: Drawn] = [:]
  private var arrangement: Arrangement?

  private enum Drawn: Equatable {
    case frame(Int)
    case text(String)
  }

  /// The values that determine the positions of pictures.
  private struct Arrangement: Equatable {
    var layout: TerminalLayout
    var wall: WallLayout
    var visible: Range<Int>
    var showsHelp: Bool
    var resizeMode: ResizeMode
    var size: TerminalSize
  }

  init(
    writer: TerminalWriter, size: TerminalSize, capabilities: TerminalCapabilities, background: Color?
  ) {
    self.writer = writer
    self.background = background
    self.capabilities = capabilities
    glyphs = .matching(capabilities.glyphs)
    grid = CellGrid(size)
  }

  /// Discards the drawn state, so that the next drawing starts with an empty screen.
  mutating func invalidate() { (shown, arrangement) = (nil, nil) }

  /// Draws the changes since the last drawing; only while the writer is idle.
  ///
  /// - Returns: whether anything changed.
  mutating func draw(_ wall: TerminalWall, at now: PlaybackInstant) throws -> Bool {
    var bytes: [UInt8] = []
    arrange(wall, into: &bytes)
    if wall.state.showsHelp, capabilities.graphics.isPixelExact {
      // Text cannot cover pixels.
      for tile in wall.visible { wall.tiles[tile].noteCovered() }
    } else {
      for tile in wall.visible { try drawPicture(tile, of: wall, into: &bytes) }
      for tile in wall.visible { drawCaption(tile, of: wall) }
    }
    if wall.state.showsHelp { drawHelp(in: wall.layout.pictures) }
    drawOverlay(of: wall, at: now)
    drawBar(of: wall)
    drawStatus(of: wall, at: now)
    bytes += updateGrid()
    guard !bytes.isEmpty else { return false }
    wall.recorder.noteTick()
    try writer.send(
      Array(ControlSequence.beginUpdate.utf8) + bytes + Array(ControlSequence.endUpdate.utf8))
    return true
  }

  /// The bytes that bring the terminal's cells up to date.
  private mutating func updateGrid() -> [UInt8] {
    defer { shown = grid }
    return grid.update(
      from: shown, isASCII: capabilities.glyphs == .ascii, colors: capabilities.colors)
  }

  /// Starts an empty screen if positions have changed.
  private mutating func arrange(_ wall: TerminalWall, into bytes: inout [UInt8]) {
    let new = Arrangement(
      layout: wall.layout, wall: wall.wall, visible: wall.visible, showsHelp: wall.state.showsHelp,
      resizeMode: wall.imageProperties.resizeMode, size: wall.size)
    let isLost = shown == nil
    guard isLost || new != arrangement else { return }
    arrangement = new
    grid = CellGrid(wall.size)
    drawn = [:]
    for renderer in renderers.values { bytes += renderer.removeImage() }
    renderers = renderers.filter { wall.visible.contains($0.key) }
    // Characters replace each other; pixels must be cleared.
    if isLost || capabilities.graphics != .symbols {
      bytes += Array(ControlSequence.clearScreen.utf8)
      shown = nil
    }
  }

  private mutating func drawPicture(
    _ tile: Int, of wall: TerminalWall, into bytes: inout [UInt8]
  ) throws {
    guard let area = wall.picture(of: tile) else { return }
    guard let frame = wall.tiles[tile].playback.shown else {
      return drawText(of: tile, wall, in: area, into: &bytes)
    }
    guard drawn[tile] != .frame(frame.index),
      let size = PixelSize(width: frame.pixels.width, height: frame.pixels.height)
    else { return }
    if case .text = drawn[tile] {
      grid.erase(area)
      // Now, as text would stay below the transparent parts of pixels.
      bytes += updateGrid()
    }
    let placement = TerminalPlacement.place(
      size, into: area, cell: wall.size.cell, graphics: capabilities.graphics,
      mode: wall.imageProperties.resizeMode)
    let cells = wall.layout.pictures.columns * wall.layout.pictures.rows
    let renderer =
      renderers[tile]
      ?? TerminalRenderer(capabilities: capabilities.limited(toCells: cells), background: background)
    renderers[tile] = renderer
    bytes += try renderer.draw(frame.pixels.span, at: placement, on: &grid)
    drawn[tile] = .frame(frame.index)
    wall.noteDrawing(of: tile)
  }

  /// Draws the error or the progress of a tile without a frame.
  private mutating func drawText(
    of tile: Int, _ wall: TerminalWall, in area: TerminalArea, into bytes: inout [UInt8]
  ) {
    let playback = wall.tiles[tile].playback
    let failure = playback.failure
    let text = failure.map { Printable.text($0) } ?? playback.progress ?? ""
    guard drawn[tile] != .text(text) else { return }
    if let renderer = renderers.removeValue(forKey: tile) { bytes += renderer.removeImage() }
    grid.erase(area)
    let lines = WrappedText.lines(text, columns: area.columns, limit: area.rows)
    let style = CellStyle(foreground: .palette(failure == nil ? 8 : 9))
    for (row, line) in lines.enumerated() {
      let indent = (area.columns - CellText.columns(of: line)) / 2
      grid.write(
        line, column: area.column + indent, row: area.row + (area.rows - lines.count) / 2 + row,
        room: area.columns - indent, style: style)
    }
    drawn[tile] = .text(text)
  }

  private mutating func drawCaption(_ tile: Int, of wall: TerminalWall) {
    guard let area = wall.caption(of: tile) else { return }
    let playback = wall.tiles[tile].playback
    let isFailed = playback.failure != nil
    let state =
      isFailed || playback.isHeld
      ? wall.tiles[tile].state : playback.isStalled ? playback.progress : nil
    let name = wall.tiles[tile].caption + (state.map { ": " + $0 } ?? "")
    let text = CellText.truncated(name, columns: area.columns)
    let style =
      tile == wall.state.selected
      ? CellStyle(isInverse: true) : CellStyle(foreground: isFailed ? .palette(9) : .standard)
    grid.erase(area)
    let indent = (area.columns - CellText.columns(of: text)) / 2
    grid.write(text, column: area.column + indent, row: area.row, room: area.columns - indent, style: style)
  }

  /// Draws the keys on an empty panel in the middle.
  private mutating func drawHelp(in area: TerminalArea) {
    let lines = SceneKeyText.lines(columns: area.columns, rows: area.rows)
    let width = lines.map { $0.reduce(0) { $0 + CellText.columns(of: $1.text) } }.max() ?? 0
    let left = area.column + (area.columns - width) / 2
    let top = area.row + (area.rows - lines.count) / 2
    let (panelLeft, panelTop) = (max(area.column, left - 2), max(area.row, top - 1))
    grid.erase(
      TerminalArea(
        column: panelLeft, row: panelTop,
        columns: min(area.column + area.columns, left + width + 2) - panelLeft,
        rows: min(area.row + area.rows, top + lines.count + 1) - panelTop))
    for (row, line) in lines.enumerated() { write(line, column: left, row: top + row) }
  }

  private mutating func drawOverlay(of wall: TerminalWall, at now: PlaybackInstant) {
    guard !wall.layout.overlay.isEmpty else { return }
    _ = wall.sampleStatistics(at: now)
    let text = OverlayText(statistics: wall.statistics, range: wall.selectedTile.playback.range)
    for (row, line) in zip(wall.layout.overlay, text.lines(columns: grid.columns, glyphs: glyphs)) {
      write(line, row: row)
    }
  }

  private mutating func drawBar(of wall: TerminalWall) {
    guard let row = wall.layout.bar else { return }
    let playback = wall.selectedTile.playback
    write(
      wall.bar.text(
        tiers: playback.player?.cacheMap.tiers ?? [], playhead: playback.shown?.index, range: playback.range,
        glyphs: glyphs), row: row)
  }

  private mutating func drawStatus(of wall: TerminalWall, at now: PlaybackInstant) {
    guard let row = wall.layout.status else { return }
    let (tile, playback) = (wall.selectedTile, wall.selectedTile.playback)
    var line = StatusLine()
    line.name = tile.caption
    line.isPlaying = playback.isPlaying && playback.failure == nil && !playback.isHeld
    line.state = tile.state
    line.frame = playback.shown?.index
    line.frameCount = playback.image?.frameCount ?? 0
    line.isComplete = playback.isComplete
    // The state tells it already.
    line.loading =
      line.state == nil ? playback.progress ?? (playback.awaitsVerdict ? FlashText.checking : nil) : nil
    line.flashes = line.state == nil && line.loading == nil ? FlashText.states(playback.flashState) : []
    line.message = wall.state.message(at: now)
    line.properties = playback.properties
    if !wall.isSingle { line.tile = (wall.state.selected, wall.tiles.count) }
    write([StyledText(text: line.text(columns: grid.columns, glyphs: glyphs))], row: row)
  }

  /// Writes a line over the whole width.
  private mutating func write(_ line: [StyledText], row: Int) {
    grid.erase(TerminalArea(column: 0, row: row, columns: grid.columns, rows: 1))
    write(line, column: 0, row: row)
  }

  private mutating func write(_ line: [StyledText], column: Int, row: Int) {
    var column = column
    for run in line {
      column += grid.write(run.text, column: column, row: row, room: grid.columns, style: run.style)
    }
  }
}
