internal import GIFTimeline

/// What one store has use for, in bytes. Each step includes the one before it.
struct BudgetDemand: Sendable, Hashable {
  var visibility: Visibility
  /// What it cannot play without, a renderer and two frames: granted in any case, even beyond the limit.
  var floor: Int64
  /// The frame that each player shows, and the next one.
  var needed: Int64
  /// The frames that are due next.
  var window: Int64
  /// And the palette indices of all frames; the same as `window` where they would not pay.
  var warm: Int64
  /// Every frame finished.
  var whole: Int64
}

/// Shares a budget among stores. Pure: the same demands give the same grants.
///
/// Every store gets its floor. The rest is given out step by step: what is due next, what makes the next loop cheap, and
/// whole loops. Visible stores come before near ones, and those before hidden ones. Within a step the smallest wish
/// comes first, so that as many stores as possible are served: a short loop that fits whole comes before a long one.
/// What is left over goes to the first store that is not served in full.
struct BudgetArbiter: Sendable {
  /// How much beyond the floors is given out at all; see ``PressureRegulator``.
  enum Share: Int, Sendable, Hashable, Comparable {
    case floors, windows, quarter, half, all

    static func < (left: Share, right: Share) -> Bool { left.rawValue < right.rawValue }
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
  static func grants(limit: Int64, share: Share = .all, demands: [BudgetDemand]) -> [Int64] {
    var grants = demands.map(\.floor)
    var rest = limit - grants.reduce(0, +)
    switch share {
    case .floors, .windows, .all: break
    case .half: rest /= 2
    case .quarter: rest /= 4
    }
    for (visibility, step) in order {
      if rest <= 0 { break }
      if visibility == .hidden, share < .all { continue }
      if share == .floors, step != .needed { continue }
      if share == .windows, step != .needed, step != .window { continue }
      let wishes = demands.indices.filter { demands[$0].visibility == visibility }
        .map { (place: $0, bytes: demands[$0].bytes(step) - grants[$0]) }
        .filter { $0.bytes > 0 }
        .sorted { ($0.bytes, $0.place) < ($1.bytes, $1.place) }
      for wish in wishes {
        let given = min(rest, wish.bytes)
        grants[wish.place] += given
        rest -= given
        if rest == 0 { break }
      }
    }
    return grants
  }
}

extension BudgetDemand {
  fileprivate func bytes(_ step: BudgetArbiter.Step) -> Int64 {
    switch step {
    case .needed: needed
    case .window: window
    case .warm: warm
    case .whole: whole
    }
  }
}
