internal import GIFDecoding

extension Surface {
  mutating func drawBilinear(
    _ pixels: Span<UInt32>, size: PixelSize, whole: PixelRect, area: PixelRect, opacity: UInt32
  ) {
    let columns = (area.x..<area.maxX).map { Neighbors($0 - whole.x, of: whole.width, in: size.width) }
    let width = width
    var output = words.mutableSpan
    for y in area.y..<area.maxY {
      let rows = Neighbors(y - whole.y, of: whole.height, in: size.height)
      let (upper, lower) = (rows.first * size.width, rows.second * size.width)
      var place = y * width + area.x
      for column in columns {
        let mixed = PixelMath.mixed(
          PixelMath.mixed(pixels[upper + column.first], pixels[upper + column.second], column.weight),
          PixelMath.mixed(pixels[lower + column.first], pixels[lower + column.second], column.weight),
          rows.weight)
        output[place] = PixelMath.over(mixed, output[place], opacity: opacity)
        place += 1
      }
    }
  }

  /// The two positions of a picture around the centre of a position of the destination.
  private struct Neighbors {
    let first: Int
    let second: Int
    /// The share of the second one, in 256ths.
    let weight: UInt32

    init(_ position: Int, of length: Int, in source: Int) {
      // The centre in 256ths of a picture's pixel, from the centre of the first one.
      let center = ((2 * position + 1) * source * 256 / length - 256) >> 1
      let clamped = min((source - 1) * 256, max(0, center))
      first = clamped >> 8
      second = min(source - 1, first + 1)
      weight = UInt32(clamped & 255)
    }
  }
}

extension PixelMath {
  /// Two pixels mixed by alpha; `weight` is the share of the second one, in 256ths.
  @inline(__always)
  static func mixed(_ first: UInt32, _ second: UInt32, _ weight: UInt32) -> UInt32 {
    if first == second || weight == 0 { return first }
    let rest = 256 - weight
    let (firstAlpha, secondAlpha) = (first >> 24, second >> 24)
    if firstAlpha == 255, secondAlpha == 255 {
      // Two channels at a time, each in 16 bits.
      let outer = ((first & 0xFF00FF) * rest + (second & 0xFF00FF) * weight + 0x800080) >> 8 & 0xFF00FF
      let inner = ((first >> 8 & 0xFF) * rest + (second >> 8 & 0xFF) * weight + 0x80) & 0xFF00
      return 0xFF00_0000 | outer | inner
    }
    let (left, right) = (firstAlpha * rest, secondAlpha * weight)
    let sum = left + right
    guard sum > 0 else { return 0 }
    func channel(_ shift: UInt32) -> UInt32 {
      (((first >> shift & 0xFF) * left + (second >> shift & 0xFF) * right + sum / 2) / sum) << shift
    }
    return channel(0) | channel(8) | channel(16) | ((sum + 128) >> 8) << 24
  }
}
