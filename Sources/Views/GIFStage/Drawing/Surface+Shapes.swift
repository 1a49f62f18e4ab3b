public import GIFDecoding

extension Surface {
  /// A rectangle with round corners and soft edges.
  public mutating func fillRounded(_ rect: PixelRect, radius: Int, _ color: Color) {
    let rect = rect.bounded
    let radius = max(0, min(radius, min(rect.width, rect.height) / 2))
    fill(PixelRect(x: rect.x, y: rect.y + radius, width: rect.width, height: rect.height - 2 * radius), color)
    let inner = rect.width - 2 * radius
    fill(PixelRect(x: rect.x + radius, y: rect.y, width: inner, height: radius), color)
    fill(PixelRect(x: rect.x + radius, y: rect.maxY - radius, width: inner, height: radius), color)
    let right = rect.maxX - radius
    let bottom = rect.maxY - radius
    for y in 0..<radius {
      for x in 0..<radius {
        let coverage = Self.corner(x: x, y: y, radius: radius)
        blend(color, x: rect.x + radius - 1 - x, y: rect.y + radius - 1 - y, coverage: coverage)
        blend(color, x: right + x, y: rect.y + radius - 1 - y, coverage: coverage)
        blend(color, x: rect.x + radius - 1 - x, y: bottom + y, coverage: coverage)
        blend(color, x: right + x, y: bottom + y, coverage: coverage)
      }
    }
  }

  /// A disc of `diameter` pixels, with soft edges.
  public mutating func fillDisc(centerX: Int, centerY: Int, diameter: Int, _ color: Color) {
    let rect = PixelRect(
      x: centerX - diameter / 2, y: centerY - diameter / 2, width: diameter, height: diameter)
    fillRounded(rect, radius: diameter / 2, color)
  }

  /// The frame of a rectangle, inside it.
  public mutating func stroke(_ rect: PixelRect, thickness: Int, _ color: Color) {
    let rect = rect.bounded
    let line = min(thickness, min(rect.width, rect.height) / 2)
    fill(PixelRect(x: rect.x, y: rect.y, width: rect.width, height: line), color)
    fill(PixelRect(x: rect.x, y: rect.maxY - line, width: rect.width, height: line), color)
    let sides = rect.height - 2 * line
    fill(PixelRect(x: rect.x, y: rect.y + line, width: line, height: sides), color)
    fill(PixelRect(x: rect.maxX - line, y: rect.y + line, width: line, height: sides), color)
  }

  /// How much of a pixel, counted from a circle's centre, lies within it, in 255ths: 16 samples.
  private static func corner(x: Int, y: Int, radius: Int) -> UInt32 {
    // In eighths of a pixel, at the middle of each quarter.
    let limit = radius * 8 * radius * 8
    var inside: UInt32 = 0
    for row in 0..<4 {
      for column in 0..<4 {
        let (across, down) = (x * 8 + column * 2 + 1, y * 8 + row * 2 + 1)
        if across * across + down * down <= limit { inside += 1 }
      }
    }
    return inside * 255 / 16
  }
}
