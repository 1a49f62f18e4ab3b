public import GIFStage

/// The colour of a character or of its background.
public struct CellColor: Hashable, Sendable {
  /// `0xRRGGBB`, or one of the forms below.
  let code: UInt32

  /// The terminal's own.
  public static let standard = CellColor(code: 0xFFFF_FFFF)

  /// One of 24 bits; alpha is ignored.
  public static func rgb(_ color: Color) -> CellColor { CellColor(code: color.rgb) }

  /// One of the terminal's 256; the first 16 are the user's theme.
  public static func palette(_ index: UInt8) -> CellColor { CellColor(code: 0x0100_0000 | UInt32(index)) }

  var paletteIndex: UInt8? { code >> 24 == 1 ? UInt8(truncatingIfNeeded: code) : nil }
}

/// How characters look.
public struct CellStyle: Hashable, Sendable {
  /// The character's colour.
  public var foreground: CellColor
  /// The colour behind it.
  public var background: CellColor
  /// Whether the character is bold.
  public var isBold: Bool
  /// Whether the two colours change places.
  public var isInverse: Bool

  /// Makes a style; that of a terminal's ordinary text unless something is given.
  public init(
    foreground: CellColor = .standard, background: CellColor = .standard, isBold: Bool = false,
    isInverse: Bool = false
  ) {
    self.foreground = foreground
    self.background = background
    self.isBold = isBold
    self.isInverse = isInverse
  }
}

struct ScreenCell: Hashable, Sendable {
  var content: Content
  var style: CellStyle

  enum Content: Hashable, Sendable {
    case character(Unicode.Scalar)
    /// The right half of the wide character before it.
    case continuation
    /// A picture's pixels, which are drawn by other means than characters.
    case pixels
  }

  static let blank = ScreenCell(content: .character(" "), style: CellStyle())
}

/// The cells of a screen. Writes outside of it are ignored.
///
/// The difference of two grids is the smallest update for a terminal: ``update(from:isASCII:)``.
public struct CellGrid: Hashable, Sendable {
  /// Cells in a row, at least 1.
  public let columns: Int
  /// Rows, at least 1.
  public let rows: Int
  private(set) var cells: [ScreenCell]

  /// Makes an empty screen as large as a terminal.
  public init(_ size: TerminalSize) {
    columns = size.columns
    rows = size.rows
    cells = Array(repeating: .blank, count: size.columns * size.rows)
  }

  subscript(column: Int, row: Int) -> ScreenCell {
    get { cells[row * columns + column] }
    set { if contains(column, row) { cells[row * columns + column] = newValue } }
  }

  private func contains(_ column: Int, _ row: Int) -> Bool {
    (0..<columns).contains(column) && (0..<rows).contains(row)
  }

  /// Empties an area.
  public mutating func erase(_ area: TerminalArea) { fill(area, with: .blank) }

  /// Reserves an area for pixels, so that no update writes to it.
  mutating func reserveForPixels(_ area: TerminalArea) {
    fill(area, with: ScreenCell(content: .pixels, style: CellStyle()))
  }

  private mutating func fill(_ area: TerminalArea, with cell: ScreenCell) {
    let right = min(columns, area.column + area.columns)
    guard area.column < right else { return }
    for row in area.row..<max(area.row, min(rows, area.row + area.rows)) {
      for place in row * columns + area.column..<row * columns + right { cells[place] = cell }
    }
  }

  /// Writes a text into a row, cut off at a width.
  ///
  /// - Parameter room: the cells available.
  /// - Returns: the cells used.
  @discardableResult
  public mutating func write(
    _ text: String, column: Int, row: Int, room: Int, style: CellStyle = CellStyle()
  ) -> Int {
    guard column >= 0, column < columns, (0..<rows).contains(row) else { return 0 }
    let room = min(room, columns - column)
    var used = 0
    for scalar in text.unicodeScalars {
      let width = CellText.columns(of: scalar)
      guard width > 0 else { continue }
      guard used + width <= room else { break }
      self[column + used, row] = ScreenCell(content: .character(scalar), style: style)
      if width == 2 { self[column + used + 1, row] = ScreenCell(content: .continuation, style: style) }
      used += width
    }
    return used
  }
}

/// The width of text in cells.
public enum CellText {
  /// 0 for what is not shown (controls, marks that join others), 2 for wide letters and pictograms, else 1.
  ///
  /// The wide ones are the blocks that Unicode's EastAsianWidth.txt has as W or F throughout; terminals agree
  /// on those.
  public static func columns(of scalar: Unicode.Scalar) -> Int {
    switch scalar.value {
    case 0x20...0x7E: return 1
    case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0xA4CF,
      0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6,
      0x1F300...0x1F64F, 0x1F680...0x1F6FF, 0x1F900...0x1F9FF, 0x20000...0x3FFFD:
      return 2
    default: break
    }
    switch scalar.properties.generalCategory {
    case .control, .format, .nonspacingMark, .enclosingMark, .surrogate, .lineSeparator, .paragraphSeparator,
      .unassigned, .privateUse:
      return 0
    default: return 1
    }
  }

  /// The cells that a whole text takes.
  public static func columns(of text: String) -> Int {
    text.unicodeScalars.reduce(0) { $0 + columns(of: $1) }
  }

  /// The text, or its beginning and `~` if it is too long.
  public static func truncated(_ text: String, columns: Int) -> String {
    guard self.columns(of: text) > columns else { return text }
    guard columns > 0 else { return "" }
    var (result, used) = ("", 0)
    for scalar in text.unicodeScalars {
      let width = self.columns(of: scalar)
      if used + width > columns - 1 { break }
      result.unicodeScalars.append(scalar)
      used += width
    }
    return result + "~"
  }
}
