/// Where a foot is at a moment of its step.
struct FootPosition {
  /// How far the fetlock is before the leg's root on the body.
  let forward: Double
  /// How high the fetlock is above the ground.
  let height: Double
  /// The angle of the pastern, in degrees forward from straight down.
  let pastern: Double
}

/// The four legs, in the order in which they touch the ground in a gallop on the right lead.
enum HorseLeg: CaseIterable {
  case farHind, nearHind, farFore, nearFore

  /// The moment in the stride at which the foot comes down.
  var touchdown: Double {
    switch self {
    case .farHind: 0
    case .nearHind: 0.12
    case .farFore: 0.34
    case .nearFore: 0.49
    }
  }

  var isHind: Bool { self == .farHind || self == .nearHind }
  var isNear: Bool { self == .nearHind || self == .nearFore }
}

/// The gallop: a four-beat gait in which a moment with all feet gathered under the body follows the last
/// beat.
enum HorseGait {
  /// The way the horse makes in a stride, in the measures of ``HorseAnatomy``.
  static let strideLength = 256.0
  /// The part of the stride during which a foot is on the ground.
  static let stance = 0.24

  private typealias Key = (phase: Double, foot: SIMD3<Double>)

  /// Half the way a foot makes under the body while it stands: it must go backwards as fast as the ground.
  private static let sweep = strideLength * stance / 2

  private static let hindKeys: [Key] = [
    (0.00, SIMD3(3 + sweep, 12, 36)), (0.12, SIMD3(3, 10, 50)), (0.24, SIMD3(3 - sweep, 14, 2)),
    (0.33, SIMD3(-41, 29, -58)), (0.45, SIMD3(-34, 40, -85)), (0.58, SIMD3(-9, 39, -72)),
    (0.72, SIMD3(20, 33, -38)), (0.85, SIMD3(41, 25, 8)), (0.94, SIMD3(43, 17, 30)),
  ]
  private static let foreKeys: [Key] = [
    (0.00, SIMD3(3 + sweep, 12, 40)), (0.12, SIMD3(3, 10, 52)), (0.24, SIMD3(3 - sweep, 14, 4)),
    (0.32, SIMD3(-39, 29, -68)), (0.42, SIMD3(-31, 40, -104)), (0.54, SIMD3(-7, 34, -92)),
    (0.66, SIMD3(16, 33, -62)), (0.79, SIMD3(39, 36, -14)), (0.90, SIMD3(46, 24, 24)),
  ]

  /// The position of a leg's foot at a moment of the stride, from 0 to 1.
  static func foot(of leg: HorseLeg, at phase: Double) -> FootPosition {
    let keys = leg.isHind ? hindKeys : foreKeys
    let step = fraction(phase - leg.touchdown)
    let index = (keys.lastIndex { $0.phase <= step }) ?? 0
    let key = { (offset: Int) in keys[(index + offset + keys.count) % keys.count].foot }
    let end = index + 1 < keys.count ? keys[index + 1].phase : 1
    let t = (step - keys[index].phase) / (end - keys[index].phase)
    var foot = catmullRom(key(-1), key(0), key(1), key(2), t)
    // The spline between unevenly spaced keys would change the speed of a standing foot, and it would slip.
    if step < stance { foot.x = 3 + sweep * (1 - 2 * step / stance) }
    return FootPosition(forward: foot.x, height: foot.y, pastern: foot.z)
  }
}
