import GIFTestSupport
import GIFTimeline
import Testing

@testable import GIFCaching

@Suite("BudgetPlan")
struct BudgetPlanTests {
  private typealias Share = BudgetPlan.Share
  private static let shares: [Share] = [.floors, .windows, .quarter, .half, .all]

  private func demand(
    _ visibility: Visibility = .visible, floor: Int64 = 0, needed: Int64 = 0, window: Int64 = 0,
    warm: Int64 = 0,
    whole: Int64 = 0
  ) -> BudgetDemand {
    let needed = max(floor, needed)
    let window = max(needed, window)
    let warm = max(window, warm)
    return BudgetDemand(
      visibility: visibility, floor: floor, needed: needed, window: window, warm: warm,
      whole: max(warm, whole))
  }

  private func bytes(limit: Int64, share: Share = .all, demands: [BudgetDemand]) -> [Int64] {
    BudgetPlan.grants(limit: limit, share: share, demands: demands).map(\.bytes)
  }

  /// What holds for any grants.
  private func check(_ demands: [BudgetDemand], limit: Int64, share: Share, _ note: Comment) throws {
    let grants = bytes(limit: limit, share: share, demands: demands)
    try #require(grants.count == demands.count, note)
    let floors = demands.reduce(0) { $0 + $1.floor }
    try #require(grants.reduce(0, +) <= max(limit, floors), note)
    for (grant, demand) in zip(grants, demands) {
      try #require(grant >= demand.floor && grant <= max(demand.floor, demand.whole), note)
      switch share {
      case .floors: try #require(grant <= max(demand.floor, demand.needed), note)
      case .windows: try #require(grant <= max(demand.floor, demand.window), note)
      case .quarter, .half, .all: break
      }
      if demand.visibility == .hidden, share < .all { try #require(grant == demand.floor, note) }
    }
    let rest = max(0, limit - floors)
    if share == .half { try #require(grants.reduce(0, +) - floors <= rest / 2, note) }
    if share == .quarter { try #require(grants.reduce(0, +) - floors <= rest / 4, note) }
    // A less visible store gets nothing beyond its floor while a more visible one lacks what is due next.
    for (place, demand) in demands.enumerated() where grants[place] < demand.window && share > .floors {
      for (other, less) in demands.enumerated() where less.visibility < demand.visibility {
        try #require(grants[other] == less.floor, note)
      }
    }
    // Among equals the smaller wish is served first.
    for (place, demand) in demands.enumerated() where grants[place] < demand.needed {
      for (other, equal) in demands.enumerated()
      where equal.visibility == demand.visibility && equal.needed - equal.floor > demand.needed - demand.floor
      {
        try #require(grants[other] == equal.floor, note)
      }
    }
    // A higher limit gives no store less.
    let larger = bytes(limit: limit + 1, share: share, demands: demands)
    try #require(zip(grants, larger).allSatisfy { $0 <= $1 }, note)
    if share == .all, rest > 0, zip(grants, demands).contains(where: { $0 < $1.whole }) {
      try #require(grants.reduce(0, +) == limit, "nothing is left over while a store lacks something")
    }
  }

  @Test("Without stores nothing is granted")
  func noStores() {
    for share in Self.shares { #expect(bytes(limit: 9, share: share, demands: []) == []) }
  }

  @Test("All floors are granted, even beyond the limit")
  func floors() {
    let demands = [demand(floor: 7, whole: 99), demand(.hidden, floor: 5), demand(.near, floor: 0, whole: 3)]
    for share in Self.shares {
      #expect(bytes(limit: 0, share: share, demands: demands) == [7, 5, 0])
      #expect(bytes(limit: 12, share: share, demands: demands) == [7, 5, 0])
    }
  }

  @Test("Visible stores come before near ones, and those before hidden ones")
  func visibility() {
    let demands = [
      demand(.hidden, needed: 10), demand(.near, needed: 10), demand(.visible, needed: 10, window: 20),
    ]
    #expect(bytes(limit: 5, demands: demands) == [0, 0, 5])
    #expect(bytes(limit: 24, demands: demands) == [0, 4, 20])
    #expect(bytes(limit: 33, demands: demands) == [3, 10, 20])
  }

  @Test("What is due next for all comes before whole loops, and a short loop before a long one")
  func steps() {
    let demands = [
      demand(needed: 2, window: 10, warm: 30, whole: 100), demand(needed: 2, window: 4, warm: 4, whole: 8),
    ]
    #expect(bytes(limit: 14, demands: demands) == [10, 4])
    // The indices of the first pay before whole loops do.
    #expect(bytes(limit: 34, demands: demands) == [30, 4])
    #expect(bytes(limit: 38, demands: demands) == [30, 8])
    #expect(bytes(limit: 50, demands: demands) == [42, 8])
    #expect(bytes(limit: 500, demands: demands) == [100, 8])
  }

  @Test("Under pressure less is granted in steps, and nothing to hidden stores")
  func pressure() {
    let demands = [
      demand(floor: 2, needed: 4, window: 20, warm: 20, whole: 200), demand(.hidden, needed: 10, whole: 10),
    ]
    let grants = Self.shares.map { bytes(limit: 102, share: $0, demands: demands) }
    #expect(grants == [[4, 0], [20, 0], [27, 0], [52, 0], [92, 10]])
  }

  @Test("All small cases keep the rules")
  func exhaustive() throws {
    // All demands whose figures are 0 - 2 in this order, of two visibilities.
    var single: [BudgetDemand] = []
    for floor in Int64(0)...2 {
      for needed in floor...2 {
        for window in needed...2 {
          for whole in window...2 {
            for visibility in [Visibility.hidden, .visible] {
              single.append(
                demand(visibility, floor: floor, needed: needed, window: window, warm: window, whole: whole))
            }
          }
        }
      }
    }
    for first in single {
      for second in single {
        for limit in Int64(0)...5 {
          for share in Self.shares {
            try check([first, second], limit: limit, share: share, "\(first) \(second) \(limit) \(share)")
          }
        }
      }
    }
  }

  @Test("Random demands keep the rules", arguments: 0..<40)
  func random(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    for round in 0..<40 {
      let demands = (0..<Int.random(in: 0...12, using: &random)).map { _ in
        let steps = (0..<5).map { _ in Int64.random(in: 0...1_000, using: &random) }.sorted()
        let visibility = [Visibility.hidden, .near, .visible][Int.random(in: 0..<3, using: &random)]
        return BudgetDemand(
          visibility: visibility, floor: steps[0], needed: steps[1], window: steps[2], warm: steps[3],
          whole: steps[4])
      }
      let share = Self.shares[Int.random(in: 0..<5, using: &random)]
      try check(
        demands, limit: .random(in: 0...8_000, using: &random), share: share, "seed \(seed) round \(round)")
    }
  }

  @Test("The largest figures do not overflow")
  func extremes() {
    let most = Int64.max / 4
    let demands = [demand(floor: most, whole: most * 2), demand(.hidden, whole: most)]
    #expect(bytes(limit: .max, demands: demands) == [most * 2, most])
    #expect(bytes(limit: 0, demands: demands) == [most, 0])
  }

  @Test("Renderers rest only as far as the limit asks for it, those first that pack little for a byte saved")
  func resting() {
    // Each floor is a renderer of 100 that releases 90 or 50 or nothing, and two frames of 5.
    let demands = [Int64]([90, 50, 0, 90]).map { released -> BudgetDemand in
      var demand = demand(floor: 110, whole: 400)
      demand.released = released
      return demand
    }
    func packs(_ limit: Int64, turns: Int = 1) -> [Bool] {
      BudgetPlan.grants(limit: limit, turns: turns, demands: demands).map(\.packs)
    }
    #expect(packs(440) == [false, false, false, false])
    // The first that rests saves nothing as long as it may be at work.
    #expect(packs(439) == [true, false, false, true])
    #expect(packs(350) == [true, false, false, true])
    #expect(packs(349) == [true, true, false, true])
    #expect(packs(439, turns: 2) == [true, true, false, true])
    var busy = demands
    busy[3].packedPixelRate = 1_000
    #expect(
      BudgetPlan.grants(limit: 439, demands: busy).map(\.packs) == [true, true, false, false])
    let tight = BudgetPlan.grants(limit: 0, demands: demands)
    #expect(tight.map(\.bytes) == [20, 60, 110, 20])
    // What is left goes to the frames due next, without what the renderers have released.
    let grants = BudgetPlan.grants(limit: 360, demands: demands)
    #expect(grants.map(\.bytes).reduce(90, +) == 360)
    #expect(zip(grants, demands).allSatisfy { $0.bytes <= $1.whole - ($0.packs ? $1.released : 0) })
  }
}
