import Glibc

/// The dust that the hooves throw up.
struct DustTrail {
  /// A cloud that rises at a place and a moment and then stays behind.
  private struct Puff {
    let birth: Double
    let origin: Point
    let rise: Double
    let drift: Double
    let size: Double
    let opacity: Double
  }

  private let puffs: [Puff]
  /// How long a puff is seen, as a part of the loop; it must not be more than the whole.
  private static let life = 0.62

  /// Makes the dust of a loop.
  ///
  /// - Parameters:
  ///   - strides: The number of strides in the loop.
  ///   - place: Turns the measures of the horse into those of the image.
  init(strides: Int, seed: UInt64, place: (Point) -> Point) {
    var random = SeededRandom(seed: seed)
    var puffs: [Puff] = []
    for stride in 0..<strides {
      for leg in HorseLeg.allCases {
        // Dust rises while the foot is down, most of it when it pushes off.
        for _ in 0..<17 {
          let moment = 0.29 * random.unit().squareRoot()
          let foot = HorsePose(phase: fraction(leg.touchdown + moment)).leg(leg).coronet
          let strength = random.unit()
          puffs.append(
            Puff(
              birth: (Double(stride) + leg.touchdown + moment) / Double(strides),
              origin: place(Point(foot.x, 0)) + Point(random.value(in: -14...3), random.value(in: -3...3)),
              rise: mix(34, 3, strength) * random.value(in: 0.4...1.2),
              drift: mix(0.45, 0.8, strength) * random.value(in: 0.85...1.1),
              size: mix(5, 16, strength), opacity: mix(0.16, 0.34, strength)))
        }
      }
    }
    self.puffs = puffs
  }

  /// Paints the dust at a moment of the loop, from 0 to 1.
  func paint(on image: inout Bitmap, time: Double) {
    for puff in puffs {
      let age = fraction(time - puff.birth) / Self.life
      guard age < 1 else { continue }
      // The horse drags the air along, so dust falls behind slower than the ground.
      let center = Point(
        puff.origin.x - Landscape.travel * puff.drift * age * Self.life,
        puff.origin.y - puff.rise * (1 - (1 - age) * (1 - age)))
      let fade = (1 - age) * (1 - age) * min(1, age * 14)
      let color = mix(RGB(0xF6B26B), RGB(0xB3646A), Float(age))
      image.addPuff(
        at: center, radius: puff.size * (0.4 + 1.5 * age.squareRoot()), color: color,
        opacity: puff.opacity * fade * 1.8)
    }
  }
}
