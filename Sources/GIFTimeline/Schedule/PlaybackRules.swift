/// What becomes of pictures that cannot be shown at their time, because the clock was late or the decoder slow.
public enum LatePolicy: Sendable, Hashable {
  /// They are passed over: the picture due now is shown, and the total time stays. As browsers do.
  case skip
  /// So many of them at the most are shown one after another, each for half its time, until playback is on time
  /// again; older ones are passed over. Less than 0 counts as 0.
  case catchUp(max: Int)
  /// None is passed over: time waits for each, and the end comes later. A picture late by less than its own time
  /// makes up for it itself, so that a clock's small delays do not add up.
  case wait
}

/// What becomes of a long gap in the clock, as after a process was stopped.
///
/// A short gap is no matter of choice: the schedule holds, and the picture due is shown at once, never a fast run
/// through those that were missed. The members of a ``SyncGroup`` keep the schedule.
public enum SuspensionPolicy: Sendable, Hashable {
  /// After more than five minutes playback goes on where it stood, as in Chromium (`kAnimationResyncCutoff`).
  case resume
  /// The schedule holds however long the gap.
  case keepSchedule

  /// Nanoseconds after which a gap is a suspension.
  package static let longestGap: Int64 = 300_000_000_000
}

/// Playback for people whom motion disturbs.
public enum ReducedMotion: Sendable, Hashable {
  /// Motion as in the file.
  case off
  /// At this part of the speed, 0.05 - 1.
  case slow(Double)
  /// The first picture only.
  case firstFrame

  /// The speed of media time at a rate; with the first picture alone it stands all the same.
  package func speed(ofRate rate: Double) -> Double {
    guard case .slow(let part) = self else { return rate }
    return max(PlaybackRate.range.lowerBound, rate * (part.isNaN ? 1 : min(1, max(0.05, part))))
  }
}

/// The speeds at which players play.
package enum PlaybackRate {
  package static let range = 0.05...20.0

  /// The nearest of them; 1 for what is no number.
  package static func clamped(_ rate: Double) -> Double {
    rate.isNaN ? 1 : min(range.upperBound, max(range.lowerBound, rate))
  }
}

/// The choices that a player's machine goes by.
package struct PlaybackRules: Sendable, Hashable {
  package var latePolicy = LatePolicy.skip
  package var suspensionPolicy = SuspensionPolicy.resume

  package init(latePolicy: LatePolicy = .skip, suspensionPolicy: SuspensionPolicy = .resume) {
    self.latePolicy = latePolicy
    self.suspensionPolicy = suspensionPolicy
  }
}
