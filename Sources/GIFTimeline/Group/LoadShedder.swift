/// Which players show fewer frames when decoding cannot keep up.
public enum PlaybackPriority: String, Sendable, Hashable, CaseIterable {
  /// Shows every frame as long as possible.
  case high
  /// Shows fewer frames, so that players of high priority show all theirs.
  case low
}

/// Load shedding: how many frames players of low priority leave out, decided from how many come too late. Pure.
///
/// A bad interval adds a level; several good ones in a row take one back. If that turns out too early, the next attempt
/// waits twice as long, so the level does not swing.
package struct LoadShedder: Sendable, Hashable {
  /// What happened in one interval, over all visible players.
  package struct Sample: Sendable, Hashable {
    /// Frames that should have been shown.
    package var due = 0
    /// Those of them that were skipped or came late.
    package var missed = 0

    package init(due: Int = 0, missed: Int = 0) {
      self.due = due
      self.missed = missed
    }
  }

  /// One frame of so many is shown, by level.
  package static let strides = [1, 2, 4, 8, 16]
  /// Good intervals in a row before a level is taken back, at first and at most.
  package static let recoveryRange = 6...96
  /// Intervals after which taking a level back counts as having been right.
  private static let probation = 12
  /// With fewer frames an interval says nothing.
  package static let leastDue = 4
  /// Nanoseconds after which a frame counts as late: about a refresh of the screen.
  package static let latenessLimit: Int64 = 16_000_000

  package private(set) var level = 0
  private var recoveryIntervals = recoveryRange.lowerBound
  private var goodIntervals = 0
  /// Intervals since a level was taken back.
  private var sinceRecovery = probation

  package init() {}

  /// Takes the outcome of an interval. Returns whether the level has changed.
  package mutating func observe(_ sample: Sample) -> Bool {
    guard sample.due >= Self.leastDue else { return false }
    sinceRecovery = min(sinceRecovery + 1, Self.probation)
    // Bad: more than a tenth missed. Good: less than a fiftieth. In between everything stays.
    if sample.missed * 10 > sample.due { return addLevel() }
    goodIntervals = sample.missed * 50 < sample.due ? goodIntervals + 1 : 0
    guard goodIntervals >= recoveryIntervals else { return false }
    goodIntervals = 0
    guard level > 0 else {
      recoveryIntervals = Self.recoveryRange.lowerBound
      return false
    }
    level -= 1
    sinceRecovery = 0
    return true
  }

  private mutating func addLevel() -> Bool {
    goodIntervals = 0
    if sinceRecovery < Self.probation {
      recoveryIntervals = min(2 * recoveryIntervals, Self.recoveryRange.upperBound)
    }
    guard level < Self.strides.count - 1 else { return false }
    level += 1
    return true
  }

  /// One frame of so many is shown by players of a priority.
  package func stride(for priority: PlaybackPriority) -> Int { priority == .high ? 1 : Self.strides[level] }
}
