/// An opaque colour, eight bits a channel, as GIF stores it.
public struct GIFColor: Hashable, Sendable {
  /// The red channel.
  public var red: UInt8
  /// The green channel.
  public var green: UInt8
  /// The blue channel.
  public var blue: UInt8

  /// Makes a colour of its three channels.
  public init(red: UInt8, green: UInt8, blue: UInt8) {
    self.red = red
    self.green = green
    self.blue = blue
  }

  /// Makes a colour of a number written as `0xRRGGBB`; bits above the lowest 24 are ignored.
  public init(_ rgb: UInt32) {
    self.init(
      red: UInt8(truncatingIfNeeded: rgb >> 16),
      green: UInt8(truncatingIfNeeded: rgb >> 8),
      blue: UInt8(truncatingIfNeeded: rgb)
    )
  }
}

/// A colour table of 1 to 256 entries.
///
/// GIF knows only tables whose length is a power of two, so the table written to the file may be longer than
/// ``colors``; the entries added at its end are black and no pixel may refer to them.
public struct GIFPalette: Hashable, Sendable {
  /// The colours, in the order of their indices.
  public let colors: [GIFColor]

  /// Makes a palette.
  ///
  /// - Throws: ``GIFWritingError/invalidPaletteSize(_:)`` unless there are 1 to 256 colours.
  public init(_ colors: [GIFColor]) throws(GIFWritingError) {
    guard (1...256).contains(colors.count) else { throw .invalidPaletteSize(colors.count) }
    self.colors = colors
  }

  /// The number of colours a pixel may refer to.
  public var count: Int { colors.count }

  /// Three bytes a colour, filled up with black to a length that GIF can store.
  var bytes: [UInt8] {
    Self.stored(colors.flatMap { [$0.red, $0.green, $0.blue] })
  }

  /// A palette's bytes, filled up with black to a length that GIF can store.
  ///
  /// - Parameter count: the colours that it has room for at the least.
  package static func stored(_ bytes: [UInt8], count: Int = 2) -> [UInt8] {
    var length = 6
    while length < max(bytes.count, 3 * count) { length *= 2 }
    return bytes + repeatElement(0, count: length - bytes.count)
  }
}
