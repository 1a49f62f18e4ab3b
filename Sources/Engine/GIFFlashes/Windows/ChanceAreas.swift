/// How much of a field flashes, by samples at chance places of their blocks.
///
/// By chance a field holds more or less than its samples say: four standard deviations at the most. Their
/// variance is the sum of p (1 - p) over the blocks; p is the part of a block that flashes. So it is at most
/// the number of samples that flash, as for noise. A shape of one piece has less, at its outline only: of
/// neighbouring samples twice as many differ on the average, or more.
struct ChanceAreas: Sendable {
  private let areas: FieldAreas
  /// Those that a field holds for certain.
  private let certainAreas: FieldAreas

  init(_ grid: SampleGrid, _ limits: ShownLimits) {
    areas = FieldAreas(grid, limits)
    certainAreas = FieldAreas(grid, limits, edge: .whole)
  }

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

  /// Whether these samples, each of a whole block, stand for more than may flash.
  func isTooMuch(_ samples: BitRows) -> Bool {
    guard samples.count > certainAreas.limit else { return false }
    return certainAreas.isTooMuch(samples, limit: certainAreas.limit + room(of: samples))
  }

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
