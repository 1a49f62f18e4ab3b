// When time runs: every start and every stop of media time, and what it is in between.

extension PlaybackMachine {
  /// Starts the time if nothing holds it: no rest, no frame to show or to load first, no group, no reduced
  /// motion, no limit of motion.
  mutating func startTime(at now: PlaybackInstant) {
    guard phase == .playing, let standing, standing.pending == nil, !standing.awaitsSource,
      membership != .heldBack, reducedMotion != .firstFrame, motionLimit.allowsTime
    else { return }
    course = .running(MediaClock(at: standing.time, runningSince: now, speed: speed), nextTick: nil)
  }

  /// Stops the time where it is, or at a frame that has passed unseen and may not be skipped.
  mutating func halt(at now: PlaybackInstant) {
    guard isTimeRunning else { return }
    course = .standing(Standing(time: owedFrame(at: now)?.start ?? mediaTime(at: now)))
  }

  /// Stops the time at a place. What is to be shown is not changed.
  mutating func stand(at time: Int64, on place: Timeline.Position? = nil) {
    var standing = standing ?? Standing()
    (standing.time, standing.place) = (time, place)
    course = .standing(standing)
  }

  /// The speed of media time: the rate, less where motion is reduced or limited.
  ///
  /// What else lowers it goes here: flashes are judged by ``wantedSpeed``, the cache is told the rate, and
  /// pages run `currentTime` on by the rate unless an answer has a speed (`Answers.swift`, flashes.js).
  package var speed: Double { motionLimit.speed(ofWanted: wantedSpeed) }

  /// The speed without a limit.
  package var wantedSpeed: Double { reducedMotion.speed(ofRate: rate) }

  /// What becomes of late frames. At an even pace none is skipped, as its change would come later, nearer to
  /// the next one.
  var latePolicy: LatePolicy { if case .paced = motionLimit { .wait } else { rules.latePolicy } }

  package func mediaTime(at now: PlaybackInstant) -> Int64 {
    switch course {
    case .standing(let standing): return standing.time
    case .running(let clock, _):
      let time = clock.mediaTime(at: now)
      return timeline.isComplete ? time : min(time, max(clock.base, timeline.loopNanoseconds))
    }
  }

  /// Where playback stands; nil without frames.
  package func position(at now: PlaybackInstant) -> Timeline.Position? {
    if case .standing(let standing) = course, let place = standing.place { return place }
    return timeline.position(at: mediaTime(at: now))
  }

  /// The first instant at which a media time has come; nil while time stands.
  func instant(ofMedia time: Int64) -> PlaybackInstant? {
    guard case .running(let clock, _) = course else { return nil }
    return clock.instant(ofMedia: time)
  }

  /// After a gap of minutes the change that was due next is due now, and the rest follows it. Not in a group:
  /// the next changes of its members differ, so they would no longer be in step.
  mutating func resumeAfterSuspension(at now: PlaybackInstant) {
    guard case .running(let clock, let next?) = course, rules.suspensionPolicy == .resume, membership == .none
    else { return }
    let gap = now.nanoseconds(since: next)
    guard gap > SuspensionPolicy.longestGap else { return }
    var resumed = clock
    resumed.leaveOut(gap)
    course = .running(resumed, nextTick: next)
  }

  // MARK: Speed

  /// Changes the speed without a jump. Clipped to 0.05 - 20; what is no number changes nothing.
  package mutating func setRate(_ rate: Double, at now: PlaybackInstant) {
    guard !rate.isNaN else { return }
    halt(at: now)
    self.rate = PlaybackRate.clamped(rate)
    startTime(at: now)
  }

  /// Sets how motion is reduced, without a jump unless only the first frame is to be shown. A part of the
  /// speed is clipped; what is no number changes nothing.
  package mutating func setReducedMotion(_ motion: ReducedMotion, at now: PlaybackInstant) {
    guard let motion = motion.clipped, motion != reducedMotion else { return }
    halt(at: now)
    reducedMotion = motion
    if motion == .firstFrame, phase == .playing, pending == nil, let first = timeline.position(at: 0) {
      if shownStep == absoluteStep(first) { stand(at: 0) } else { jump(to: first, cause: .seek) }
    }
    startTime(at: now)
  }

  /// Limits the motion, without a jump.
  package mutating func setMotionLimit(_ limit: MotionLimit, at now: PlaybackInstant) {
    guard limit != motionLimit else { return }
    halt(at: now)
    motionLimit = limit
    startTime(at: now)
  }
}

// MARK: - In a group

extension PlaybackMachine {
  /// Holds the time until ``startInGroup(at:)``.
  package mutating func holdBack(at now: PlaybackInstant) {
    halt(at: now)
    membership = .heldBack
  }

  /// Whether the group need not wait for this member: it shows its frame, or has none to show.
  package var isReadyForGroup: Bool {
    guard canShow, visibility == .visible, phase == .playing else { return true }
    return standing?.pending == nil && standing?.poster == nil
  }

  /// Starts the time at an instant that may lie ahead or behind.
  package mutating func startInGroup(at instant: PlaybackInstant) { release(as: .started, at: instant) }

  /// Goes on without the group.
  package mutating func leaveGroup(at now: PlaybackInstant) { release(as: .none, at: now) }

  private mutating func release(as membership: Membership, at instant: PlaybackInstant) {
    self.membership = membership
    // The group's time, or the command to leave it, goes before the rule for buffering.
    change { $0.awaitsSource = false }
    if visibility != .visible, phase == .playing, pending != nil, let place = position(at: instant) {
      // The start is unseen: its frame is due like any other as soon as the player is seen.
      change { $0.pending = nil }
      shown = LastShown(step: absoluteStep(place) - 1)
    }
    startTime(at: instant)
  }
}
