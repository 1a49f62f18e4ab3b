/// Which players show fewer frames when decoding cannot keep up.
public enum PlaybackPriority: String, Sendable, Hashable, CaseIterable {
  /// Shows every frame as long as possible.
  case high
  /// Shows fewer frames, so that players of high priority show all theirs.
  case low
}

/// Load shedding: how many frames players of low priority leave out, decided from how many are decoded too
/// late and how busy the decoding threads are.
///
/// An interval in which frames are missed adds a level, but only if the threads have no time left: otherwise
/// fewer frames would help no other player. As soon as the threads surely have time for the frames that are
/// left out, these are shown again. Until then each interval with time left takes a level back, or several
/// good ones in a row without. If that turns out too early, the next attempt waits twice as long, so the
/// level does not swing.
package struct LoadShedder: Sendable, Hashable {
  /// What happened in one interval, over all visible players.
  package struct Sample: Sendable, Hashable {
    /// Frames that should have been shown.
    package var due = 0
    /// Those of them that were skipped or came late because they were not decoded.
    package var missed = 0
    /// Those of them whose players leave out others.
    package var thinned = 0

    package init(due: Int = 0, missed: Int = 0, thinned: Int = 0) {
      self.due = due
      self.missed = missed
      self.thinned = thinned
    }

    package mutating func add(_ other: Sample) {
      due += other.due
      missed += other.missed
      thinned += other.thinned
    }
  }

  /// One frame in this many is shown, by level.
  package static let strides = [1, 2, 4, 8, 16]
  /// Good intervals in a row before a level is taken back, at first and at most.
  package static let recoveryRange = 6...96
  /// Intervals after which taking a level back counts as having been right.
  private static let probation = 12
  /// With fewer frames an interval does not say that any are missed.
  package static let leastDue = 4
  /// The part of their time that decoding threads work from which on they have none left.
  package static let saturation = 0.9
  /// The part of their time that they may work with the frames that are shown again.
  package static let comfort = 0.7
  /// Nanoseconds after which a frame counts as late: about a refresh of the screen.
  package static let latenessLimit: Int64 = 16_000_000

  package private(set) var level = 0
  private var recoveryIntervals = recoveryRange.lowerBound
  private var goodIntervals = 0
  /// Intervals since a level was taken back.
  private var sinceRecovery = probation

  package init() {}

  /// Takes the outcome of an interval. Returns whether the level has changed.
  ///
  /// - Parameter busy: the part of their time that the decoding threads have worked, 0 - 1.
  package mutating func observe(_ sample: Sample, busy: Double) -> Bool {
    if forgetLevels(sample, busy) { return true }
    guard sample.due >= Self.leastDue else { return false }
    sinceRecovery = min(sinceRecovery + 1, Self.probation)
    // Bad: more than a tenth missed. Good: less than a fiftieth. In between everything stays.
    if sample.missed * 10 > sample.due, busy >= Self.saturation { return addLevel() }
    // Where each frame builds on the one before it, frames left out are decoded all the same, and cost
    // little.
    let hasTime = busy <= Self.comfort
    goodIntervals = hasTime || sample.missed * 50 < sample.due ? goodIntervals + 1 : 0
    let needed = hasTime ? recoveryIntervals / Self.recoveryRange.lowerBound : recoveryIntervals
    guard goodIntervals >= needed else { return false }
    goodIntervals = 0
    guard level > 0 else {
      recoveryIntervals = Self.recoveryRange.lowerBound
      return false
    }
    level -= 1
    sinceRecovery = 0
    return true
  }

  /// Takes back as many levels as the threads have time for: with each, players that leave out frames show at
  /// most twice as many.
  private mutating func forgetLevels(_ sample: Sample, _ busy: Double) -> Bool {
    let thinned = sample.due > 0 ? Double(sample.thinned) / Double(sample.due) : 0
    let fitting = (1...Self.strides.count).prefix { levels in
      levels <= level && busy * (1 - thinned + thinned * Double(1 << levels)) <= Self.comfort
    }
    guard !fitting.isEmpty else { return false }
    level -= fitting.count
    goodIntervals = 0
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

  /// One frame in this many is shown by players of a priority.
  package func stride(for priority: PlaybackPriority) -> Int { priority == .high ? 1 : Self.strides[level] }
}
