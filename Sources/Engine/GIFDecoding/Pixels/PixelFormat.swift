/// The order of a pixel's four bytes in memory, and whether its colour is multiplied by its alpha.
///
/// Alpha is 0 or 255 at the size of the canvas, where straight and premultiplied pixels are the same. At
/// another size it is anything between; each channel of a premultiplied pixel is then `channel * alpha / 255`
/// of the straight one, rounded to the nearest number, in integers `(channel * alpha + 127) / 255`.
public enum PixelFormat: Sendable, Hashable {
  /// Red, green, blue, straight alpha.
  case rgba
  /// Blue, green, red, straight alpha.
  case bgra
  /// Red, green, blue, each multiplied by alpha, and alpha.
  case rgbaPremultiplied
  /// Blue, green, red, each multiplied by alpha, and alpha.
  case bgraPremultiplied

  /// Whether colours are multiplied by alpha.
  package var isPremultiplied: Bool { self == .rgbaPremultiplied || self == .bgraPremultiplied }

  /// Whether a pixel's first byte is red, and not blue.
  package var isRedFirst: Bool { self == .rgba || self == .rgbaPremultiplied }

  /// An opaque pixel as a word of which the lowest byte comes first in memory.
  func opaque(red: UInt8, green: UInt8, blue: UInt8) -> UInt32 {
    let (first, third) = isRedFirst ? (red, blue) : (blue, red)
    return UInt32(littleEndian: UInt32(first) | UInt32(green) << 8 | UInt32(third) << 16 | 0xFF00_0000)
  }

  /// The colours of a palette's bytes, three bytes a colour, as pixels.
  package func colors(ofPalette bytes: [UInt8]) -> [UInt32] {
    let location = PaletteLocation(offset: 0, count: bytes.count / 3)
    return ColorTable(location, of: bytes.span, format: self).storedColors(location.count)
  }
}

/// Multiplies a channel by alpha, both 0 - 255: the nearest number to `channel * alpha / 255`.
///
/// The sum of shifts is the exact quotient for every product of two bytes, and half of 255 never is a tie.
@inline(__always)
func premultiplied(_ channel: UInt64, alpha: UInt64) -> UInt64 {
  let product = channel * alpha + 128
  return (product + product >> 8) >> 8
}

/// 256 pixels, one for every index that a byte can hold.
struct ColorTable: Sendable {
  /// 256 pixels, all of them opaque.
  private(set) var colors: [UInt32]

  /// The palette at `location`; black where it has no colour, and where there is none (rows 14 - 16).
  ///
  /// The file is known to hold the whole palette unless it is cut off there; then what is missing is black,
  /// too.
  init(_ location: PaletteLocation?, of file: Span<UInt8>, format: PixelFormat) {
    colors = Array(repeating: format.opaque(red: 0, green: 0, blue: 0), count: 256)
    guard let location else { return }
    for index in 0..<min(256, location.count) {
      let start = location.offset + 3 * index
      guard start + 3 <= file.count else { return }
      colors[index] = format.opaque(red: file[start], green: file[start + 1], blue: file[start + 2])
    }
  }

  /// The pixels of the `count` colours that the file has, without the opaque black that fills the table.
  func storedColors(_ count: Int) -> [UInt32] { Array(colors.prefix(count)) }
}
