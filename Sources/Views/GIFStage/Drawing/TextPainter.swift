public import GIFDecoding

/// Measures and draws the text of views: with the stage's font, or with the bitmap font without one.
struct TextPainter {
  /// The height of a line's letters at scale 1.
  static let pixelSize = 13

  private let font: StageFont?
  private let scale: Int

  init(font: StageFont?, scale: Int) {
    self.font = font
    self.scale = scale
  }

  private var size: Int { Self.pixelSize * scale }

  /// The height of a capital letter.
  var height: Int { font.map { $0.glyph("H", pixelSize: size).top } ?? BitmapFont.height * scale }

  /// The distance from one line to the next.
  var lineHeight: Int { font == nil ? (BitmapFont.height + 3) * scale : size + 3 * scale }

  /// The mark at the end of a shortened text.
  private var ellipsis: String { font == nil ? ".." : "…" }

  /// The columns of a text.
  func width(of text: String) -> Int {
    guard let font else { return BitmapFont.width(of: text, size: scale) }
    return text.unicodeScalars.reduce(0) { $0 + font.glyph($1, pixelSize: size).advance }
  }

  /// A text shortened to a width.
  func truncated(_ text: String, width: Int) -> String {
    guard let font else { return BitmapFont.truncated(text, width: width, size: scale) }
    let room = max(0, width - self.width(of: ellipsis))
    var used = 0
    var kept = text.startIndex
    for place in text.indices {
      let letter = text[place].unicodeScalars.reduce(0) { $0 + font.glyph($1, pixelSize: size).advance }
      used += letter
      if used <= room { kept = text.index(after: place) }
      // A long name is not measured beyond its visible part.
      if used > width { return width > 0 ? text[..<kept] + ellipsis : "" }
    }
    return text
  }

  /// The lines of a text in a width, broken at spaces; the last one is shortened if there are more than
  /// `limit`.
  func lines(_ text: String, width: Int, limit: Int) -> [String] {
    var lines: [String] = []
    var rest = Substring(text)
    while !rest.isEmpty, lines.count < limit {
      guard lines.count < limit - 1, self.width(of: String(rest)) > width else {
        lines.append(truncated(String(rest), width: width))
        break
      }
      var end = rest.index(after: rest.startIndex)
      while end < rest.endIndex, self.width(of: String(rest[...end])) <= width {
        end = rest.index(after: end)
      }
      let line = rest[..<(end < rest.endIndex ? rest.index(after: end) : end)]
      let space = line.lastIndex(of: " ").flatMap { $0 > line.startIndex ? $0 : nil }
      lines.append(String(rest[..<(space ?? end)]))
      rest = rest[(space ?? end)...].drop { $0 == " " }
    }
    return lines
  }

  /// Draws a line; `x`, `y` is the upper left corner of a capital letter.
  func draw(_ text: String, on surface: inout Surface, x: Int, y: Int, _ color: Color) {
    guard let font else {
      surface.draw(text, x: x, y: y, size: scale, color)
      return
    }
    let baseline = y + height
    var left = x
    for letter in text.unicodeScalars {
      let glyph = font.glyph(letter, pixelSize: size)
      surface.draw(glyph, x: left + glyph.left, y: baseline - glyph.top, color)
      left += glyph.advance
    }
  }

  /// Draws a line that ends at a column.
  func draw(_ text: String, on surface: inout Surface, endingAt x: Int, y: Int, _ color: Color) {
    draw(text, on: &surface, x: x - width(of: text), y: y, color)
  }
}

extension Surface {
  /// Blends a colour through a glyph's mask.
  fileprivate mutating func draw(_ glyph: Glyph, x: Int, y: Int, _ color: Color) {
    let whole = PixelRect(x: x, y: y, width: glyph.width, height: glyph.height)
    let area = visible(whole)
    guard !area.isEmpty else { return }
    for row in area.y..<area.maxY {
      let line = (row - y) * glyph.width - x
      for column in area.x..<area.maxX {
        let coverage = UInt32(glyph.coverage[line + column])
        if coverage > 0 { blend(color, x: column, y: row, coverage: coverage) }
      }
    }
  }
}

extension View {
  /// Draws a line of text in the stage's font, shortened to a rectangle and in the middle of its height.
  public func drawText(
    _ line: String, on surface: inout Surface, in rect: PixelRect, color: Color = Theme.text
  ) {
    let text = text
    text.draw(
      text.truncated(line, width: rect.width), on: &surface, x: rect.x,
      y: rect.y + (rect.height - text.height) / 2 + scale / 2, color)
  }
}
