/// The measures of the horse, with its height at the withers as 100 and its hooves at y = 0.
///
/// The horse looks to the right. All points are those of a standing horse.
enum HorseAnatomy {
  /// Where the body turns when it pitches.
  static let center = Point(-6, -78)
  /// The joint around which the pelvis tucks under and stretches out.
  static let lumbarJoint = Point(-14, -90)

  static let hip = Point(-38, -83)
  static let elbow = Point(23, -57)
  static let shoulder = Point(31, -75)
  static let neckBase = Point(23, -88)
  static let dock = Point(-52, -90)

  static let neckLength = 53.0
  static let femur = 27.0
  static let tibia = 31.0
  static let hindCannon = 28.0
  static let forearm = 28.0
  static let foreCannon = 21.0
  static let pastern = 9.0

  /// The angle of the pastern of a standing horse, in degrees forward from straight down.
  static let standingPastern = 38.0

  /// The outline of the trunk, from the withers backwards and around.
  static let trunk: [Point] = [
    Point(13, -101), Point(2, -98), Point(-10, -96), Point(-24, -98), Point(-36, -98.5), Point(-46, -95),
    Point(-53, -88), Point(-54.5, -79), Point(-48, -70), Point(-36, -65), Point(-22, -60.5), Point(-6, -55.5),
    Point(10, -52), Point(23, -52), Point(34, -58), Point(40, -67), Point(42.5, -77), Point(39, -86),
    Point(30, -95), Point(21, -100),
  ]

  /// The outline of the head: along its length from the poll to the lips, and across it towards the forehead.
  static let head: [Point] = [
    Point(-3, 4), Point(3, 7), Point(10, 7.6), Point(16, 6.2), Point(24, 4.4), Point(32, 3.4),
    Point(37.5, 3.2),
    Point(41, 1), Point(42, -2.2), Point(40, -4.6), Point(38, -6.8), Point(34.5, -7.2), Point(31, -5.4),
    Point(25, -6.4), Point(18, -9.8), Point(12, -12.4), Point(6, -12.6), Point(1, -10), Point(-3, -5),
  ]

  /// The ear on the side of the viewer, in the measures of the head; the other one lies a little before it.
  static let ear: [Point] = [
    Point(-2.5, 4), Point(-7.5, 9), Point(-10, 17.5), Point(-4, 13.5), Point(1.5, 6),
  ]

  /// The outline of a standing hoof around the end of its pastern.
  static let hoof: [Point] = [Point(3.4, -1.5), Point(6.6, 6), Point(-3.6, 6), Point(-3.6, -0.5)]
}
