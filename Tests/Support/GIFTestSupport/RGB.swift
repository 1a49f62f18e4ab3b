/// A palette colour; written as `0xRRGGBB`, so that a test can spell a palette as `[0xFF0000, 0x00FF00]`.
public struct RGB: Sendable, Hashable, ExpressibleByIntegerLiteral {
  /// The three channels.
  public var red: UInt8
  public var green: UInt8
  public var blue: UInt8

  /// Makes a colour of its channels.
  public init(red: UInt8, green: UInt8, blue: UInt8) {
    self.red = red
    self.green = green
    self.blue = blue
  }

  /// Makes a colour of `0xRRGGBB`; higher bits are dropped.
  public init(_ hex: UInt32) {
    red = UInt8(truncatingIfNeeded: hex >> 16)
    green = UInt8(truncatingIfNeeded: hex >> 8)
    blue = UInt8(truncatingIfNeeded: hex)
  }

  /// Makes a colour of a literal such as `0xFF8000`.
  public init(integerLiteral hex: UInt32) {
    self.init(hex)
  }

  /// The colour as an opaque canvas pixel: R in the lowest byte, A in the highest.
  public var opaquePixel: UInt32 {
    UInt32(red) | UInt32(green) << 8 | UInt32(blue) << 16 | 0xFF00_0000
  }

  /// The three bytes of a stored palette entry.
  public var bytes: [UInt8] { [red, green, blue] }
}
