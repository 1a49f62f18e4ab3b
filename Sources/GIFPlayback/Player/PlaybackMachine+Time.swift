// The machine's time: how media time follows the clock.

extension PlaybackMachine {
  /// The speed of media time: the rate, less where motion is reduced.
  var speed: Double { reducedMotion.speed(ofRate: rate) }

  func mediaTime(at now: PlaybackInstant) -> Int64 {
    guard let runningSince else { return media }
    let elapsed = max(0, now.nanoseconds(since: runningSince))
    let passed = speed == 1 ? elapsed : Int64(clamping: Double(elapsed) * speed)
    let time = media.addingClamped(passed)
    return timeline.isOpen ? min(time, max(media, timeline.loopDuration)) : time
  }

  /// Where playback stands; nil only where there is no frame.
  func position(at now: PlaybackInstant) -> Timeline.Position? {
    if runningSince == nil, let held { return held }
    return timeline.position(at: mediaTime(at: now))
  }

  /// When a media time comes, while time runs; never too early by rounding.
  func instant(ofMedia time: Int64) -> PlaybackInstant? {
    guard let runningSince else { return nil }
    let ahead = time - media
    guard speed != 1 else { return runningSince.advanced(byNanoseconds: ahead) }
    var real = Int64(clamping: (Double(ahead) / speed).rounded(.up))
    // The quotient may be rounded down to a whole number; what is due then is one nanosecond away.
    if Int64(clamping: Double(real) * speed) < ahead { real = real.addingClamped(1) }
    return runningSince.advanced(byNanoseconds: real)
  }

  /// Lets time run if nothing holds it.
  mutating func letRun(from now: PlaybackInstant) {
    guard run == .playing, runningSince == nil, pending == nil, !isHeldBack, reducedMotion != .firstFrame
    else {
      return
    }
    runningSince = now
  }

  /// Stops the time where it stands.
  mutating func halt(at now: PlaybackInstant) {
    guard runningSince != nil else { return }
    media = mediaTime(at: now)
    runningSince = nil
    held = nil
    nextLook = nil
  }

  /// After a gap of minutes the change that was due next is due now, and the rest follows it. Not in a group: each
  /// member has another change due next, and they would no longer be in step.
  mutating func resumeAfterSuspension(at now: PlaybackInstant) {
    guard rules.suspension == .resume, !isInGroup, let nextLook, let since = runningSince else { return }
    let gap = now.nanoseconds(since: nextLook)
    if gap > SuspensionPolicy.longestGap { runningSince = since.advanced(byNanoseconds: gap) }
  }

  /// Sets how motion is reduced; without a jump, but for the first picture.
  mutating func setReducedMotion(_ motion: ReducedMotion, at now: PlaybackInstant) {
    guard motion != reducedMotion else { return }
    halt(at: now)
    reducedMotion = motion
    if motion == .firstFrame, run == .playing, pending == nil, let first = timeline.position(at: 0) {
      if shownStep != absoluteStep(first) { jump(to: first, cause: .seek) } else { (media, held) = (0, nil) }
    }
    letRun(from: now)
  }
}
