import GIFWriting
import Gallop
import Glibc

/// A curve that draws itself in 360 frames, each as small as the piece of line that it adds.
enum LissajousScene {
  private static let size = (width: 320, height: 240)
  private static let strokes = 358
  private static let hues = 12

  static func make() throws -> [UInt8] {
    let paper = paper
    let transparent = UInt8(3 + 2 * hues)
    var writer = try GIFWriter(
      width: size.width, height: size.height, palette: palette, loopCount: .forever,
      comment: "360 small frames.")
    try writer.append(paper.frame(delay: 40))
    var image = paper
    for index in 0..<strokes {
      let before = image
      draw(piece: index, on: &image)
      try writer.append(image.frame(changing: before, transparent: transparent, delay: 3))
    }
    // The finished curve stays for a while: a pixel that changes nothing takes the time.
    try writer.append(image.frame(changing: image, transparent: transparent, delay: 180))
    return writer.finish()
  }

  /// The paper, its lines, the edges and middles of the pen's colours, and the place of the transparent
  /// index.
  private static var palette: GIFPalette {
    get throws {
      let bright = (0..<hues).map { hue -> RGB in
        let turn = 2 * .pi * Float(hue) / Float(hues)
        let channels = SIMD3<Float>(cos(turn), cos(turn - 2.1), cos(turn - 4))
        return RGB(0.6, 0.5, 0.62) + channels * RGB(0.38, 0.3, 0.36)
      }
      let edges = bright.map { mix(RGB(0x14213D), $0, 0.5) }
      let paper = [GIFColor(0x14213D), GIFColor(0x22325A), GIFColor(0x3A4C7A)]
      return try GIFPalette(paper + (edges + bright).map(GIFColor.init(rounding:)) + [GIFColor(0)])
    }
  }

  private static var paper: IndexedImage {
    var image = IndexedImage(width: size.width, height: size.height)
    for row in 0..<size.height {
      for column in 0..<size.width {
        let isAxis = row == size.height / 2 || column == size.width / 2
        let isLine = row % 20 == 0 || column % 20 == 0
        image.pixels[row * size.width + column] = isAxis ? 2 : isLine ? 1 : 0
      }
    }
    return image
  }

  private static func point(_ turn: Double) -> Point {
    Point(160 + 142 * sin(3 * turn), 120 + 104 * sin(4 * turn))
  }

  private static func draw(piece: Int, on image: inout IndexedImage) {
    let step = 2 * .pi / Double(strokes)
    let points = (0...4).map { point(step * (Double(piece) + Double($0) / 4)) }
    var path = Path()
    path.add(stroke: points, radii: Array(repeating: 2.3, count: points.count))
    let hue = piece * hues / strokes
    for (position, coverage) in Mask(path, width: size.width, height: size.height).values.enumerated() {
      let (edge, middle) = (UInt8(3 + hue), UInt8(3 + hues + hue))
      if coverage > 0.7 {
        image.pixels[position] = middle
      } else if coverage > 0.3, image.pixels[position] < 3 {
        image.pixels[position] = edge
      }
    }
  }
}
