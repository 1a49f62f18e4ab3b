internal import GIFDecoding
internal import GIFStage

/// Reduces pictures: each pixel is the mean of those it stands for, weighted by alpha.
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
        result.append(PixelMath.mean(pixels, stride: size.width, columns: column, rows: rows))
      }
    }
    return result
  }

  /// The positions that one of the target stands for; each belongs to one.
  private static func part(_ position: Int, of length: Int, source: Int) -> Range<Int> {
    let start = position * source / length
    return start..<max(start + 1, (position + 1) * source / length)
  }
}
