import GIFWriting
import Gallop

/// A still: one frame with a transparent ground, and no word about loops.
enum HorseshoeScene {
  private static let side = 160

  static func make() throws -> [UInt8] {
    let colors: [UInt32] = [0x000000, 0x33415C, 0x5C677D, 0x979DAC, 0x1B2233]
    var image = IndexedImage(width: side, height: side)
    image.fill(band(outer: 70, inner: 40), 4)
    image.fill(band(outer: 66.5, inner: 43.5), 2)
    image.fill(band(outer: 63, inner: 55), 3)
    image.fill(band(outer: 56.5, inner: 53.5), 1)
    for step in -3...3 where step != 0 {
      var nail = Path()
      let place = point(Double(step) * 0.27, radius: 55)
      nail.add(ellipseAt: place, radii: Point(3, 4.4), turned: Double(step) * 0.6)
      image.fill(nail, 4)
    }
    var frame = image.frame(delay: 0)
    frame.transparentIndex = 0
    frame.disposal = nil
    var writer = try GIFWriter(
      width: side, height: side, palette: GIFPalette(colors.map { GIFColor($0) }), comment: "A still.")
    try writer.append(frame)
    return writer.finish()
  }

  /// A point of the shoe: along it from -1, one end, over 0, the toe, to 1, and so far from the middle.
  private static func point(_ along: Double, radius: Double) -> Point {
    let center = Point(80, 76)
    // The ends of the shoe bend in again and are drawn longer than a circle.
    let direction = radians(-90 + 142 * along)
    let narrowing = 1 - 0.1 * along * along
    let stretch = 1 + 0.12 * smoothstep(0.3, 1, abs(along))
    return center + Point(length: radius, direction: direction) * Point(0.97 * narrowing, stretch)
  }

  private static func band(outer: Double, inner: Double) -> Path {
    let steps = stride(from: -1.0, through: 1.001, by: 0.02)
    var path = Path()
    path.add(
      polygon: steps.map { point($0, radius: outer) } + steps.reversed().map { point($0, radius: inner) })
    return path
  }
}
