/// The order of a pixel's four bytes in memory. Alpha is straight and always 0 or 255.
public enum PixelFormat: Sendable, Hashable {
  /// Red, green, blue, alpha.
  case rgba
  /// Blue, green, red, alpha.
  case bgra

  /// An opaque pixel as a word of which the lowest byte comes first in memory.
  func opaque(red: UInt8, green: UInt8, blue: UInt8) -> UInt32 {
    let (first, third) = self == .rgba ? (red, blue) : (blue, red)
    return UInt32(littleEndian: UInt32(first) | UInt32(green) << 8 | UInt32(third) << 16 | 0xFF00_0000)
  }
}

/// 256 pixels, one for every index that a byte can hold.
struct ColorTable: Sendable {
  private var colors: [UInt32]

  /// The palette at `location`; black where it has no colour, and where there is none (rows 14 - 16).
  ///
  /// The file is known to hold the whole palette unless it is cut off there; then what is missing is black, too.
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

  /// The pixels, with 0 for the transparent index: no other colour is 0, since all are opaque.
  func colors(transparentIndex: UInt8?) -> [UInt32] {
    guard let transparentIndex else { return colors }
    var masked = colors
    masked[Int(transparentIndex)] = 0
    return masked
  }
}
