/// A constant number of pictures a second at which every frame lasts exactly its delay, by being shown again.
///
/// The lowest such rate: a picture lasts the greatest common divisor of all delays.
struct ConstantRate: Equatable {
  /// Pictures a second: `numerator` / `denominator`, in lowest terms.
  let numerator: Int
  let denominator: Int
  /// How many times each frame is shown, at least once.
  let repeats: [Int]

  /// - Parameter centiseconds: the frames' delays; 0 and less count as 1. Without frames the rate is 10 a
  ///   second.
  init(centiseconds: [Int]) {
    let delays = centiseconds.map { max(1, $0) }
    let tick = max(1, delays.isEmpty ? 10 : delays.reduce(0, Self.greatestCommonDivisor))
    let common = Self.greatestCommonDivisor(100, tick)
    numerator = 100 / common
    denominator = tick / common
    repeats = delays.map { $0 / tick }
  }

  /// Pictures in all.
  var pictureCount: Int { repeats.reduce(0, +) }

  private static func greatestCommonDivisor(_ first: Int, _ second: Int) -> Int {
    var (first, second) = (first, second)
    while second != 0 { (first, second) = (second, first % second) }
    return first
  }
}
