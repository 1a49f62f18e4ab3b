/// The grass and the streaks of light on the ground, in rows of which the nearer ones pass faster.
struct Meadow {
  /// A row of things that move together.
  private struct Row {
    let period: Double
    let tufts: [(x: Double, path: Path)]
    let streaks: [(x: Double, y: Double, length: Double)]
    let color: RGB
    let light: RGB
  }

  private let behind: [Row]
  private let before: [Row]
  private let width: Double

  init(width: Int, seed: UInt64) {
    var random = SeededRandom(seed: seed)
    self.width = Double(width)
    let travel = Landscape.travel
    behind = [
      Self.row(196...200, period: travel / 2, tufts: 34, size: 4, 0x552741, 0xC9745C, &random),
      Self.row(204...212, period: travel * 0.75, tufts: 30, size: 7, 0x3F1C36, 0xA9574F, &random),
      Self.row(217...226, period: travel, tufts: 26, size: 9, 0x2F152D, 0x7C3B48, &random),
    ]
    before = [
      Self.row(234...246, period: travel * 1.25, tufts: 24, size: 14, 0x1E0D21, 0x522540, &random),
      Self.row(258...272, period: travel * 1.5, tufts: 26, size: 27, 0x13081A, 0x3A1A33, &random),
    ]
  }

  private static func row(
    _ rows: ClosedRange<Double>, period: Double, tufts: Int, size: Double, _ color: UInt32, _ light: UInt32,
    _ random: inout SeededRandom
  ) -> Row {
    let grass = (0..<tufts).map { _ in
      let foot = Point(random.value(in: 0...period), random.value(in: rows))
      return (x: foot.x, path: tuft(at: foot, size: size * random.value(in: 0.6...1.2), &random))
    }
    let streaks = (0..<tufts / 2).map { _ in
      (
        x: random.value(in: 0...period), y: random.value(in: rows),
        length: size * random.value(in: 2...6)
      )
    }
    return Row(period: period, tufts: grass, streaks: streaks, color: RGB(color), light: RGB(light))
  }

  private static func tuft(at foot: Point, size: Double, _ random: inout SeededRandom) -> Path {
    var path = Path()
    for _ in 0..<5 {
      let root = foot + Point(random.value(in: -0.5...0.5) * size, 0)
      let bend = random.value(in: -0.75...0.35) * size
      let tip = root + Point(bend, -size * random.value(in: 0.55...1))
      let thickness = max(1.3, size * 0.13)
      path.add(
        strand: [root + Point(0, 2), mix(root, tip, 0.5) - Point(bend * 0.2, 0), tip], thickness: thickness)
    }
    return path
  }

  /// Paints the rows behind the horse, or those before it, at a moment of the loop from 0 to 1.
  func paint(on image: inout Bitmap, time: Double, beforeHorse: Bool) {
    for row in beforeHorse ? before : behind {
      var (grass, streaks) = (Path(), Path())
      // A row makes one whole period in the loop, so that its end meets its start.
      let shown = { (x: Double) -> Double in
        let margin = 60.0
        return fraction((x + margin) / row.period - time) * row.period - margin
      }
      for (x, path) in row.tufts where shown(x) < width + 40 {
        let shift = Point(shown(x) - x, 0)
        grass.add(path.mapped { $0 + shift })
      }
      for (x, y, length) in row.streaks where shown(x) < width + length {
        let middle = Point(shown(x), y)
        let reach = Point(length / 2, 0)
        streaks.add(strand: [middle - reach, middle, middle + reach], thickness: 1 + (y - 190) / 28)
      }
      image.fill(streaks, row.light, opacity: 0.55)
      image.fill(grass, row.color)
    }
  }
}
