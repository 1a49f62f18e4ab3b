/// A colour with straight alpha, 8 bits a channel.
public struct Color: Sendable, Hashable {
  /// As a pixel: red in the lowest byte, alpha in the highest, as in `PixelFormat.rgba`.
  public let word: UInt32

  /// Creates a colour from a pixel.
  public init(word: UInt32) { self.word = word }

  /// Creates a colour from its channels, opaque unless `alpha` says otherwise.
  public init(red: UInt8, green: UInt8, blue: UInt8, alpha: UInt8 = 255) {
    word = UInt32(red) | UInt32(green) << 8 | UInt32(blue) << 16 | UInt32(alpha) << 24
  }

  /// An opaque colour as `0xRRGGBB`.
  public init(_ rgb: UInt32) {
    word = rgb >> 16 & 0xFF | rgb & 0xFF00 | (rgb & 0xFF) << 16 | 0xFF00_0000
  }

  /// Opaque black.
  public static let black = Color(0x000000)

  /// 0 for a transparent colour, 255 for an opaque one.
  public var alpha: UInt8 { UInt8(word >> 24) }

  /// As `0xRRGGBB`, without alpha.
  public var rgb: UInt32 { word >> 16 & 0xFF | word & 0xFF00 | (word & 0xFF) << 16 }

  /// The same colour, more or less transparent.
  public func withAlpha(_ alpha: UInt8) -> Color { Color(word: word & 0x00FF_FFFF | UInt32(alpha) << 24) }
}

/// Blending of pixels as words. The pixel below is opaque, so the result is opaque.
@usableFromInline
package enum PixelMath {
  /// `above` laid over `below`, its alpha taken times `opacity` / 255; each channel rounded to the nearest.
  @inlinable @inline(__always)
  package static func over(_ above: UInt32, _ below: UInt32, opacity: UInt32 = 255) -> UInt32 {
    let alpha = opacity == 255 ? above >> 24 : divideBy255((above >> 24) * opacity)
    if alpha == 255 { return above }
    if alpha == 0 { return below }
    let rest = 255 - alpha
    let red = divideBy255((above & 0xFF) * alpha + (below & 0xFF) * rest)
    let green = divideBy255((above >> 8 & 0xFF) * alpha + (below >> 8 & 0xFF) * rest)
    let blue = divideBy255((above >> 16 & 0xFF) * alpha + (below >> 16 & 0xFF) * rest)
    return red | green << 8 | blue << 16 | 0xFF00_0000
  }

  /// A 255th, rounded to the nearest; exact for 0 - 65,025.
  @inlinable @inline(__always)
  package static func divideBy255(_ value: UInt32) -> UInt32 {
    let sum = value + 128
    return (sum + sum >> 8) >> 8
  }

  /// The mean of a rectangle of pixels, each weighted by its alpha; rows are `stride` pixels apart.
  @inlinable
  package static func mean(
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
    let color = red | green << 8 | blue << 16
    return UInt32(truncatingIfNeeded: color | mean << 24)
  }
}

/// The colours of controls and backgrounds: dark and neutral, so that they do not tint the pictures.
public enum Theme {
  /// Behind all views.
  public static let ground = Color(0x141518)
  /// A bar, an overlay, an image that is not loaded yet.
  public static let panel = Color(0x1E2024)
  /// A button or a caption on a panel.
  public static let raised = Color(0x2B2E34)
  /// Thin lines and empty tracks.
  public static let line = Color(0x3A3E46)
  /// Text.
  public static let text = Color(0xE3E5E8)
  /// Text of less weight.
  public static let faintText = Color(0x9298A3)
  /// The playhead and what is selected.
  public static let accent = Color(0x5AA9FF)
  /// The range, and what needs attention.
  public static let warm = Color(0xF0A63C)
  /// What is on time or held.
  public static let good = Color(0x63C66B)
  /// Faults, and what is late.
  public static let bad = Color(0xEF5D60)
  /// The light squares of the checkerboard.
  public static let checkerLight = Color(0x35383E)
  /// The dark squares of the checkerboard.
  public static let checkerDark = Color(0x2A2D32)
}

extension Color: CustomStringConvertible {
  /// `#RRGGBB`, or `#RRGGBBAA` if the colour is not opaque.
  public var description: String {
    func hex(_ value: UInt32, digits: Int) -> String {
      let text = String(value, radix: 16, uppercase: true)
      return String(repeating: "0", count: digits - text.count) + text
    }
    return "#" + hex(rgb, digits: 6) + (alpha == 255 ? "" : hex(UInt32(alpha), digits: 2))
  }
}
