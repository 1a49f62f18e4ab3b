internal import GIFDecoding
internal import GIFStage

/// Prepares pixels for a protocol: blends translucent pixels over a background and adds a transparent margin.
///
/// Pixels are straight-alpha RGBA with red in the lowest byte.
struct PictureComposer {
  /// The opaque colour under translucent pixels; nil keeps alpha as it is.
  let background: Color?
  /// Reused for all frames, so that an animation allocates once.
  private var buffer: [UInt32] = []

  init(background: Color?) { self.background = background?.withAlpha(255) }

  /// Whether a picture needs ``compose(_:part:of:to:)``.
  func isNeeded(part: PixelRect, of picture: PixelSize, to padded: PixelSize) -> Bool {
    background != nil || part != PixelRect(picture) || part != PixelRect(padded)
  }

  /// Centres a part of a picture in a transparent picture of at least its size.
  ///
  /// - Parameter pixels: exactly `picture.width * picture.height` pixels.
  /// - Returns: `padded.width * padded.height` pixels.
  mutating func compose(
    _ pixels: Span<UInt32>, part: PixelRect, of picture: PixelSize, to padded: PixelSize
  ) -> [UInt32] {
    buffer.removeAll(keepingCapacity: true)
    buffer.reserveCapacity(padded.width * padded.height)
    let left = (padded.width - part.width) / 2
    let top = (padded.height - part.height) / 2
    appendTransparent(top * padded.width)
    for row in part.y..<part.maxY {
      appendTransparent(left)
      let start = row * picture.width + part.x
      appendRow(pixels, start..<start + part.width)
      appendTransparent(padded.width - part.width - left)
    }
    appendTransparent((padded.height - part.height - top) * padded.width)
    return buffer
  }

  private mutating func appendTransparent(_ count: Int) {
    buffer.append(contentsOf: repeatElement(0, count: count))
  }

  private mutating func appendRow(_ pixels: Span<UInt32>, _ range: Range<Int>) {
    guard let background else {
      for index in range { buffer.append(pixels[index]) }
      return
    }
    for index in range { buffer.append(PixelMath.over(pixels[index], background.word)) }
  }
}

extension PixelRect {
  /// The rectangle of a whole picture.
  init(_ size: PixelSize) { self.init(x: 0, y: 0, width: size.width, height: size.height) }
}
