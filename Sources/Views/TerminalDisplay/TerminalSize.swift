import Glibc

/// The size of one character cell in pixels.
///
/// Only the ratio matters for `symbols`; the pixel protocols also size their images by it.
public struct TerminalCell: Hashable, Sendable {
  /// Width in pixels, 1...256.
  public let width: Int
  /// Height in pixels, 1...256.
  public let height: Int

  /// Creates a cell size; values are clamped to 1...256.
  public init(width: Int, height: Int) {
    self.width = min(max(width, 1), 256)
    self.height = min(max(height, 1), 256)
  }

  /// The size assumed if the terminal reports none: 8 by 16, as most fonts are about 1:2.
  public static let assumed = TerminalCell(width: 8, height: 16)
}

/// The size of a terminal in cells and, if known, in pixels.
public struct TerminalSize: Hashable, Sendable {
  /// Cells in a row, 1...65535.
  public let columns: Int
  /// Rows, 1...65535.
  public let rows: Int
  /// Width of the text area in pixels; 0 if unknown.
  public let pixelWidth: Int
  /// Height of the text area in pixels; 0 if unknown.
  public let pixelHeight: Int

  /// Makes a size. A zero `columns` or `rows`, which is how a pseudo-terminal says "never set", becomes 80 or
  /// 24.
  public init(columns: Int, rows: Int, pixelWidth: Int = 0, pixelHeight: Int = 0) {
    self.columns = columns > 0 ? min(columns, 65535) : 80
    self.rows = rows > 0 ? min(rows, 65535) : 24
    self.pixelWidth = min(max(pixelWidth, 0), 65535)
    self.pixelHeight = min(max(pixelHeight, 0), 65535)
  }

  /// The size assumed for what is not a terminal: 80 by 24 cells, pixels unknown.
  public static let assumed = TerminalSize(columns: 80, rows: 24)

  /// The size of one cell.
  ///
  /// Some terminals and multiplexers report wrong pixels (zero, the cell count, one side only). So a cell
  /// narrower than 3 or lower than 4 pixels, or with a ratio above 4, is replaced by
  /// ``TerminalCell/assumed``.
  public var cell: TerminalCell {
    let width = pixelWidth / columns
    let height = pixelHeight / rows
    guard width >= 3, height >= 4, height <= 4 * width, width <= 4 * height else { return .assumed }
    return TerminalCell(width: width, height: height)
  }

  /// The part of the terminal that is drawn on, from its upper left corner: at most 800 by 300 cells.
  ///
  /// Any program can set a terminal's size, and each cell costs memory and time.
  public var drawable: TerminalSize {
    let (columns, rows) = (min(self.columns, 800), min(self.rows, 300))
    return TerminalSize(
      columns: columns, rows: rows, pixelWidth: pixelWidth * columns / self.columns,
      pixelHeight: pixelHeight * rows / self.rows)
  }

  /// The area pictures may be drawn in: the whole terminal, or for `sixel` and `iterm2` all but the last row.
  ///
  /// Those two leave the cursor below the picture, so one that reaches the last row would scroll the screen.
  public func area(for graphics: TerminalGraphics) -> TerminalArea {
    let whole = TerminalArea(column: 0, row: 0, columns: columns, rows: rows)
    return graphics == .sixel || graphics == .iterm2 ? whole.leaving(rows: 1) : whole
  }

  /// Asks the kernel how large the terminal behind a descriptor is (`TIOCGWINSZ`).
  ///
  /// - Parameter descriptor: an open descriptor; one that is no terminal yields ``assumed``.
  public static func query(_ descriptor: CInt) -> TerminalSize {
    var window = winsize()
    guard unsafe ioctl(descriptor, UInt(TIOCGWINSZ), &window) == 0 else { return .assumed }
    return TerminalSize(
      columns: Int(window.ws_col), rows: Int(window.ws_row),
      pixelWidth: Int(window.ws_xpixel), pixelHeight: Int(window.ws_ypixel))
  }
}
