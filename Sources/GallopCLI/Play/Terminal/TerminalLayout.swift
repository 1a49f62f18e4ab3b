internal import TerminalDisplay

/// Which rows of a terminal are for what. Pure.
///
/// The pictures come first; then, as far as there is room, the overlay, the bar of frames and the status line.
struct TerminalLayout: Equatable {
  /// Rows of the whole overlay.
  static let overlayRows = 6
  /// Rows that pictures keep whatever else there is.
  private static let leastPictureRows = 3

  let pictures: TerminalArea
  /// The overlay's rows; empty where there is none.
  let overlay: Range<Int>
  /// The row of the bar.
  let bar: Int?
  /// The row of the status line.
  let status: Int?

  init(_ size: TerminalSize, showsOverlay: Bool) {
    let rows = size.rows
    let lines = rows >= 4 ? 2 : rows >= 2 ? 1 : 0
    let spare = max(0, rows - lines - Self.leastPictureRows)
    let overlayRows = showsOverlay ? min(Self.overlayRows, spare) : 0
    let pictureRows = rows - lines - overlayRows
    pictures = TerminalArea(column: 0, row: 0, columns: size.columns, rows: pictureRows)
    overlay = pictureRows..<pictureRows + overlayRows
    bar = lines > 0 ? rows - lines : nil
    status = lines > 1 ? rows - 1 : nil
  }
}

/// Where the tiles of a wall are. Pure. Rows of tiles are shown whole, so a wall scrolls by rows of tiles.
struct WallLayout: Equatable {
  /// Columns that a tile should have, where the wall does not fit in whole.
  private static let wishedColumns = 24
  /// The least that a tile should be for the whole wall to be shown at once.
  private static let leastColumns = 14
  private static let leastRows = 4

  let itemCount: Int
  let area: TerminalArea
  /// Tiles in a row.
  let columns: Int
  /// Rows of tiles that are seen at once.
  let visibleRows: Int
  private let tileColumns: Int
  private let tileRows: Int
  private let gap: Int

  /// - Parameters:
  ///   - itemCount: at least 1.
  ///   - columns: tiles in a row; nil for what suits.
  init(itemCount: Int, area: TerminalArea, columns wished: Int?) {
    self.itemCount = max(1, itemCount)
    self.area = area
    let whole = wished == nil ? Self.columnsOfWhole(self.itemCount, in: area) : nil
    let count = wished ?? whole ?? area.columns / Self.wishedColumns
    columns = min(max(1, count), self.itemCount, area.columns)
    gap = columns * 2 - 1 <= area.columns ? 1 : 0
    tileColumns = (area.columns - (columns - 1) * gap) / columns
    let rows = (self.itemCount + columns - 1) / columns
    let wishedRows = Self.pictureRows(tileColumns) + 1
    visibleRows = whole == nil ? min(rows, max(1, area.rows / wishedRows)) : rows
    tileRows = area.rows / visibleRows
  }

  /// Rows for a picture of 3:2 in so many columns, cells being twice as high as wide.
  private static func pictureRows(_ columns: Int) -> Int { max(1, columns / 3) }

  /// As many as make the pictures of the whole wall largest; nil where it does not fit.
  private static func columnsOfWhole(_ count: Int, in area: TerminalArea) -> Int? {
    var best: (columns: Int, width: Int)?
    for columns in 1...max(1, min(count, area.columns / leastColumns)) {
      let rows = (count + columns - 1) / columns
      guard area.rows / rows >= leastRows else { continue }
      let width = min((area.columns - columns + 1) / columns, (area.rows / rows - 1) * 3)
      if width > best?.width ?? 0 { best = (columns, width) }
    }
    return best?.columns
  }

  /// All rows of tiles.
  var rowCount: Int { (itemCount + columns - 1) / columns }

  /// The nearest row at which no more is shown than there is.
  func clamped(_ firstRow: Int) -> Int { max(0, min(firstRow, rowCount - visibleRows)) }

  /// The items that are seen when a row is the first.
  func items(from firstRow: Int) -> Range<Int> {
    let first = clamped(firstRow) * columns
    return first..<min(itemCount, first + visibleRows * columns)
  }

  /// The first row that brings an item into sight with the least movement.
  func firstRow(showing item: Int, from firstRow: Int) -> Int {
    let row = min(max(0, item), itemCount - 1) / columns
    return clamped(min(row, max(row - visibleRows + 1, clamped(firstRow))))
  }

  /// Where a tile is, caption included; nil out of sight.
  func tile(of item: Int, from firstRow: Int) -> TerminalArea? {
    guard items(from: firstRow).contains(item) else { return nil }
    let place = item - clamped(firstRow) * columns
    return TerminalArea(
      column: area.column + place % columns * (tileColumns + gap),
      row: area.row + place / columns * tileRows, columns: tileColumns, rows: tileRows)
  }

  /// Where an item's picture is; nil out of sight.
  func picture(of item: Int, from firstRow: Int) -> TerminalArea? {
    tile(of: item, from: firstRow).map { hasCaptions ? $0.leaving(rows: 1) : $0 }
  }

  /// Whether there is a row for them.
  var hasCaptions: Bool { tileRows > 1 }

  /// The item that is seen at a cell.
  func item(atColumn column: Int, row: Int, from firstRow: Int) -> Int? {
    items(from: firstRow).first { item in
      guard let tile = tile(of: item, from: firstRow) else { return false }
      return (tile.column..<tile.column + tile.columns).contains(column)
        && (tile.row..<tile.row + tile.rows).contains(row)
    }
  }
}
