/// Finds the colours of a picture: a palette, and for each pixel its number there. Its memory is reused for
/// all frames.
///
/// The canvas of a GIF has few colours more often than not, as frames share palettes of at most 256.
struct PictureIndexer {
  static let largestPalette = 256

  /// The colours, in the order of their first pixels; all that is fully transparent is one, 0.
  private(set) var palette: [UInt32] = []
  /// The number of each pixel's colour.
  private(set) var indices: [UInt8] = []

  /// Open addressing: a colour and one more than its number, 0 where a slot is free.
  private var slots: [(color: UInt32, entry: UInt16)] = []
  private static let slotBits = 10

  /// Takes a picture; one pass.
  ///
  /// - Parameter pixels: straight-alpha RGBA.
  /// - Returns: whether it has few enough colours; the palette and the numbers are undefined otherwise.
  mutating func take(_ pixels: Span<UInt32>) -> Bool {
    palette.removeAll(keepingCapacity: true)
    slots = Array(repeating: (0, 0), count: 1 << Self.slotBits)
    if indices.count != pixels.count { indices = Array(repeating: 0, count: pixels.count) }
    // A pixel mostly has the colour of the one before it.
    var (last, number): (UInt32, UInt8?) = (0, nil)
    for place in pixels.indices {
      let pixel = pixels[place]
      if pixel != last || number == nil {
        guard let found = find(pixel >> 24 == 0 ? 0 : pixel) else { return false }
        (last, number) = (pixel, found)
      }
      indices[place] = number ?? 0
    }
    return true
  }

  /// The number of a colour, which is added to the palette; nil if that is full.
  private mutating func find(_ color: UInt32) -> UInt8? {
    var slot = Int((color &* 0x9E37_79B1) >> UInt32(32 - Self.slotBits))
    while slots[slot].entry != 0 {
      if slots[slot].color == color { return UInt8(truncatingIfNeeded: slots[slot].entry - 1) }
      slot = (slot + 1) & (1 << Self.slotBits - 1)
    }
    guard palette.count < Self.largestPalette else { return nil }
    palette.append(color)
    slots[slot] = (color, UInt16(palette.count))
    return UInt8(truncatingIfNeeded: palette.count - 1)
  }
}
