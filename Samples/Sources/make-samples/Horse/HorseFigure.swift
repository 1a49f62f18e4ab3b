/// The outlines of the horse around the skeleton of a pose.
struct HorseFigure {
  let pose: HorsePose

  /// The trunk, the neck and the head.
  var body: Path {
    var path = Path()
    path.add(curveThrough: HorseAnatomy.trunk.map(pose.body))
    path.add(curveThrough: neckOutline)
    path.add(curveThrough: HorseAnatomy.head.map(pose.head))
    path.add(curveThrough: HorseAnatomy.ear.map(pose.head), steps: 5)
    path.add(curveThrough: HorseAnatomy.ear.map { pose.head($0 + Point(3.6, 0.6)) }, steps: 5)
    return path
  }

  /// The neck, from the withers and the breast to the poll and the throat.
  private var neckOutline: [Point] {
    let base = pose.body(HorseAnatomy.neckBase)
    let along = (pose.poll - base).normalized
    let up = Point(along.y, -along.x)
    let point = { (distance: Double, height: Double) in base + along * distance + up * height }
    return [
      pose.body(Point(-2, -92)), pose.body(Point(10, -100.5)), point(8, 14), point(24, 12), point(40, 9.6),
      point(51, 6), point(54, -2), point(47, -9), point(36, -10.5), point(21, -13),
      pose.body(Point(42, -80)), pose.body(Point(38, -66)), pose.body(Point(18, -66)),
    ]
  }

  /// A leg with its muscles.
  func leg(_ leg: HorseLeg) -> Path {
    let joints = pose.leg(leg)
    var path = leg.isHind ? hindquarter(joints) : shoulder(joints)
    let shin = joints.fetlock - joints.middle
    let tendon = shin.perpendicular.normalized
    path.add(
      stroke: [joints.middle, joints.middle + shin * 0.3, joints.middle + shin * 0.8, joints.fetlock],
      radii: leg.isHind ? [5, 3.6, 3.1, 3.7] : [4.4, 3.2, 2.8, 3.5]
    )
    // The ergot and the back tendons make the lower leg deeper behind than before.
    path.add(circleAt: joints.fetlock + tendon * 1.1, radius: 3.3)
    path.add(stroke: [joints.fetlock, joints.coronet], radii: [3, 3.3])
    path.add(polygon: joints.hoof)
    return path
  }

  private func hindquarter(_ joints: LegPose) -> Path {
    var path = Path()
    let shank = joints.middle - joints.stifle
    let back = shank.normalized.perpendicular
    let calf = joints.stifle + shank * 0.42 + back * 2.6
    path.add(stroke: [joints.root, mix(joints.root, joints.stifle, 0.6), joints.stifle], radii: [15, 12, 7])
    path.add(stroke: [joints.stifle, joints.stifle + shank * 0.5, joints.middle], radii: [7, 6, 4.6])
    // The hamstrings, from the point of the buttock down to the calf, and the fold of the flank before the
    // thigh.
    path.add(stroke: [pose.body(Point(-45, -81)), calf], radii: [9.5, 7])
    path.add(stroke: [calf, joints.middle], radii: [7, 3.6])
    path.add(stroke: [pose.body(Point(-27, -76)), joints.stifle], radii: [11, 6.6])
    // The point of the hock stands out behind the joint.
    path.add(stroke: [joints.middle, joints.middle + back * 3.4 - shank.normalized * 1.5], radii: [5, 3.2])
    return path
  }

  private func shoulder(_ joints: LegPose) -> Path {
    var path = Path()
    let arm = joints.middle - joints.root
    let side = arm.normalized.perpendicular
    path.add(stroke: [pose.body(Point(26, -76)), joints.root], radii: [15, 9.5])
    path.add(
      curveThrough: [
        joints.root - side * 9, joints.root + arm * 0.3 - side * 7.6, joints.root + arm * 0.7 - side * 4.8,
        joints.middle - side * 4.2, joints.middle + arm.normalized * 3, joints.middle + side * 4,
        joints.root + arm * 0.7 + side * 4.6, joints.root + arm * 0.3 + side * 8,
        joints.root + side * 9.5, joints.root - arm * 0.3,
      ]
    )
    path.add(circleAt: joints.middle, radius: 4.8)
    return path
  }
}
