/// A colour of 8 bits for each channel, without alpha.
public struct TerminalRGB: Hashable, Sendable {
  /// Red, 0...255.
  public var red: UInt8
  /// Green, 0...255.
  public var green: UInt8
  /// Blue, 0...255.
  public var blue: UInt8

  /// Makes a colour.
  public init(red: UInt8, green: UInt8, blue: UInt8) {
    self.red = red
    self.green = green
    self.blue = blue
  }

  /// Black, which most terminals have as their background.
  public static let black = TerminalRGB(red: 0, green: 0, blue: 0)

  /// The colour as `0xRRGGBB`, the order chafa's configuration wants.
  var packed: UInt32 { UInt32(red) << 16 | UInt32(green) << 8 | UInt32(blue) }
}

/// Prepares pixels for a protocol: lays translucent ones over a background and adds a transparent margin.
///
/// Pixels are straight-alpha RGBA with red in the lowest byte.
struct PictureComposer {
  /// What to blend onto; nil keeps alpha as it is.
  let background: TerminalRGB?
  /// Kept between frames, so that an animation allocates once.
  private var buffer: [UInt32] = []

  init(background: TerminalRGB?) { self.background = background }

  /// Whether a picture has to go through ``compose(_:part:of:to:)`` at all.
  func isNeeded(part: PicturePart, of picture: PictureSize, to padded: PictureSize) -> Bool {
    background != nil || part.size != picture || part.size != padded
  }

  /// Puts a part of a picture in the middle of a transparent one of at least its size.
  ///
  /// - Parameter pixels: exactly `picture.width * picture.height` pixels.
  /// - Returns: `padded.width * padded.height` pixels.
  mutating func compose(
    _ pixels: Span<UInt32>, part: PicturePart, of picture: PictureSize, to padded: PictureSize
  ) -> [UInt32] {
    buffer.removeAll(keepingCapacity: true)
    buffer.reserveCapacity(padded.width * padded.height)
    let size = part.size
    let left = (padded.width - size.width) / 2
    let top = (padded.height - size.height) / 2
    appendTransparent(top * padded.width)
    for row in part.y..<part.y + size.height {
      appendTransparent(left)
      let start = row * picture.width + part.x
      appendRow(pixels, start..<start + size.width)
      appendTransparent(padded.width - size.width - left)
    }
    appendTransparent((padded.height - size.height - top) * padded.width)
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
    for index in range { buffer.append(Self.blend(pixels[index], over: background)) }
  }

  /// One pixel over an opaque colour; the result is opaque.
  static func blend(_ pixel: UInt32, over background: TerminalRGB) -> UInt32 {
    let alpha = pixel >> 24
    if alpha == 255 { return pixel }
    func channel(_ shift: UInt32, _ below: UInt8) -> UInt32 {
      let above = pixel >> shift & 0xFF
      return ((above * alpha + UInt32(below) * (255 - alpha) + 127) / 255) << shift
    }
    return channel(0, background.red) | channel(8, background.green) | channel(16, background.blue)
      | 0xFF00_0000
  }
}
