internal import GIFStage

/// Charts as SVG files.
enum SVGWriter {
  static func text(_ drawing: ChartDrawing) -> String {
    // A letter of a monospace font is about six tenths of its size wide, as those of the bitmap font are.
    var lines = [
      """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(drawing.width) \(drawing.height)" \
      width="\(drawing.width)" height="\(drawing.height)" font-family="monospace" font-size="\(ChartDrawing.letterWidth * 10 / 6)">
      """,
      "<rect width=\"100%\" height=\"100%\" fill=\"\(hex(Theme.ground))\"/>",
    ]
    for shape in drawing.shapes {
      switch shape {
      case .bar(let x, let y, let width, let height, let color):
        lines.append(
          "<rect x=\"\(x)\" y=\"\(y)\" width=\"\(width)\" height=\"\(height)\" fill=\"\(hex(color))\"/>")
      case .text(let text, let x, let y, let alignment, let color):
        lines.append(
          "<text x=\"\(x)\" y=\"\(y)\" text-anchor=\"\(alignment.rawValue)\" fill=\"\(hex(color))\">\(escaped(text))</text>"
        )
      }
    }
    return lines.joined(separator: "\n") + "\n</svg>\n"
  }

  /// `#RRGGBB`.
  private static func hex(_ color: Color) -> String {
    let digits = Array("0123456789abcdef")
    let (red, green, blue) = (color.word & 0xFF, color.word >> 8 & 0xFF, color.word >> 16 & 0xFF)
    return "#" + [red, green, blue].map { "\(digits[Int($0 >> 4)])\(digits[Int($0 & 15)])" }.joined()
  }

  /// Text escaped for XML.
  private static func escaped(_ text: String) -> String {
    var escaped = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "\u{0}"..."\u{1F}", "\u{7F}"..."\u{9F}", "\u{FFFE}", "\u{FFFF}": escaped += " "
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }
}
