/// The digits, as lines that a round pen draws.
enum Numerals {
  /// The width of a digit whose height is 1.6; digits stand 0.45 apart.
  private static let advance = 1.45

  /// The lines of a number, written around a centre.
  static func path(_ number: Int, center: Point, height: Double, pen: Double) -> Path {
    let digits = String(number).compactMap(\.wholeNumberValue)
    let scale = height / 1.6
    let width = Double(digits.count) * advance - 0.45
    var path = Path()
    for (place, digit) in digits.enumerated() {
      let corner = center + Point(Double(place) * advance - width / 2, -0.8) * scale
      for line in lines(of: digit) {
        let points = line.map { corner + $0 * scale }
        path.add(stroke: points, radii: Array(repeating: pen / 2, count: points.count))
      }
    }
    return path
  }

  private static func lines(of digit: Int) -> [[Point]] {
    switch digit {
    case 0: [ring(Point(0.5, 0.8), Point(0.5, 0.8))]
    case 1: [[Point(0.15, 0.35), Point(0.55, 0), Point(0.55, 1.6)]]
    case 2:
      [
        curve([(0, 0.45), (0.14, 0.12), (0.5, 0), (0.86, 0.12), (1, 0.45), (0.84, 0.82), (0, 1.6)]),
        line(1.6),
      ]
    case 3:
      [
        curve([(0.02, 0.25), (0.2, 0.05), (0.5, 0), (0.84, 0.1), (0.94, 0.4), (0.78, 0.68), (0.4, 0.75)]),
        curve([(0.4, 0.75), (0.85, 0.85), (1, 1.16), (0.86, 1.48), (0.5, 1.6), (0.15, 1.52), (0, 1.3)]),
      ]
    case 4: [[Point(0.75, 1.6), Point(0.75, 0), Point(0, 1.15), Point(1, 1.15)]]
    case 5:
      [
        [Point(0.92, 0), Point(0.16, 0), Point(0.08, 0.72)],
        curve([(0.08, 0.72), (0.5, 0.58), (0.9, 0.76), (1, 1.1), (0.86, 1.45), (0.48, 1.6), (0, 1.42)]),
      ]
    case 6: [ring(Point(0.5, 1.1), Point(0.5, 0.5)), curve([(0.82, 0), (0.4, 0.35), (0.1, 0.8), (0, 1.1)])]
    case 7: [[Point(0, 0), Point(1, 0), Point(0.36, 1.6)]]
    case 8: [ring(Point(0.5, 0.38), Point(0.42, 0.38)), ring(Point(0.5, 1.18), Point(0.5, 0.42))]
    default:
      [ring(Point(0.5, 0.5), Point(0.5, 0.5)), curve([(1, 0.5), (0.9, 0.8), (0.6, 1.25), (0.18, 1.6)])]
    }
  }

  private static func ring(_ center: Point, _ radii: Point) -> [Point] {
    (0...32).map { center + Point(length: 1, direction: Double($0) / 16 * .pi) * radii }
  }

  private static func curve(_ points: [(Double, Double)]) -> [Point] {
    Path.spline(through: points.map { Point($0.0, $0.1) }, closed: false, steps: 6)
  }

  private static func line(_ y: Double) -> [Point] {
    [Point(0, y), Point(1, y)]
  }
}
