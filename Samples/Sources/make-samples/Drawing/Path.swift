import Glibc

/// The union of filled polygons.
///
/// Every polygon is kept in the same orientation, so that filling by the nonzero rule joins overlapping parts
/// without seams: a figure can be put together from simple pieces.
struct Path {
  private(set) var polygons: [[Point]] = []

  /// Adds a polygon.
  mutating func add(polygon: [Point]) {
    guard polygon.count > 2 else { return }
    var doubledArea = 0.0
    for (index, point) in polygon.enumerated() {
      let next = polygon[(index + 1) % polygon.count]
      doubledArea += point.x * next.y - next.x * point.y
    }
    polygons.append(doubledArea < 0 ? polygon.reversed() : polygon)
  }

  /// Adds everything of another path.
  mutating func add(_ other: Path) {
    polygons += other.polygons
  }

  /// Adds an ellipse.
  mutating func add(ellipseAt center: Point, radii: Point, turned angle: Double = 0) {
    let count = max(12, Int(max(radii.x, radii.y) * 2))
    add(
      polygon: (0..<count).map { index in
        let direction = 2 * .pi * Double(index) / Double(count)
        return (center + Point(cos(direction), sin(direction)) * radii).rotated(by: angle, around: center)
      }
    )
  }

  /// Adds a circle.
  mutating func add(circleAt center: Point, radius: Double) {
    add(ellipseAt: center, radii: Point(radius, radius))
  }

  /// Adds a closed curve that goes smoothly through points.
  mutating func add(curveThrough points: [Point], steps: Int = 8) {
    add(polygon: Self.spline(through: points, closed: true, steps: steps))
  }

  /// Adds a line whose thickness changes along its way and whose ends are round.
  mutating func add(stroke points: [Point], radii: [Double]) {
    for (index, point) in points.enumerated() {
      add(circleAt: point, radius: radii[index])
      guard index + 1 < points.count else { continue }
      let next = points[index + 1]
      let side = (next - point).normalized.perpendicular
      let (near, far) = (side * radii[index], side * radii[index + 1])
      add(polygon: [point + near, next + far, next - far, point - near])
    }
  }

  /// Adds a strand: a smooth line that is thickest a third along its way and ends in a point.
  mutating func add(strand points: [Point], thickness: Double) {
    let line = Self.spline(through: points, closed: false, steps: 6)
    var (left, right) = ([Point](), [Point]())
    for (index, point) in line.enumerated() {
      let along = Double(index) / Double(line.count - 1)
      let tangent = line[min(index + 1, line.count - 1)] - line[max(index - 1, 0)]
      let swelling = along < 0.33 ? 0.7 + along * 0.9 : (1 - along) / 0.67
      let side = tangent.normalized.perpendicular * (thickness / 2 * swelling)
      left.append(point + side)
      right.append(point - side)
    }
    add(polygon: left + right.reversed())
  }

  /// The path with every point moved by a function.
  func mapped(_ transform: (Point) -> Point) -> Path {
    var result = Path()
    for polygon in polygons { result.add(polygon: polygon.map(transform)) }
    return result
  }

  /// Points on the Catmull-Rom spline through the given ones.
  static func spline(through points: [Point], closed: Bool, steps: Int) -> [Point] {
    guard points.count > 2 else { return points }
    func point(_ index: Int) -> Point {
      closed
        ? points[(index + points.count) % points.count]
        : points[min(max(index, 0), points.count - 1)]
    }
    var result: [Point] = []
    for index in 0..<(closed ? points.count : points.count - 1) {
      for step in 0..<steps {
        let t = Double(step) / Double(steps)
        result.append(catmullRom(point(index - 1), point(index), point(index + 1), point(index + 2), t))
      }
    }
    return closed ? result : result + [points[points.count - 1]]
  }
}
