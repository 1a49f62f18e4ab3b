internal import GIFDecoding

extension Surface {
  /// Draws a line of text; `x`, `y` is the corner of its first letter. At size 1 letters have 5 x 7 pixels,
  /// at 2 twice that, and so on to 16.
  ///
  /// - Returns: the x position of the next letter.
  @discardableResult
  public mutating func draw(_ text: String, x: Int, y: Int, size: Int = 1, _ color: Color) -> Int {
    let size = min(16, max(1, size))
    var left = x
    for letter in text.unicodeScalars {
      drawLetter(letter, x: left, y: y, size: size, color)
      left += BitmapFont.advance * size
    }
    return left
  }

  private mutating func drawLetter(_ letter: Unicode.Scalar, x: Int, y: Int, size: Int, _ color: Color) {
    // Even sizes use the doubled letter, whose slanted strokes are smooth.
    let isDoubled = size.isMultiple(of: 2)
    let dot = isDoubled ? size / 2 : size
    let (columns, rows) =
      isDoubled
      ? (BitmapFont.width * 2, BitmapFont.rowCount * 2) : (BitmapFont.width, BitmapFont.rowCount)
    guard !visible(PixelRect(x: x, y: y, width: columns * dot, height: rows * dot)).isEmpty else { return }
    for row in 0..<rows {
      for column in 0..<columns {
        let isSet =
          isDoubled
          ? BitmapFont.isSetDoubled(letter, x: column, y: row) : BitmapFont.isSet(letter, x: column, y: row)
        guard isSet else { continue }
        fill(PixelRect(x: x + column * dot, y: y + row * dot, width: dot, height: dot), color)
      }
    }
  }
}
