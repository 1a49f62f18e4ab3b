internal import GIFDecoding

/// A row of pixels as PNG stores it: red, green, blue and, where the picture needs it, straight alpha.
struct PNGRow {
  private(set) var bytes: [UInt8]
  private let format: PixelFormat
  private let hasAlpha: Bool

  init(width: Int, format: PixelFormat, hasAlpha: Bool) {
    bytes = Array(repeating: 0, count: width * (hasAlpha ? 4 : 3))
    self.format = format
    self.hasAlpha = hasAlpha
  }

  /// Takes a row of the picture.
  mutating func fill(with words: Span<UInt32>) {
    let (isSwapped, isPremultiplied) = (!format.isRedFirst, format.isPremultiplied)
    let stride = hasAlpha ? 4 : 3
    for column in words.indices {
      // The lowest byte comes first in memory.
      let word = words[column].littleEndian
      var (first, second, third) = (word & 0xFF, word >> 8 & 0xFF, word >> 16 & 0xFF)
      let alpha = word >> 24
      if isPremultiplied, alpha != 255 {
        (first, second, third) = (
          Self.straight(first, alpha), Self.straight(second, alpha), Self.straight(third, alpha)
        )
      }
      let place = column * stride
      bytes[place] = UInt8(truncatingIfNeeded: isSwapped ? third : first)
      bytes[place + 1] = UInt8(truncatingIfNeeded: second)
      bytes[place + 2] = UInt8(truncatingIfNeeded: isSwapped ? first : third)
      if hasAlpha { bytes[place + 3] = UInt8(truncatingIfNeeded: alpha) }
    }
  }

  /// A channel divided by alpha, rounded to the nearest.
  static func straight(_ channel: UInt32, _ alpha: UInt32) -> UInt32 {
    alpha == 0 ? 0 : min(255, (channel * 255 + alpha / 2) / alpha)
  }

  /// Whether some pixel is not opaque.
  static func needsAlpha(_ words: Span<UInt32>) -> Bool {
    for place in words.indices where words[place].littleEndian >> 24 != 255 { return true }
    return false
  }
}
