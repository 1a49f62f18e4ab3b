import GIFWriting

/// Turns full colours into those of a palette.
enum Dither {
  /// An 8 by 8 Bayer matrix with values from -0.5 to 0.5.
  private static let bayer: [Float] = (0..<64).map { position in
    var (x, y, value) = (position % 8, position / 8, 0)
    for _ in 0..<3 {
      value = value << 2 | ((x ^ y) & 1) << 1 | (y & 1)
      x >>= 1
      y >>= 1
    }
    return (Float(value) + 0.5) / 64 - 0.5
  }

  /// Dithers by a pattern.
  ///
  /// The pattern stands still, so what does not move in an animation does not change, which keeps the file
  /// small.
  static func ordered(_ image: Bitmap, matcher: inout ColorMatcher, strength: Float) -> IndexedImage {
    var result = IndexedImage(width: image.width, height: image.height)
    for row in 0..<image.height {
      for column in 0..<image.width {
        let shift = bayer[row % 8 * 8 + column % 8] * strength
        let position = row * image.width + column
        result.pixels[position] = matcher.nearest(to: image.pixels[position] + shift).index
      }
    }
    return result
  }

  /// Dithers after Floyd and Steinberg: what a pixel's colour lacks is made up for by the pixels after it.
  ///
  /// Every other row runs backwards, or the errors would draw worms from the upper left to the lower right.
  static func errorDiffusion(_ image: Bitmap, matcher: inout ColorMatcher) -> IndexedImage {
    var result = IndexedImage(width: image.width, height: image.height)
    var wanted = image.pixels
    for row in 0..<image.height {
      let step = row % 2 == 0 ? 1 : -1
      for offset in 0..<image.width {
        let column = step > 0 ? offset : image.width - 1 - offset
        let position = row * image.width + column
        let match = matcher.nearest(to: wanted[position])
        result.pixels[position] = match.index
        let error = wanted[position] - match.color
        let (ahead, behind) = (column + step, column - step)
        let below = row + 1 < image.height
        if (0..<image.width).contains(ahead) {
          wanted[position + step] += error * (7.0 / 16)
          if below { wanted[position + image.width + step] += error * (1.0 / 16) }
        }
        if below { wanted[position + image.width] += error * (5.0 / 16) }
        if below, (0..<image.width).contains(behind) {
          wanted[position + image.width - step] += error * (3.0 / 16)
        }
      }
    }
    return result
  }
}
