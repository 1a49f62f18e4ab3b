import Glibc

/// The evening through which the horse runs: sky, sun, mountains, hills and the ground.
///
/// Everything that moves does so by a whole number of its own lengths in a loop, which is what makes the loop
/// seamless; what is farther off moves less.
struct Landscape {
  let width: Int
  let height: Int

  static let horizon = 190.0
  static let sun = Point(322, 128)
  static let sunRadius = 58.0
  /// The way of the ground under the horse in a loop.
  static let travel = 640.0

  private static let skyStops: [(y: Double, color: RGB)] = [
    (0, RGB(0x2B1B4D)), (60, RGB(0x6B2A66)), (110, RGB(0xC2486A)), (150, RGB(0xF0825A)), (192, RGB(0xFFC978)),
  ]

  /// What does not move within a loop: the sky, the sun and the mountains.
  func backdrop() -> Bitmap {
    var image = Bitmap(width: width, height: height)
    image.paint { x, y in
      let glow = exp(-(Point(x, y) - Self.sun).length / 95)
      return mix(Self.sky(at: y), RGB(0xFFE3A0), Float(0.62 * glow))
    }
    var disc = Path()
    disc.add(circleAt: Self.sun, radius: Self.sunRadius)
    image.fill(disc, RGB(0xFFE9B0))
    for (y, x, length, opacity) in [(104.0, 250.0, 95.0, 0.5), (123, 356, 78, 0.6), (139, 292, 120, 0.7)] {
      var cloud = Path()
      cloud.add(ellipseAt: Point(x, y), radii: Point(length, 2.2))
      image.fill(cloud, RGB(0xF0825A), opacity: Float(opacity))
    }
    for (y, x, length) in [(38.0, 90.0, 80.0), (55, 170, 60), (24, 400, 70), (70, 40, 50), (47, 440, 55)] {
      var cloud = Path()
      cloud.add(ellipseAt: Point(x, y), radii: Point(length, 2.4))
      cloud.add(ellipseAt: Point(x + length * 0.35, y + 3.5), radii: Point(length * 0.7, 1.8))
      image.fill(cloud, RGB(0xD95F6E), opacity: 0.5)
    }
    image.fill(
      ridge(base: 168, waves: [(16, 3.1, 0.4), (9, 7, 1.7), (4, 17, 0.2)], scroll: 0, period: 480),
      RGB(0xB5506A))
    return image
  }

  private static func sky(at y: Double) -> RGB {
    let next = skyStops.firstIndex { $0.y >= y } ?? skyStops.count - 1
    let (upper, lower) = (skyStops[max(next - 1, 0)], skyStops[next])
    let span = max(lower.y - upper.y, 1)
    return mix(upper.color, lower.color, Float(min(max((y - upper.y) / span, 0), 1)))
  }

  /// A skyline of waves, each given by its height, its number in a period and its shift, filled downwards.
  private func ridge(
    base: Double, waves: [(height: Double, count: Double, shift: Double)], scroll: Double, period: Double
  ) -> Path {
    var points = [Point(Double(width) + 4, 300), Point(-4, 300)]
    for x in stride(from: -4.0, through: Double(width) + 4, by: 4) {
      let turn = 2 * .pi * (x + scroll) / period
      points.append(Point(x, base - waves.reduce(0) { $0 + $1.height * sin($1.count * turn + $1.shift) }))
    }
    var path = Path()
    path.add(polygon: points)
    return path
  }

  /// Paints the hills and the ground at a moment of the loop, from 0 to 1.
  func paintGround(on image: inout Bitmap, time: Double) {
    let scroll = Self.travel * time
    image.fill(
      ridge(
        base: 177, waves: [(9, 1, 0), (4, 2, 1), (2, 3, 2.4)], scroll: scroll / 4, period: Self.travel / 4),
      RGB(0x84395F))
    image.fill(
      ridge(
        base: 187, waves: [(5, 1, 3), (3, 2, 0.4), (1.6, 5, 1)], scroll: scroll / 2, period: Self.travel / 2),
      RGB(0x5C2850))
    for (top, color) in Self.groundBands {
      var band = Path()
      let right = Double(width)
      band.add(polygon: [Point(0, top), Point(right, top), Point(right, 300), Point(0, 300)])
      image.fill(band, RGB(color))
    }
  }

  private static let groundBands: [(top: Double, color: UInt32)] = [
    (194, 0x7A3A4E), (199, 0x6A3148), (206, 0x562741), (216, 0x451F38), (230, 0x341830), (248, 0x251127),
  ]
}
