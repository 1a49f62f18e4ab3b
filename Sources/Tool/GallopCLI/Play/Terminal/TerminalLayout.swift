internal import TerminalDisplay

/// The rows of a terminal: pictures, overlay, frame bar and status line.
///
/// The pictures take precedence if there are few rows.
struct TerminalLayout: Equatable {
  /// Rows of the whole overlay.
  static let overlayRows = 6
  /// The smallest number of rows for pictures.
  private static let minimumPictureRows = 3

  let pictures: TerminalArea
  /// The overlay's rows; empty without an overlay.
  let overlay: Range<Int>
  /// The row of the bar.
  let bar: Int?
  /// The row of the status line.
  let status: Int?

  init(_ size: TerminalSize, showsOverlay: Bool) {
    let rows = size.rows
    let lines = rows >= 4 ? 2 : rows >= 2 ? 1 : 0
    let spare = max(0, rows - lines - Self.minimumPictureRows)
    let overlayRows = showsOverlay ? min(Self.overlayRows, spare) : 0
    let pictureRows = rows - lines - overlayRows
    pictures = TerminalArea(column: 0, row: 0, columns: size.columns, rows: pictureRows)
    overlay = pictureRows..<pictureRows + overlayRows
    bar = lines > 0 ? rows - lines : nil
    status = lines > 1 ? rows - 1 : nil
  }
}

/// The layout of a wall's tiles. Rows of tiles are shown whole, so a wall scrolls by rows of tiles.
struct WallLayout: Equatable {
  /// The preferred columns of a tile if the wall does not fit.
  private static let preferredColumns = 24
  /// The smallest columns of a tile if the whole wall is shown.
  private static let minimumColumns = 14
  private static let minimumRows = 4

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
  ///   - columns: tiles in a row; nil to choose by the size.
  init(itemCount: Int, area: TerminalArea, columns preferred: Int?) {
    self.itemCount = max(1, itemCount)
    self.area = area
    let whole = preferred == nil ? Self.columnsShowingAll(self.itemCount, in: area) : nil
    let count = preferred ?? whole ?? area.columns / Self.preferredColumns
    columns = min(max(1, count), self.itemCount, area.columns)
    gap = columns * 2 - 1 <= area.columns ? 1 : 0
    tileColumns = (area.columns - (columns - 1) * gap) / columns
    let rows = (self.itemCount + columns - 1) / columns
    let preferredRows = Self.pictureRows(tileColumns) + 1
    visibleRows = whole == nil ? min(rows, max(1, area.rows / preferredRows)) : rows
    tileRows = area.rows / visibleRows
  }

  /// Rows for a picture of 3:2 in this many columns, cells being twice as high as wide.
  private static func pictureRows(_ columns: Int) -> Int { max(1, columns / 3) }

  /// The columns with the largest pictures of the whole wall; nil if it does not fit.
  private static func columnsShowingAll(_ count: Int, in area: TerminalArea) -> Int? {
    var best: (columns: Int, width: Int)?
    for columns in 1...max(1, min(count, area.columns / minimumColumns)) {
      let rows = (count + columns - 1) / columns
      guard area.rows / rows >= minimumRows else { continue }
      let width = min((area.columns - columns + 1) / columns, (area.rows / rows - 1) * 3)
      if width > best?.width ?? 0 { best = (columns, width) }
    }
    return best?.columns
  }

  /// All rows of tiles.
  var rowCount: Int { (itemCount + columns - 1) / columns }

  /// The nearest first row within the wall.
  func clamped(_ firstRow: Int) -> Int { max(0, min(firstRow, rowCount - visibleRows)) }

  /// The visible items for a first row.
  func items(from firstRow: Int) -> Range<Int> {
    let first = clamped(firstRow) * columns
    return first..<min(itemCount, first + visibleRows * columns)
  }

  /// The nearest first row at which an item is visible.
  func firstRow(showing item: Int, from firstRow: Int) -> Int {
    let row = min(max(0, item), itemCount - 1) / columns
    return clamped(min(row, max(row - visibleRows + 1, clamped(firstRow))))
  }

  /// The area of a tile with its caption; nil if it is not visible.
  func tile(of item: Int, from firstRow: Int) -> TerminalArea? {
    guard items(from: firstRow).contains(item) else { return nil }
    let place = item - clamped(firstRow) * columns
    return TerminalArea(
      column: area.column + place % columns * (tileColumns + gap),
      row: area.row + place / columns * tileRows, columns: tileColumns, rows: tileRows)
  }

  /// The area of an item's picture; nil if it is not visible.
  func picture(of item: Int, from firstRow: Int) -> TerminalArea? {
    tile(of: item, from: firstRow).map { hasCaptions ? $0.leaving(rows: 1) : $0 }
  }

  /// Whether tiles have a row for captions.
  var hasCaptions: Bool { tileRows > 1 }

  /// The visible item at a cell.
  func item(atColumn column: Int, row: Int, from firstRow: Int) -> Int? {
    items(from: firstRow).first { item in
      guard let tile = tile(of: item, from: firstRow) else { return false }
      return (tile.column..<tile.column + tile.columns).contains(column)
        && (tile.row..<tile.row + tile.rows).contains(row)
    }
  }
}
