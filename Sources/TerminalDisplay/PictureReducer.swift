internal import GIFDecoding

/// Reduces pictures: each pixel is the mean of those it stands for, weighted by alpha. Pure.
enum PictureReducer {
  /// - Parameters:
  ///   - pixels: straight-alpha RGBA, as many as `size` asks for.
  ///   - target: at most `size` on each side.
  static func reduce(_ pixels: Span<UInt32>, of size: PixelSize, to target: PixelSize) -> [UInt32] {
    let columns = (0..<target.width).map { part($0, of: target.width, source: size.width) }
    var result: [UInt32] = []
    result.reserveCapacity(target.width * target.height)
    for y in 0..<target.height {
      let rows = part(y, of: target.height, source: size.height)
      for column in columns {
        result.append(mean(pixels, stride: size.width, columns: column, rows: rows))
      }
    }
    return result
  }

  /// The positions that one of the target stands for; each belongs to one.
  private static func part(_ position: Int, of length: Int, source: Int) -> Range<Int> {
    let start = position * source / length
    return start..<max(start + 1, (position + 1) * source / length)
  }

  private static func mean(
    _ pixels: Span<UInt32>, stride: Int, columns: Range<Int>, rows: Range<Int>
  ) -> UInt32 {
    var (red, green, blue, alpha): (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
    for y in rows {
      for place in y * stride + columns.lowerBound..<y * stride + columns.upperBound {
        let pixel = UInt64(pixels[place])
        let weight = pixel >> 24
        red += weight * (pixel & 0xFF)
        green += weight * (pixel >> 8 & 0xFF)
        blue += weight * (pixel >> 16 & 0xFF)
        alpha += weight
      }
    }
    let count = UInt64(columns.count * rows.count)
    let mean = (alpha + count / 2) / count
    guard mean > 0 else { return 0 }
    let half = alpha / 2
    (red, green, blue) = ((red + half) / alpha, (green + half) / alpha, (blue + half) / alpha)
    return UInt32(truncatingIfNeeded: red | green << 8 | blue << 16 | mean << 24)
  }
}
