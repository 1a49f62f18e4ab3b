import GIFWriting
import Gallop
import Glibc

/// A Julia set that turns inside out; the file has no palette, each frame brings another one of its own.
enum PalettesScene {
  private static let size = (width: 200, height: 150)
  private static let frames = 30
  private static let levels = 64

  static func make() throws -> [UInt8] {
    var writer = try GIFWriter(
      width: size.width, height: size.height, palette: nil, loopCount: .forever,
      comment: "A palette for each frame.")
    for index in 0..<frames {
      let time = Double(index) / Double(frames)
      try writer.append(julia(at: time).frame(palette: palette(at: time), delay: 6))
    }
    return writer.finish()
  }

  /// A ring of colours that makes one turn in a loop.
  private static func palette(at time: Double) throws -> GIFPalette {
    try GIFPalette(
      (0..<levels).map { level in
        let place = Double(level) / Double(levels)
        let channel = { (shift: Double) -> UInt8 in
          let wave = 0.5 - 0.5 * cos(2 * .pi * (place * 2 - time + shift))
          // The inside, which has the highest level, is dark; the contours are lit.
          return UInt8(255 * mix(wave, 0.04, smoothstep(0.9, 1, place)))
        }
        return GIFColor(red: channel(0.02), green: channel(0.14), blue: channel(0.34))
      }
    )
  }

  private static func julia(at time: Double) -> IndexedImage {
    var image = IndexedImage(width: size.width, height: size.height)
    let constant = Point(-0.74, 0.16) + Point(length: 0.035, direction: 2 * .pi * time)
    for row in 0..<size.height {
      for column in 0..<size.width {
        var z = (Point(Double(column), Double(row)) - Point(99.5, 74.5)) / 62
        var count = 0
        while count < 150, (z * z).sum() < 400 {
          z = Point(z.x * z.x - z.y * z.y, 2 * z.x * z.y) + constant
          count += 1
        }
        // The count made continuous, on a scale on which the far outside does not take all the colours.
        let smooth = count == 150 ? 150 : Double(count) + 1 - log2(log((z * z).sum()) / 2 / log(20))
        let level = 62 * log(1 + max(smooth, 0) / 6) / log(26)
        image.pixels[row * size.width + column] = UInt8(min(max(level, 0), Double(levels - 1)))
      }
    }
    return image
  }
}
