// The machine's time: how media time follows the clock.

extension PlaybackMachine {
  /// The speed of media time: the rate, less where motion is reduced.
  package var speed: Double { reducedMotion.speed(ofRate: rate) }

  package func mediaTime(at now: PlaybackInstant) -> Int64 {
    let time = clock.mediaTime(at: now)
    guard clock.isRunning, !timeline.isComplete else { return time }
    return min(time, max(clock.base, timeline.loopDuration))
  }

  /// Where playback stands; nil only where there is no frame.
  package func position(at now: PlaybackInstant) -> Timeline.Position? {
    if !clock.isRunning, let held { return held }
    return timeline.position(at: mediaTime(at: now))
  }

  /// When a media time comes, while time runs; never too early by rounding.
  package func instant(ofMedia time: Int64) -> PlaybackInstant? { clock.instant(ofMedia: time) }

  /// Lets time run if nothing holds it.
  package mutating func letRun(from now: PlaybackInstant) {
    guard state == .playing, pending == nil, !isHeldBack, reducedMotion != .firstFrame else { return }
    clock.start(at: now)
  }

  /// Stops the time where it stands.
  package mutating func halt(at now: PlaybackInstant) {
    guard clock.isRunning else { return }
    clock.set(to: mediaTime(at: now))
    held = nil
    nextLook = nil
  }

  /// After a gap of minutes the change that was due next is due now, and the rest follows it. Not in a group: each
  /// member has another change due next, and they would no longer be in step.
  package mutating func resumeAfterSuspension(at now: PlaybackInstant) {
    guard rules.suspensionPolicy == .resume, !isInGroup, clock.isRunning, let nextLook else { return }
    let gap = now.nanoseconds(since: nextLook)
    if gap > SuspensionPolicy.longestGap { clock.leaveOut(gap) }
  }

  /// Sets how motion is reduced; without a jump, but for the first picture.
  package mutating func setReducedMotion(_ motion: ReducedMotion, at now: PlaybackInstant) {
    guard motion != reducedMotion else { return }
    halt(at: now)
    reducedMotion = motion
    if motion == .firstFrame, state == .playing, pending == nil, let first = timeline.position(at: 0) {
      if shownStep != absoluteStep(first) {
        jump(to: first, cause: .seek)
      } else {
        clock.set(to: 0)
        held = nil
      }
    }
    letRun(from: now)
  }
}
