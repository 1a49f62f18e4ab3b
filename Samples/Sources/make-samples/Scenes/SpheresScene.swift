import GIFWriting
import Gallop
import Glibc

/// What a camera might have seen: spheres in the light, with the grain of a film and 256 colours.
enum SpheresScene {
  private static let size = (width: 272, height: 170)
  private static let frames = 20

  static func make() throws -> [UInt8] {
    var random = SeededRandom(seed: 77)
    let images = (0..<frames).map { index in
      var image = render(at: Double(index) / Double(frames))
      for position in image.pixels.indices {
        // The sum of two even numbers is near enough to a bell; grain is the same in all channels.
        let grain = Float(random.unit() + random.unit() - 1) * 0.035
        image.pixels[position] += grain
      }
      return image
    }
    let colors = MedianCut.palette(of: images, count: 256)
    var matcher = ColorMatcher(colors)
    var writer = try GIFWriter(
      width: size.width, height: size.height, palette: GIFPalette(colors), loopCount: .forever,
      comment: "Ray traced, with grain, dithered to 256 colours.")
    for image in images {
      try writer.append(Dither.errorDiffusion(image, matcher: &matcher).frame(delay: 8))
    }
    return writer.finish()
  }

  private static func render(at time: Double) -> Bitmap {
    let scene = SphereTracer(time: time)
    var image = Bitmap(width: size.width, height: size.height)
    let scale = Double(size.height) / 2
    image.paint { x, y in
      var sum = RGB.zero
      for sample in [Point(-0.25, -0.25), Point(0.25, -0.25), Point(-0.25, 0.25), Point(0.25, 0.25)] {
        let place = (Point(x, y) + sample - Point(Double(size.width), Double(size.height)) / 2) / scale
        sum += scene.light(along: SIMD3(place.x, -place.y - 0.16, 2.1))
      }
      // Film darkens towards the corners, and its curve lifts the middle tones.
      let away = (Point(x, y) - Point(136, 85)).length / 160
      let color = sum / 4 * Float(1 - 0.35 * away * away)
      return RGB(color.x.squareRoot(), color.y.squareRoot(), color.z.squareRoot())
        .clamped(lowerBound: .zero, upperBound: .one)
    }
    return image
  }
}
