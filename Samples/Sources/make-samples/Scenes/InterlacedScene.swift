import GIFWriting
import Gallop
import Glibc

/// Balloons in the sky; every frame is interlaced and none has a height that the passes divide evenly.
enum InterlacedScene {
  private static let size = (width: 240, height: 163)
  private static let frames = 12

  static func make() throws -> [UInt8] {
    let images = (0..<frames).map { picture(at: Double($0) / Double(frames)) }
    let colors = MedianCut.palette(of: images, count: 31)
    var matcher = ColorMatcher(colors)
    let indexed = images.map { Dither.ordered($0, matcher: &matcher, strength: 0.03) }
    let palette = try GIFPalette(colors + [GIFColor(0)])
    var writer = try GIFWriter(
      width: size.width, height: size.height, palette: palette, loopCount: .forever,
      comment: "Interlaced rows.")
    for (index, image) in indexed.enumerated() {
      // Whole frames and ones of the changed part take turns, so that interlacing meets offsets too.
      var frame =
        index % 2 == 0
        ? image.frame(delay: 12)
        : image.frame(changing: indexed[index - 1], transparent: UInt8(colors.count), delay: 12)
      frame.isInterlaced = true
      try writer.append(frame)
    }
    return writer.finish()
  }

  private static func picture(at time: Double) -> Bitmap {
    var image = Bitmap(width: size.width, height: size.height)
    image.paint { _, y in mix(RGB(0x4AA3DF), RGB(0xDDF3F5), Float(y / 163)) }
    for (x, base, reach, shift, color) in [(60.0, 148.0, 130.0, 0.3, 0x9CC5A1), (180, 156, 120, 2, 0x49A078)]
    {
      var hill = Path()
      hill.add(ellipseAt: Point(x + 6 * sin(shift), base + 40), radii: Point(reach, 55))
      image.fill(hill, RGB(UInt32(color)))
    }
    let turn = 2 * .pi * time
    paintBalloon(on: &image, at: Point(72 + 5 * sin(turn), 62 + 7 * cos(turn)), radius: 34, RGB(0xE63946))
    paintBalloon(
      on: &image, at: Point(158 - 6 * sin(turn), 48 - 6 * cos(turn + 1)), radius: 22, RGB(0xF4A261))
    paintBalloon(on: &image, at: Point(206 + 4 * cos(turn), 92 + 5 * sin(turn)), radius: 14, RGB(0x6A4C93))
    return image
  }

  private static func paintBalloon(on image: inout Bitmap, at center: Point, radius: Double, _ color: RGB) {
    let envelope = { (width: Double) -> Path in
      var path = Path()
      path.add(
        curveThrough: [
          Point(0, -1), Point(0.72 * width, -0.7), Point(width, -0.05), Point(0.66 * width, 0.62),
          Point(0.2 * width, 1.12), Point(-0.2 * width, 1.12), Point(-0.66 * width, 0.62),
          Point(-width, -0.05),
          Point(-0.72 * width, -0.7),
        ].map { center + $0 * radius })
      return path
    }
    image.fill(envelope(1), color)
    image.fill(envelope(0.68), mix(color, RGB(0xFFFFFF), 0.75))
    image.fill(envelope(0.34), color)
    var basket = Path()
    let top = center + Point(0, 1.45 * radius)
    let side = Point(0.16 * radius, 0)
    let fall = Point(0, 0.22 * radius)
    basket.add(polygon: [top - side, top + side, top + side * 0.8 + fall, top - side * 0.8 + fall])
    for direction in [-1.0, 1] {
      basket.add(
        stroke: [center + Point(0.18 * direction, 1.1) * radius, top + side * direction], radii: [0.6, 0.6])
    }
    image.fill(basket, RGB(0x5B4636))
  }
}
