internal import GIFTimeline

/// What one store has use for, in bytes. Each step includes the one before it.
struct BudgetDemand: Sendable, Hashable {
  var visibility: Visibility
  /// What it cannot play without, a renderer and two frames: granted in any case, even beyond the limit.
  var floor: Int64
  /// The part of each step that the renderer releases if it is packed between turns.
  var released: Int64 = 0
  /// Pixels packed in a second by a renderer that is packed between turns: what that costs.
  var packedPixelRate: Int64 = 0
  /// The frame that each player shows, and the next one.
  var needed: Int64
  /// The frames that are due next.
  var window: Int64
  /// And the palette indices of all frames; the same as `window` where they would not pay.
  var warm: Int64
  /// Every frame finished.
  var whole: Int64
}

/// Shares a budget among stores: the same demands give the same grants.
///
/// Every store gets its floor. If the floors pass the limit, renderers are packed between turns, those first
/// that pack the fewest pixels for each byte saved, until the floors and the renderers at work fit.
///
/// The rest is given out step by step: what is due next, what makes the next loop cheap, and whole loops.
/// Within a step visible stores come before near ones, and those before hidden ones; ``order`` has the steps.
/// Among equals the smallest wish comes first, so that as many stores as possible are served: a short loop
/// that fits whole comes before a long one. What is left over goes to the first store that is not served in
/// full. Another criterion for equals has to put all demands in one order, also those that it does not
/// concern.
struct BudgetPlan: Sendable {
  /// How much beyond the floors is given out at all; see ``PressureRegulator``.
  enum Share: Int, Sendable, Hashable, Comparable {
    case floors, windows, quarter, half, all

    static func < (left: Share, right: Share) -> Bool { left.rawValue < right.rawValue }
  }

  /// What a store may hold.
  struct Grant: Sendable, Hashable {
    var bytes: Int64
    /// Whether the renderer is packed between turns, so that the bytes are those between turns.
    var packs = false
  }

  fileprivate enum Step { case needed, window, warm, whole }

  private static let order: [(visibility: Visibility, step: Step)] = [
    (.visible, .needed), (.visible, .window), (.near, .needed), (.near, .window), (.hidden, .needed),
    (.visible, .warm), (.visible, .whole), (.near, .warm),
    (.near, .whole), (.hidden, .whole),
  ]

  /// The bytes granted to each demand, in the order of the demands.
  ///
  /// The sum stays within `limit` unless the floors alone pass it. O(n log n).
  ///
  /// - Parameter turns: how many stores may decode at the same time.
  static func grants(
    limit: Int64, share: Share = .all, turns: Int = 1, demands: [BudgetDemand]
  ) -> [Grant] {
    var (grants, reserve) = floors(limit: limit, turns: turns, demands: demands)
    var remaining = limit - reserve - grants.reduce(0) { $0 + $1.bytes }
    switch share {
    case .floors, .windows, .all: break
    case .half: remaining /= 2
    case .quarter: remaining /= 4
    }
    for (visibility, step) in order {
      if remaining <= 0 { break }
      if visibility == .hidden, share < .all { continue }
      if share == .floors, step != .needed { continue }
      if share == .windows, step != .needed, step != .window { continue }
      let wishes = demands.indices.filter { demands[$0].visibility == visibility }
        .map { (place: $0, bytes: demands[$0].bytes(step, packs: grants[$0].packs) - grants[$0].bytes) }
        .filter { $0.bytes > 0 }
        // The places are in the order in which the stores first asked; a store is of one content at one size.
        .sorted { ($0.bytes, $0.place) < ($1.bytes, $1.place) }
      for wish in wishes {
        let given = min(remaining, wish.bytes)
        grants[wish.place].bytes += given
        remaining -= given
        if remaining == 0 { break }
      }
    }
    return grants
  }

  /// The floors, and what the renderers at work take beside those that are packed.
  ///
  /// - Parameter limit: renderers are packed only as far as the limit asks for it.
  static func floors(
    limit: Int64, turns: Int, demands: [BudgetDemand]
  ) -> (grants: [Grant], reserve: Int64) {
    let open = demands.map { Grant(bytes: $0.floor) }
    let excess = open.reduce(-limit) { $0 + $1.bytes }
    guard excess > 0 else { return (open, 0) }
    var grants = open
    var saved: Int64 = 0
    // As many as decode at the same time are open together: at worst the largest.
    var largest: [Int64] = []
    let packing = demands.indices.filter { demands[$0].released > 0 }.sorted {
      let (left, right) = (demands[$0], demands[$1])
      return (left.packingCost, right.released, $0) < (right.packingCost, left.released, $1)
    }
    for place in packing where saved - largest.reduce(0, +) < excess {
      let released = demands[place].released
      grants[place] = Grant(bytes: demands[place].floor - released, packs: true)
      saved += released
      largest.append(released)
      largest.sort(by: >)
      if largest.count > turns { largest.removeLast() }
    }
    let reserve = largest.reduce(0, +)
    // Too few to save anything.
    return saved > reserve ? (grants, reserve) : (open, 0)
  }
}

extension BudgetDemand {
  /// Pixels packed in a second for each byte saved.
  fileprivate var packingCost: Double { Double(packedPixelRate) / Double(max(1, released)) }

  fileprivate func bytes(_ step: BudgetPlan.Step, packs: Bool) -> Int64 {
    let bytes =
      switch step {
      case .needed: needed
      case .window: window
      case .warm: warm
      case .whole: whole
      }
    return packs ? bytes - released : bytes
  }
}
