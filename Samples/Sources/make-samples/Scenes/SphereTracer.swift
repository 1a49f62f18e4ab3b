import Glibc

/// Follows rays of light through a small world of three spheres on a chequered floor; its colours are linear.
struct SphereTracer {
  private typealias Vector = SIMD3<Double>

  private struct Sphere {
    let center: Vector
    let radius: Double
    let color: RGB
    let mirror: Float
  }

  private let spheres: [Sphere]
  private let eye = Vector(0, 1.25, -5.2)
  private let sun = SphereTracer.unit(Vector(-0.55, 0.75, -0.45))

  /// Sets the world to a moment of the loop, from 0 to 1.
  init(time: Double) {
    let turn = 2 * .pi * time
    let hop = abs(sin(turn))
    spheres = [
      Sphere(center: Vector(0, 1, 0), radius: 1, color: RGB(0.85, 0.82, 0.78), mirror: 0.6),
      Sphere(
        center: Vector(1.75 * cos(turn), 0.45, 1.75 * sin(turn)), radius: 0.45, color: RGB(0.85, 0.12, 0.07),
        mirror: 0.1),
      Sphere(
        center: Vector(-1.75, 0.5 + 0.55 * hop, -0.4), radius: 0.5, color: RGB(0.05, 0.3, 0.62),
        mirror: 0.15),
    ]
  }

  /// The light that comes to the eye from a direction.
  func light(along direction: SIMD3<Double>) -> RGB {
    light(from: eye, along: Self.unit(direction), bounces: 2)
  }

  private static func unit(_ vector: Vector) -> Vector {
    vector / (vector * vector).sum().squareRoot()
  }

  private static func dot(_ first: Vector, _ second: Vector) -> Double {
    (first * second).sum()
  }

  private func light(from origin: Vector, along ray: Vector, bounces: Int) -> RGB {
    var nearest = ray.y < -1e-6 ? -origin.y / ray.y : .infinity
    var hit: Sphere?
    for sphere in spheres {
      if let distance = distance(to: sphere, from: origin, along: ray), distance < nearest {
        (nearest, hit) = (distance, sphere)
      }
    }
    guard nearest < 60 else { return sky(ray) }
    let place = origin + ray * nearest
    let normal = hit.map { Self.unit(place - $0.center) } ?? Vector(0, 1, 0)
    let color = hit?.color ?? floor(at: place)
    let start = place + normal * 1e-4
    let facing = max(0, Self.dot(normal, sun))
    // Light from the sky comes from above, and less of it where spheres stand on the floor.
    let ambient = Float(0.5 + 0.5 * normal.y) * (hit == nil ? shade(at: place) : 1)
    var result =
      color * (RGB(0.2, 0.25, 0.34) * ambient + RGB(1.05, 0.92, 0.74) * Float(facing) * sunlight(at: start))
    let mirror = hit?.mirror ?? 0.06
    if bounces > 0 {
      let bounced = ray - normal * (2 * Self.dot(ray, normal))
      result = mix(result, light(from: start, along: bounced, bounces: bounces - 1), mirror)
      if hit != nil { result += RGB(1, 0.95, 0.85) * Float(pow(max(0, Self.dot(bounced, sun)), 60)) * 0.7 }
    }
    // The floor is lost in the haze.
    return mix(result, sky(Vector(ray.x, 0, ray.z)), Float(smoothstep(6, 40, nearest)))
  }

  private func distance(to sphere: Sphere, from origin: Vector, along ray: Vector) -> Double? {
    let offset = origin - sphere.center
    let half = Self.dot(offset, ray)
    let square = half * half - Self.dot(offset, offset) + sphere.radius * sphere.radius
    guard square > 0 else { return nil }
    let distance = -half - square.squareRoot()
    return distance > 1e-4 ? distance : nil
  }

  /// How much of the sun a place sees; the sun is not a point, so shadows get softer with distance.
  private func sunlight(at place: Vector) -> Float {
    var seen = 1.0
    for sphere in spheres {
      let offset = sphere.center - place
      let along = Self.dot(offset, sun)
      guard along > 0 else { continue }
      let miss = (Self.dot(offset, offset) - along * along).squareRoot() - sphere.radius
      seen = min(seen, smoothstep(-0.07 * along, 0.07 * along, miss))
    }
    return Float(seen)
  }

  private func shade(at place: Vector) -> Float {
    spheres.reduce(1) { light, sphere in
      let offset = sphere.center - place
      let distance = Self.dot(offset, offset)
      return light * Float(1 - 0.8 * min(1, pow(sphere.radius * sphere.radius / distance, 1.5)))
    }
  }

  private func floor(at place: Vector) -> RGB {
    let isDark = (fraction(place.x / 2) < 0.5) != (fraction(place.z / 2) < 0.5)
    return isDark ? RGB(0.2, 0.17, 0.15) : RGB(0.62, 0.58, 0.5)
  }

  private func sky(_ ray: Vector) -> RGB {
    mix(RGB(0.78, 0.7, 0.6), RGB(0.12, 0.25, 0.5), Float(smoothstep(-0.05, 0.7, ray.y)))
  }
}
