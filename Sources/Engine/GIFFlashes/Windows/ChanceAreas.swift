/// How much of a field flashes, by samples at chance places of their blocks.
///
/// By chance a field holds more or less than its samples say: four standard deviations at the most. Their
/// variance is the sum of p (1 - p) over the blocks; p is the part of a block that flashes. So it is at most
/// the number of samples that flash, as for noise. A shape of one piece has less, at its outline only: of
/// neighbouring samples twice as many differ on the average, or more.
struct ChanceAreas: Sendable {
  private let areas: FieldAreas

  init(_ grid: SampleGrid, _ limits: ShownLimits) { areas = FieldAreas(grid, limits) }

  private static let deviations = 4.0
  /// The least variance: few samples that differ say little of it.
  private static let leastVariance = 16

  /// So many samples are never too much.
  var least: Int { areas.limit - room(variance: areas.limit) }

  /// Whether these samples may stand for more than may flash.
  func mayBeTooMuch(_ samples: BitRows) -> Bool {
    guard areas.isTooMuch(samples, limit: least) else { return false }
    return areas.isTooMuch(samples, limit: areas.limit - room(of: samples))
  }

  /// The fullest field, if its samples stand for more than may flash, and for more than `count` samples.
  func fullest(_ samples: BitRows, above count: Int = 0) -> FieldAreas.Field? {
    let sought = max(areas.limit, count)
    guard samples.count > sought else { return nil }
    let field = areas.fullest(samples)
    return field.count > sought ? field : nil
  }

  /// Whether a field with so many of these samples hardly holds more by chance.
  func isClear(_ count: Int, of samples: BitRows) -> Bool { count > areas.limit + room(of: samples) }

  /// So many samples are more than may flash with some room.
  var ample: Int { areas.limit + areas.limit / 4 }

  private func room(of samples: BitRows) -> Int {
    // Each run has two ends; half of them would do, and their number is one of chance, too.
    room(variance: 2 * samples.runCount)
  }

  /// How far from the limit the samples have to be.
  private func room(variance: Int) -> Int {
    let variance = min(areas.limit, max(Self.leastVariance, variance))
    return Int((Self.deviations * Double(variance).squareRoot()).rounded(.up))
  }
}
