public import GIFDecoding

/// An opaque pixel buffer to draw into: one RGBA word per pixel, rows from the top.
///
/// All drawing is in the coordinates of the current region (see ``inRegion(_:opacity:_:)``) and is clipped.
/// Nothing outside the surface is ever written, whatever the arguments.
public struct Surface {
  /// The number of columns.
  public let width: Int
  /// The number of rows.
  public let height: Int
  var words: [UInt32]
  /// Where drawing has effect, in pixels of the whole surface.
  private(set) var clip: PixelRect
  /// The surface's pixel at which the current region begins.
  private(set) var originX = 0
  private(set) var originY = 0
  /// The opacity of drawing, in 255ths.
  private(set) var opacity: UInt32 = 255

  /// Creates a surface of one colour. Sides are brought into 0 - 16,384.
  public init(width: Int, height: Int, color: Color = Theme.ground) {
    self.width = Self.side(width)
    self.height = Self.side(height)
    words = Array(repeating: color.word | 0xFF00_0000, count: self.width * self.height)
    clip = PixelRect(x: 0, y: 0, width: self.width, height: self.height)
  }

  static func side(_ length: Int) -> Int { min(16_384, max(0, length)) }

  /// The rectangle of all pixels.
  public var bounds: PixelRect { PixelRect(x: 0, y: 0, width: width, height: height) }

  /// All pixels, row by row.
  public var pixels: Span<UInt32> {
    @_lifetime(borrow self)
    get { words.span }
  }

  /// The pixel at a place of the surface.
  public subscript(x: Int, y: Int) -> UInt32 {
    precondition(x >= 0 && x < width && y >= 0 && y < height)
    return words[y * width + x]
  }

  // MARK: Regions

  /// Draws with the origin at the corner of `rect`, clipped to it. The opacity, 0 - 1, applies to each
  /// drawing in the region.
  public mutating func inRegion(
    _ rect: PixelRect, opacity: Double = 1, _ draw: (inout Surface) -> Void
  ) {
    let former = (clip, originX, originY, self.opacity)
    let area = absolute(rect)
    clip = clip.intersection(area)
    (originX, originY) = (area.x, area.y)
    if opacity < 1 { self.opacity = UInt32((Double(self.opacity) * max(0, opacity)).rounded()) }
    if !clip.isEmpty, self.opacity > 0 { draw(&self) }
    (clip, originX, originY, self.opacity) = former
  }

  /// Draws clipped to `rect`; the origin stays.
  mutating func clipped(to rect: PixelRect, _ draw: (inout Surface) -> Void) {
    let former = clip
    clip = clip.intersection(absolute(rect))
    if !clip.isEmpty { draw(&self) }
    clip = former
  }

  /// The part of `rect` that can be drawn, in the coordinates of the current region.
  public func visible(_ rect: PixelRect) -> PixelRect {
    let area = absolute(rect).intersection(clip)
    return area.isEmpty ? .empty : area.offset(x: -originX, y: -originY)
  }

  /// A rectangle of the current region in pixels of the whole surface, bounded so that sums do not overflow.
  func absolute(_ rect: PixelRect) -> PixelRect {
    let rect = rect.bounded
    return rect.offset(x: originX, y: originY)
  }

  // MARK: Filling

  /// Blends a colour over a rectangle.
  public mutating func fill(_ rect: PixelRect, _ color: Color) {
    let area = absolute(rect).intersection(clip)
    guard !area.isEmpty, color.alpha > 0 else { return }
    let (word, width, opacity) = (color.word, width, opacity)
    let isOpaque = color.alpha == 255 && opacity == 255
    var output = words.mutableSpan
    for y in area.y..<area.maxY {
      let line = y * width
      for place in line + area.x..<line + area.maxX {
        output[place] = isOpaque ? word : PixelMath.over(word, output[place], opacity: opacity)
      }
    }
  }

  /// Fills with the checkerboard that shows transparency, in squares of `side` pixels from the rectangle's
  /// corner.
  public mutating func fillChecker(
    _ rect: PixelRect, side: Int = 8, light: Color = Theme.checkerLight, dark: Color = Theme.checkerDark
  ) {
    let side = max(1, side)
    let whole = absolute(rect)
    let area = whole.intersection(clip)
    guard !area.isEmpty else { return }
    let colors = [light.word | 0xFF00_0000, dark.word | 0xFF00_0000]
    let (width, opacity) = (width, opacity)
    var output = words.mutableSpan
    for y in area.y..<area.maxY {
      let row = (y - whole.y) / side
      // Square by square, which avoids a division for each pixel.
      var square = (area.x - whole.x) / side
      var x = area.x
      while x < area.maxX {
        let end = min(area.maxX, whole.x + (square + 1) * side)
        let color = colors[(square + row) & 1]
        for place in y * width + x..<y * width + end {
          output[place] = opacity == 255 ? color : PixelMath.over(color, output[place], opacity: opacity)
        }
        (x, square) = (end, square + 1)
      }
    }
  }

  /// Blends a colour over one pixel, with a coverage in 255ths.
  mutating func blend(_ color: Color, x: Int, y: Int, coverage: UInt32) {
    let (x, y) = (x + originX, y + originY)
    guard x >= clip.x, x < clip.maxX, y >= clip.y, y < clip.maxY else { return }
    let coverage = opacity == 255 ? coverage : PixelMath.divideBy255(coverage * opacity)
    words[y * width + x] = PixelMath.over(color.word, words[y * width + x], opacity: coverage)
  }
}

extension PixelRect {
  /// The rectangle moved by an offset.
  func offset(x: Int, y: Int) -> PixelRect {
    PixelRect(x: self.x + x, y: self.y + y, width: width, height: height)
  }

  /// Smaller by a margin on each side; empty where nothing is left.
  func inset(_ margin: Int) -> PixelRect { inset(x: margin, y: margin) }

  func inset(x: Int, y: Int) -> PixelRect {
    let inner = PixelRect(x: self.x + x, y: self.y + y, width: width - 2 * x, height: height - 2 * y)
    return inner.isEmpty ? .empty : inner
  }

  /// The rectangle with bounded numbers, so that sums and products do not overflow.
  var bounded: PixelRect {
    let limit = 1 << 30
    func near(_ value: Int) -> Int { min(limit, max(-limit, value)) }
    return PixelRect(x: near(x), y: near(y), width: max(0, near(width)), height: max(0, near(height)))
  }
}
