import GIFCaching
import GIFDecoding
import GIFPlayback
import GIFTimeline

/// A wall of players on a slow decoder, in simulated time.
struct SlowDecoding {
  let stage = Stage()
  let pool: DecodePool
  private let budget: FrameBudget
  /// What one turn takes.
  let cost: Duration

  /// - Parameter budget: bytes for all frames; nil for the usual number.
  init(cost: Duration, budget: Int64? = nil) {
    self.cost = cost
    self.budget = budget.map { FrameBudget(limit: $0) } ?? FrameBudget()
    let time = stage.time
    pool = DecodePool(takenByHand: (), now: { time.now().nanoseconds })
  }

  /// A player whose content no other player has.
  ///
  /// - Parameter isKeyed: whether each of its frames takes one turn, from wherever its decoder stands.
  func player(
    _ number: Int, delay: Int, count: Int = 12, isKeyed: Bool = false,
    _ change: (inout GIFPlayer.Options) -> Void = { _ in }
  ) throws -> GIFPlayer {
    var options = GIFPlayer.Options()
    options.budget = budget
    change(&options)
    let image = try Sample.image(
      delays: Array(repeating: delay, count: count), repetitions: 1000 + number, isKeyed: isKeyed)
    return GIFPlayer(image, options: options, clock: stage.clock, pool: pool)
  }

  /// Lets time pass: the one decoder takes turn after turn, each of which ends when its cost is over.
  func run(to end: Duration) {
    while stage.elapsed < end {
      stage.run(to: min(end, stage.elapsed + cost))
      _ = pool.takeTurn()
    }
  }
}
