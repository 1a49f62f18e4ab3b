import GIFWriting

/// An image of palette indices.
struct IndexedImage {
  let width: Int
  let height: Int
  var pixels: [UInt8]

  init(width: Int, height: Int, index: UInt8 = 0) {
    self.width = width
    self.height = height
    pixels = Array(repeating: index, count: width * height)
  }

  /// Gives the pixels that a path covers by half or more an index: without soft edges, for images of few
  /// colours.
  mutating func fill(_ path: Path, _ index: UInt8) {
    for (position, coverage) in Mask(path, width: width, height: height).values.enumerated()
    where coverage >= 0.5 {
      pixels[position] = index
    }
  }

  /// The frame that shows all of the image.
  func frame(palette: GIFPalette? = nil, delay: UInt16, isInterlaced: Bool = false) -> GIFFrame {
    GIFFrame(
      width: width, height: height, pixels: pixels, palette: palette, delay: delay, isInterlaced: isInterlaced
    )
  }

  /// The smallest frame that turns another image into this one, with `transparent` where nothing changes.
  ///
  /// An image that is the same gives a frame of one pixel, for its time must still pass.
  func frame(changing other: IndexedImage, transparent: UInt8, delay: UInt16) -> GIFFrame {
    var (left, top, right, bottom) = (width, height, 0, 0)
    for row in 0..<height {
      for column in 0..<width where pixels[row * width + column] != other.pixels[row * width + column] {
        left = min(left, column)
        right = max(right, column + 1)
        top = min(top, row)
        bottom = max(bottom, row + 1)
      }
    }
    if left >= right { (left, top, right, bottom) = (0, 0, 1, 1) }
    var changed: [UInt8] = []
    for row in top..<bottom {
      for position in row * width + left..<row * width + right {
        changed.append(pixels[position] == other.pixels[position] ? transparent : pixels[position])
      }
    }
    return GIFFrame(
      left: left, top: top, width: right - left, height: bottom - top, pixels: changed,
      transparentIndex: transparent, delay: delay)
  }
}
