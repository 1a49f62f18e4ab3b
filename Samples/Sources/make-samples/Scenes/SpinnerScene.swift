import GIFWriting
import Gallop
import Glibc

/// A ring that turns once in forty frames of 20 ms, the shortest delay that players keep.
enum SpinnerScene {
  private static let side = 128
  private static let frames = 40

  static func make() throws -> [UInt8] {
    let images = (0..<frames).map { picture(at: Double($0) / Double(frames)) }
    let colors = MedianCut.palette(of: images, count: 63)
    var matcher = ColorMatcher(colors)
    return try Animation.changes(
      of: images.map { Dither.ordered($0, matcher: &matcher, strength: 0.01) }, colors: colors,
      delay: { _ in 2 }, loopCount: .forever, comment: "50 frames a second.")
  }

  private static func picture(at time: Double) -> Bitmap {
    var image = Bitmap(width: side, height: side)
    let center = Point(Double(side) / 2, Double(side) / 2)
    let head = center + Point(length: 44, direction: 2 * .pi * time)
    image.paint { x, y in
      let offset = Point(x, y) - center
      // How far the head of the comet went by here, as a part of a turn.
      let behind = fraction(time - atan2(offset.y, offset.x) / (2 * .pi))
      let ring = 1 - smoothstep(0, 1, abs(offset.length - 44) - 7)
      let cap = 1 - smoothstep(0, 1, (Point(x, y) - head).length - 7.5)
      let light = max(cap, ring * mix(0.06, 1, pow(1 - behind, 2.2)))
      let color = mix(RGB(0x7B2FF7), RGB(0x29E7CD), Float(1 - behind))
      return mix(RGB(0x10121C), cap > ring * 0.99 && cap > 0.5 ? RGB(0x29E7CD) : color, Float(light))
    }
    return image
  }
}
