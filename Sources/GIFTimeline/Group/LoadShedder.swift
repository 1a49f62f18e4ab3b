/// Which players give way first when decoding cannot keep up.
public enum PlaybackPriority: String, Sendable, Hashable, CaseIterable {
  /// Plays every picture as long as there is any other way.
  case high
  /// Plays fewer pictures so that those of high priority play all theirs.
  case low
}

/// Decides how far players of low priority give way, from how many pictures come too late. Pure.
///
/// It goes down a level as soon as an interval was bad, and up again only after several good ones in a row; where a
/// level turns out too high soon after, the next attempt waits twice as long. So it does not swing.
package struct LoadShedder: Sendable, Hashable {
  /// What happened in one interval, over all players that are seen.
  package struct Sample: Sendable, Hashable {
    /// Pictures that should have been shown.
    package var due = 0
    /// Those of them that were passed over or came late.
    package var missed = 0

    package init(due: Int = 0, missed: Int = 0) {
      self.due = due
      self.missed = missed
    }
  }

  /// One picture of so many is shown, by level.
  package static let strides = [1, 2, 4, 8, 16]
  /// Good intervals in a row before a level is given back, at first and at the most.
  package static let patienceRange = 6...96
  /// Intervals after which giving a level back counts as having been right.
  private static let probation = 12
  /// With fewer pictures an interval says nothing.
  package static let leastDue = 4

  package private(set) var level = 0
  private var patience = patienceRange.lowerBound
  private var goodIntervals = 0
  /// Intervals since a level was given back.
  private var sinceRecovery = probation

  package init() {}

  /// Takes what one interval was like; returns whether the level has changed.
  package mutating func observe(_ sample: Sample) -> Bool {
    guard sample.due >= Self.leastDue else { return false }
    sinceRecovery = min(sinceRecovery + 1, Self.probation)
    // Bad: more than a tenth missed. Good: less than a fiftieth. Between them everything stays.
    if sample.missed * 10 > sample.due { return giveWay() }
    goodIntervals = sample.missed * 50 < sample.due ? goodIntervals + 1 : 0
    guard goodIntervals >= patience else { return false }
    goodIntervals = 0
    guard level > 0 else {
      patience = Self.patienceRange.lowerBound
      return false
    }
    level -= 1
    sinceRecovery = 0
    return true
  }

  private mutating func giveWay() -> Bool {
    goodIntervals = 0
    if sinceRecovery < Self.probation { patience = min(2 * patience, Self.patienceRange.upperBound) }
    guard level < Self.strides.count - 1 else { return false }
    level += 1
    return true
  }

  /// One picture of so many is shown by players of a priority.
  package func stride(for priority: PlaybackPriority) -> Int { priority == .high ? 1 : Self.strides[level] }
}

/// How many pictures a second a player shows, and how many its schedule has; over the last second or more.
public struct FrameRate: Sendable, Hashable {
  /// Pictures shown in a second.
  public var effective: Double
  /// Pictures due in a second.
  public var scheduled: Double
}

/// Counts pictures and makes rates of them. Pure.
package struct FrameRateMeter: Sendable, Hashable {
  private static let window: Int64 = 1_000_000_000
  private var since: PlaybackInstant?
  private var shown = 0
  private var due = 0
  /// The rates of the last whole window; nil before there is one.
  package private(set) var rate: FrameRate?

  package init() {}

  /// - Parameter skipped: pictures before this one that were passed over.
  package mutating func note(skipped: Int, at now: PlaybackInstant) {
    guard let since else {
      self.since = now
      return
    }
    shown += 1
    due += 1 + skipped
    let elapsed = now.nanoseconds(since: since)
    guard elapsed >= Self.window else { return }
    let seconds = Double(elapsed) / 1e9
    rate = FrameRate(effective: Double(shown) / seconds, scheduled: Double(due) / seconds)
    (self.since, shown, due) = (now, 0, 0)
  }

  /// A pause or a jump: what comes is counted anew.
  package mutating func restart() { (since, shown, due) = (nil, 0, 0) }
}
