import Glibc

/// The mane and the tail, which stream back in the wind and swing with the stride.
struct HorseHair {
  let pose: HorsePose

  /// The turn of all waves, in radians; they must fit the stride for the loop to be seamless.
  private var turn: Double { 2 * .pi * pose.phase }

  /// The tail: strands that start together at the dock and fan out.
  var tail: Path {
    var path = Path()
    let root = pose.body(HorseAnatomy.dock)
    for strand in 0..<9 {
      let spread = Double(strand) / 8 - 0.5
      let length = 62 - 60 * spread * spread + (strand % 2 == 0 ? 5 : -4)
      var points: [Point] = []
      for step in 0...5 {
        let along = Double(step) / 5
        // A wave runs down the tail; the dock carries it up before the wind lays it level.
        let wave = sin(turn - along * 3.4 + spread * 0.9) * 7.5 * along
        let lift = -15 * along * (1 - along) + 15 * along * along
        points.append(root + Point(-length * along, lift + wave + spread * 25 * along))
      }
      path.add(strand: points, thickness: 8)
    }
    return path
  }

  /// The mane: strands along the crest of the neck, and the forelock.
  var mane: Path {
    var path = Path()
    let base = pose.body(HorseAnatomy.neckBase)
    let along = (pose.poll - base).normalized
    let up = Point(along.y, -along.x)
    for strand in 0..<13 {
      let place = Double(strand) / 12
      let root = base + along * mix(10, 52, place) + up * mix(12.5, 7, place)
      let length = 19 + 5 * sin(Double(strand) * 2.1) + 5 * place
      let wave = sin(turn * 2 - place * 5 + Double(strand % 3)) * 3
      let rise = 5 + 3 * sin(turn - place * 2)
      path.add(
        strand: [
          root - up * 3, root + up * 2.5 + Point(-length * 0.35, -rise * 0.5),
          root + Point(-length * 0.72, -rise + wave * 0.5), root + Point(-length * 1.08, -rise * 0.4 + wave),
        ],
        thickness: 6.5
      )
    }
    let brow = pose.head(Point(5, 5))
    path.add(
      strand: [brow, brow + Point(-7, -2), brow + Point(-18, 1 + 2 * sin(turn * 2))], thickness: 5)
    return path
  }
}
