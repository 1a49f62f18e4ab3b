public import GIFDecoding

/// How a picture is resampled to another size.
public enum Sampling: Sendable, Hashable {
  /// Each pixel is the nearest one of the picture: hard edges, right for enlarging by a whole factor.
  case nearest
  /// Each pixel lies between the four nearest ones, weighted by alpha: right for enlarging by other factors.
  case bilinear
  /// Each pixel is the mean of those it covers, weighted by alpha: right for reducing.
  case area
}

extension Surface {
  /// Draws a picture into a rectangle, which may lie partly outside; straight alpha.
  ///
  /// Costs the visible pixels of `destination`; with ``Sampling/area`` those of the picture under them.
  /// - Parameters:
  ///   - pixels: RGBA words, row by row; fewer than `size` asks for draw nothing.
  ///   - size: the width and height of the picture.
  ///   - destination: the rectangle that it fills.
  ///   - sampling: how it is resized.
  ///   - opacity: 255 draws the picture as it is, less blends it with the pixels below.
  public mutating func draw(
    _ pixels: Span<UInt32>, size: PixelSize, in destination: PixelRect, sampling: Sampling = .nearest,
    opacity: UInt8 = 255
  ) {
    let whole = absolute(destination)
    let area = whole.intersection(clip)
    let opacity =
      self.opacity == 255 ? UInt32(opacity) : PixelMath.divideBy255(UInt32(opacity) * self.opacity)
    guard !area.isEmpty, opacity > 0, pixels.count >= size.width * size.height else { return }
    if whole.width == size.width, whole.height == size.height {
      copy(pixels, stride: size.width, whole: whole, area: area, opacity: opacity)
    } else {
      switch sampling {
      case .nearest: drawNearest(pixels, size: size, whole: whole, area: area, opacity: opacity)
      case .bilinear: drawBilinear(pixels, size: size, whole: whole, area: area, opacity: opacity)
      case .area: drawMeans(pixels, size: size, whole: whole, area: area, opacity: opacity)
      }
    }
  }

  private mutating func copy(
    _ pixels: Span<UInt32>, stride: Int, whole: PixelRect, area: PixelRect, opacity: UInt32
  ) {
    let width = width
    var output = words.mutableSpan
    for y in area.y..<area.maxY {
      var source = (y - whole.y) * stride + area.x - whole.x
      for place in y * width + area.x..<y * width + area.maxX {
        output[place] = PixelMath.over(pixels[source], output[place], opacity: opacity)
        source += 1
      }
    }
  }

  private mutating func drawNearest(
    _ pixels: Span<UInt32>, size: PixelSize, whole: PixelRect, area: PixelRect, opacity: UInt32
  ) {
    // Each pixel samples the picture at its centre.
    let columns = (area.x..<area.maxX).map { (2 * ($0 - whole.x) + 1) * size.width / (2 * whole.width) }
    let width = width
    var output = words.mutableSpan
    for y in area.y..<area.maxY {
      let line = (2 * (y - whole.y) + 1) * size.height / (2 * whole.height) * size.width
      var place = y * width + area.x
      for column in columns {
        output[place] = PixelMath.over(pixels[line + column], output[place], opacity: opacity)
        place += 1
      }
    }
  }

  private mutating func drawMeans(
    _ pixels: Span<UInt32>, size: PixelSize, whole: PixelRect, area: PixelRect, opacity: UInt32
  ) {
    let columns = (area.x..<area.maxX).map {
      Self.covered($0 - whole.x, of: whole.width, by: size.width)
    }
    let width = width
    var output = words.mutableSpan
    for y in area.y..<area.maxY {
      let rows = Self.covered(y - whole.y, of: whole.height, by: size.height)
      var place = y * width + area.x
      for column in columns {
        let mean = PixelMath.mean(pixels, stride: size.width, columns: column, rows: rows)
        output[place] = PixelMath.over(mean, output[place], opacity: opacity)
        place += 1
      }
    }
  }

  /// The positions of the picture that one position of the destination touches.
  private static func covered(_ position: Int, of length: Int, by source: Int) -> Range<Int> {
    let start = position * source / length
    return start..<max(start + 1, ((position + 1) * source + length - 1) / length)
  }
}
