// What a player and its cache want to know of the machine.

internal import GIFCaching
internal import GIFTimeline

extension PlaybackMachine {
  /// Why playback waits, if it does.
  var bufferingReason: BufferingChange.Reason? {
    guard state == .playing, isVisible else { return nil }
    if awaitsFrames || (!timeline.isComplete && timeline.stepCount == 0) { return .source }
    return pending?.dueAt != nil && isWaiting ? .decoder : nil
  }

  /// What the player does, or will do when the scrubbing at hand ends.
  var resumedState: PlaybackState {
    resumesAfterScrubbing == true ? .playing : state
  }
}

// MARK: - For the cache

extension PlaybackMachine {

  /// Where the cache should look ahead from; nil where nothing is wanted.
  func playhead(_ outcome: Outcome) -> Playhead? {
    guard isVisible else { return nil }
    // A picture out of order, or one of several, is wanted alone.
    if let only = outcome.onlyFrame { return Playhead(frame: only, range: only..<only + 1) }
    guard timeline.stepCount > 0 else { return nil }
    let direction: Playhead.Direction =
      switch timeline.mode {
      case .forward: .forward
      case .reverse: .reverse
      case .bounce: .bounce(isReturning: outcome.isReturning)
      }
    return Playhead(
      frame: outcome.playhead, direction: direction, range: timeline.range,
      nextDue: outcome.wakeAt?.nanoseconds, rate: rate)
  }
}
