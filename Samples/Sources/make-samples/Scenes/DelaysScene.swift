import GIFWriting
import Gallop

/// Frames that say for how many milliseconds the file wants them shown.
enum DelaysScene {
  /// Hundredths of a second. Players show frames of 0 and 1 for a tenth of a second.
  private static let delays: [UInt16] = [150, 100, 75, 50, 30, 20, 12, 10, 7, 5, 4, 3, 2, 1, 0]

  static func make() throws -> [UInt8] {
    let images = delays.indices.map(picture)
    let colors = MedianCut.palette(of: images, count: 63)
    var matcher = ColorMatcher(colors)
    return try Animation.changes(
      of: images.map { Dither.ordered($0, matcher: &matcher, strength: 0) }, colors: colors,
      delay: { delays[$0] }, loopCount: .forever, comment: "Each frame shows its delay in milliseconds.")
  }

  private static func picture(_ index: Int) -> Bitmap {
    let center = Point(90, 90)
    var image = Bitmap(width: 180, height: 180, color: RGB(0x152238))
    for mark in delays.indices {
      let place =
        center + Point(length: 76, direction: radians(360 * Double(mark) / Double(delays.count) - 90))
      var dot = Path()
      dot.add(circleAt: place, radius: mark == index ? 8 : 4.5)
      // 0 and 10 ms are in another colour: they are the ones that players do not take at their word.
      let isOdd = delays[mark] < 2
      image.fill(
        dot, mark == index ? RGB(0xFFFFFF) : RGB(isOdd ? 0xE8505B : mark < index ? 0x3FA7D6 : 0x31435F))
    }
    var disc = Path()
    disc.add(circleAt: center, radius: 60)
    image.fill(disc, RGB(delays[index] < 2 ? 0xE8505B : 0x23395B))
    let number = Int(delays[index]) * 10
    let height = number >= 1000 ? 36.0 : 46
    image.fill(Numerals.path(number, center: center, height: height, pen: height / 7), RGB(0xF7F3E3))
    return image
  }
}
