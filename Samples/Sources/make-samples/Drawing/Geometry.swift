import Glibc

/// A point or vector of the plane; x grows to the right and y, as in images, downwards.
typealias Point = SIMD2<Double>

extension Point {
  /// The vector of a length that points into a direction, in radians clockwise from the x axis.
  init(length: Double, direction: Double) {
    self.init(length * cos(direction), length * sin(direction))
  }

  var length: Double { (self * self).sum().squareRoot() }

  /// The vector of length 1 in the same direction.
  var normalized: Point { self / Swift.max(length, 1e-9) }

  /// The vector turned by a right angle, clockwise as seen in an image.
  var perpendicular: Point { Point(-y, x) }

  /// The point turned clockwise around another.
  func rotated(by angle: Double, around center: Point = .zero) -> Point {
    let offset = self - center
    let (sine, cosine) = (sin(angle), cos(angle))
    return center + Point(offset.x * cosine - offset.y * sine, offset.x * sine + offset.y * cosine)
  }
}

/// Degrees in radians.
func radians(_ degrees: Double) -> Double {
  degrees * .pi / 180
}

/// The value a fraction of the way from one to another.
func mix(_ from: Double, _ to: Double, _ fraction: Double) -> Double {
  from + (to - from) * fraction
}

/// The point a fraction of the way from one to another.
func mix(_ from: Point, _ to: Point, _ fraction: Double) -> Point {
  from + (to - from) * fraction
}

/// A smooth step from 0, at the first edge, to 1 at the second.
func smoothstep(_ first: Double, _ second: Double, _ value: Double) -> Double {
  let fraction = min(max((value - first) / (second - first), 0), 1)
  return fraction * fraction * (3 - 2 * fraction)
}

/// The part of a number after the point, from 0 up to 1 for negative numbers too.
func fraction(_ value: Double) -> Double {
  value - value.rounded(.down)
}

/// The point on the uniform Catmull-Rom spline between `b` and `c`.
func catmullRom<Vector: SIMD<Double>>(
  _ a: Vector, _ b: Vector, _ c: Vector, _ d: Vector, _ t: Double
) -> Vector {
  let linear: Vector = (c - a) * t
  let square: Vector = (a * 2 - b * 5 + c * 4 - d) * (t * t)
  let cube: Vector = (b * 3 - a - c * 3 + d) * (t * t * t)
  return (b * 2 + linear + square + cube) * 0.5
}
