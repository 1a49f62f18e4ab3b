import Glibc

/// The joints of a leg, from the body down, and its hoof.
struct LegPose {
  /// The joint on the body: the hip, or the elbow.
  var root: Point
  /// The stifle; the root once more for a foreleg.
  var stifle: Point
  /// The hock, or the knee of a foreleg.
  var middle: Point
  var fetlock: Point
  var coronet: Point
  var hoof: [Point]
}

/// The skeleton of the horse at a moment of its stride.
struct HorsePose {
  /// The moment, from 0 to 1.
  let phase: Double
  private let rise: Double
  private let pitch: Double
  private let tuck: Double

  init(phase: Double) {
    self.phase = phase
    let wave = { (peak: Double) in cos(2 * .pi * (phase - peak)) }
    // The body is highest in the gathered suspension; the forehand rises while the hind feet push.
    rise = 3.2 * wave(0.86)
    pitch = radians(-4.2 * wave(0.12) + 0.5)
    tuck = radians(-3 - 7 * wave(0.93))
  }

  /// A point of the trunk of the standing horse, moved into the pose.
  func body(_ point: Point) -> Point {
    // The pelvis turns as a whole, the loins bend in between.
    let share = smoothstep(-10, -36, point.x)
    let bent = point.rotated(by: tuck * share, around: HorseAnatomy.lumbarJoint)
    return bent.rotated(by: pitch, around: HorseAnatomy.center) - Point(0, rise)
  }

  /// The direction of the neck from its base to the poll.
  var neckDirection: Double {
    radians(-39 - 6 * cos(2 * .pi * (phase - 0.08)))
  }

  var poll: Point {
    body(HorseAnatomy.neckBase) + Point(length: HorseAnatomy.neckLength, direction: neckDirection)
  }

  /// A point given along and across the head.
  func head(_ point: Point) -> Point {
    let direction = radians(36 - 4 * cos(2 * .pi * (phase - 0.16)))
    return poll + Point(point.x, -point.y).rotated(by: direction)
  }

  /// The joints of a leg.
  func leg(_ leg: HorseLeg) -> LegPose {
    let foot = HorseGait.foot(of: leg, at: phase)
    let anchor = leg.isHind ? HorseAnatomy.hip : HorseAnatomy.elbow
    var root = body(anchor)
    // The shoulder blade glides on the ribs: the elbow follows the foot for a part of its way.
    if !leg.isHind { root += Point(0.27 * foot.forward, -0.04 * abs(foot.forward)) }
    var pose = Self.solve(
      leg, root: root, fetlock: Point(anchor.x + foot.forward, -foot.height), foot.pastern)
    let depth = pose.hoof.map(\.y).max() ?? 0
    if depth > 0 {
      pose = Self.solve(leg, root: root, fetlock: pose.fetlock - Point(0, depth), foot.pastern)
    }
    return pose
  }

  private static func solve(_ leg: HorseLeg, root: Point, fetlock: Point, _ pastern: Double) -> LegPose {
    var stifle = root
    if leg.isHind {
      // The femur swings half as far as the whole leg and forward when the leg folds, as in the living horse.
      let line = fetlock - root
      let swing = 26 + 0.5 * atan2(line.x, line.y) * 180 / .pi + 0.8 * (68 - line.length)
      let angle = radians(min(max(swing, 4), 62))
      stifle = root + HorseAnatomy.femur * Point(sin(angle), cos(angle))
    }
    let upper = leg.isHind ? HorseAnatomy.tibia : HorseAnatomy.forearm
    let lower = leg.isHind ? HorseAnatomy.hindCannon : HorseAnatomy.foreCannon
    // Hocks point backwards, knees forwards. A foot out of reach is brought as near as the leg allows.
    let line = fetlock - stifle
    let distance = min(max(line.length, abs(upper - lower) + 6), upper + lower - 0.3)
    let reached = stifle + line.normalized * distance
    let cosine = (upper * upper + distance * distance - lower * lower) / (2 * upper * distance)
    let bend = acos(min(max(cosine, -1), 1)) * (leg.isHind ? 1 : -1)
    let middle = stifle + (line.normalized * upper).rotated(by: bend)

    let angle = radians(pastern)
    let coronet = reached + HorseAnatomy.pastern * Point(sin(angle), cos(angle))
    let turn = radians(HorseAnatomy.standingPastern - pastern)
    let hoof = HorseAnatomy.hoof.map { coronet + $0.rotated(by: turn) }
    return LegPose(
      root: root, stifle: stifle, middle: middle, fetlock: reached, coronet: coronet, hoof: hoof)
  }
}
