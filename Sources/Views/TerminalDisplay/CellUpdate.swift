extension CellGrid {
  /// The bytes that bring a terminal from one screen to another: for each run of cells that differ a move of
  /// the cursor, and only those attributes that change. None where nothing differs.
  ///
  /// - Parameters:
  ///   - old: what the terminal shows; nil where it shows nothing. Of another size it counts as nothing.
  ///   - isASCII: whether the terminal knows no other characters; others become question marks.
  ///   - colors: how many colours the terminal has; it gets no others.
  /// - Returns: the bytes; they leave the cursor anywhere and the attributes reset.
  public func update(
    from old: CellGrid?, isASCII: Bool = false, colors: TerminalColors = .trueColor
  ) -> [UInt8] {
    let isComparable = old?.columns == columns && old?.rows == rows
    var encoder = CellEncoder(isASCII: isASCII, colors: colors)
    let former = isComparable ? old?.cells ?? [] : []
    for row in 0..<rows {
      for column in 0..<columns {
        let place = row * columns + column
        let cell = cells[place]
        if cell == (isComparable ? former[place] : .blank) { continue }
        encoder.skip(to: column, row: row, in: self)
        encoder.put(cell, column: column, row: row)
      }
    }
    return encoder.finish()
  }
}

/// Encodes cells as bytes.
private struct CellEncoder {
  /// The largest number of unchanged cells that are written again instead of a cursor move.
  private static let bridge = 4

  private let isASCII: Bool
  private let colors: TerminalColors
  private var bytes: [UInt8] = []
  private var style = CellStyle()
  /// The terminal's cursor; nil if its position is uncertain.
  private var cursor: (column: Int, row: Int)?

  init(isASCII: Bool, colors: TerminalColors) {
    self.isASCII = isASCII
    self.colors = colors
  }

  /// Moves the cursor to a cell by the shortest sequence.
  mutating func skip(to column: Int, row: Int, in grid: CellGrid) {
    guard let cursor, cursor.row == row, cursor.column <= column else {
      return bytes.appendMove(column: column, row: row)
    }
    let gap = column - cursor.column
    guard gap > 0 else { return }
    if gap <= Self.bridge, (cursor.column..<column).allSatisfy({ isPlain(grid[$0, row]) }) {
      for passed in cursor.column..<column { put(grid[passed, row], column: passed, row: row) }
    } else {
      bytes.append(gap == 1 ? "\u{1B}[C" : "\u{1B}[\(gap)C")
    }
  }

  /// Whether a cell costs no more than its character.
  private func isPlain(_ cell: ScreenCell) -> Bool {
    guard case .character(let scalar) = cell.content, colors.limiting(cell.style) == style else {
      return false
    }
    return CellText.columns(of: scalar) == 1
  }

  mutating func put(_ cell: ScreenCell, column: Int, row: Int) {
    switch cell.content {
    case .character(let scalar):
      set(cell.style)
      append(scalar)
      // Terminals differ in how far wide characters go.
      let isCertain =
        switch scalar.value {
        // Lines and blocks, braille, sextants.
        case 0..<0x80, 0x2500...0x259F, 0x2800...0x28FF, 0x1FB00...0x1FB6F: true
        default: false
        }
      cursor = isCertain ? (column + 1, row) : nil
    case .continuation, .pixels: cursor = nil
    }
  }

  private mutating func append(_ scalar: Unicode.Scalar) {
    if scalar.isASCII {
      bytes.append(UInt8(truncatingIfNeeded: scalar.value))
    } else if isASCII {
      bytes.append(UInt8(ascii: "?"))
      if CellText.columns(of: scalar) == 2 { bytes.append(UInt8(ascii: "?")) }
    } else {
      bytes.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
    }
  }

  private mutating func set(_ wanted: CellStyle) {
    let new = colors.limiting(wanted)
    guard new != style else { return }
    var codes: [String] = []
    var base = style
    // Bold and inverse can only be taken away together with all else, as far as all terminals go.
    if (base.isBold && !new.isBold) || (base.isInverse && !new.isInverse) {
      codes.append("0")
      base = CellStyle()
    }
    if new.isBold, !base.isBold { codes.append("1") }
    if new.isInverse, !base.isInverse { codes.append("7") }
    if new.foreground != base.foreground { codes.append(Self.code(new.foreground, ground: 0)) }
    if new.background != base.background { codes.append(Self.code(new.background, ground: 10)) }
    bytes.append("\u{1B}[\(codes.joined(separator: ";"))m")
    style = new
  }

  private static func code(_ color: CellColor, ground: Int) -> String {
    if color == .standard { return "\(39 + ground)" }
    switch color.paletteIndex {
    case let index? where index < 8: return "\(30 + ground + Int(index))"
    case let index? where index < 16: return "\(82 + ground + Int(index))"
    case let index?: return "\(38 + ground);5;\(index)"
    case nil:
      return "\(38 + ground);2;\(color.code >> 16 & 0xFF);\(color.code >> 8 & 0xFF);\(color.code & 0xFF)"
    }
  }

  mutating func finish() -> [UInt8] {
    if style != CellStyle() { bytes.append(ControlSequence.resetAttributes) }
    return bytes
  }
}

extension TerminalColors {
  /// A style in the colours that there are; bold and inverse are none.
  fileprivate func limiting(_ style: CellStyle) -> CellStyle {
    guard self < .ansi16 else { return style }
    var limited = style
    limited.foreground = limiting(style.foreground)
    limited.background = limiting(style.background)
    return limited
  }

  private func limiting(_ color: CellColor) -> CellColor {
    guard self != .monochrome, let index = color.paletteIndex else { return .standard }
    // A bright colour becomes the plain one, and grey, which would be black, the text's own.
    return index < 8 ? color : index == 8 || index > 15 ? .standard : .palette(index - 8)
  }
}
