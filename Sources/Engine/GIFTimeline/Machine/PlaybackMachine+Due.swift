internal import GIFDecoding

// Which frame is due, and what is shown if it is late or missing.

extension PlaybackMachine {
  /// The step whose frame should be seen: the present one, or the last before it that is not left out.
  func dueStep(_ position: Timeline.Position) -> Int64 {
    let step = absoluteStep(position)
    let isEnd = position.nextChange == nil || isLast(position.step, loop: position.loop)
    return stride > 1 && !isEnd ? step - Int64(position.step % stride) : step
  }

  /// The step of the loop at which the next frame is due, and its media time. The step after the last is the
  /// next loop's first.
  func nextDue(after position: Timeline.Position) -> (step: Int, time: Int64) {
    guard stride > 1 else { return (position.step + 1, position.nextChange ?? position.time) }
    var next = min(timeline.stepCount, (position.step / stride + 1) * stride)
    // The end rests on its last frame.
    if next == timeline.stepCount, !isLast(position.step, loop: position.loop),
      isLast(next - 1, loop: position.loop)
    {
      next -= 1
    }
    return (next, timeline.start(ofStep: next, loop: position.loop))
  }

  private func isLast(_ step: Int, loop: Int) -> Bool {
    guard step == timeline.stepCount - 1 else { return false }
    if !timeline.isComplete { return true }
    guard case .plays(let count) = timeline.loopCount else { return false }
    return loop == count - 1
  }

  private func frame(at step: Int64) -> Int { timeline.order[Int(step % Int64(timeline.stepCount))] }

  /// The loop of a step of the schedule; that of the first where it stands for none shown yet.
  func loop(of step: Int64) -> Int { Int(max(0, step) / Int64(timeline.stepCount)) }

  private func start(ofStep step: Int64) -> Int64 {
    timeline.start(ofStep: Int(step % Int64(timeline.stepCount)), loop: loop(of: step))
  }
}

// MARK: - Showing

extension PlaybackMachine {
  mutating func show(poster frame: Int, isThere: IsThere, into outcome: inout Outcome) {
    outcome.onlyFrame = frame
    shortage.isWaiting = !isThere(frame, true)
    guard !isWaiting else { return }
    change { $0.poster = nil }
    let cause: ChangeCause = isAppearing ? .appear : .seek
    isAppearing = false
    // Play then begins without showing the same frame again.
    shown = timeline.position(at: 0).flatMap { $0.frame == frame ? LastShown(step: absoluteStep($0)) : nil }
    outcome.events.append(
      .shown(ShownFrame(frame: frame, loop: 0, cause: cause, mediaTime: 0, lateness: 0, skipped: 0)))
  }

  /// Shows what starts something, and starts the time with it. Returns whether nothing is pending any more.
  mutating func showPending(at now: PlaybackInstant, isThere: IsThere, into outcome: inout Outcome) -> Bool {
    guard let pending, let place = position(at: now) else { return pending == nil }
    point(to: place, in: &outcome)
    outcome.onlyFrame = nil
    shortage.isWaiting = !isThere(place.frame, true)
    guard !isWaiting else { return false }
    change { $0.pending = nil }
    isAppearing = false
    shown = LastShown(step: absoluteStep(place))
    let late = pending.dueAt.map { now.nanoseconds(since: $0) } ?? 0
    outcome.events.append(
      .shown(
        ShownFrame(
          frame: place.frame, loop: place.loop, cause: pending.cause, mediaTime: place.start,
          lateness: max(0, late), skipped: pending.skipped)))
    // At an even pace a frame that becomes visible has all its time.
    if case .paced = motionLimit, pending.cause == .appear, membership == .none {
      change { ($0.time, $0.place) = (place.start, nil) }
    }
    startTime(at: now)
    return true
  }

  /// Shows the frame that is due or, if that is missing, the newest one since the last that is there: a slow
  /// decoder makes playback coarse, not slow. Returns whether the frame due is shown.
  mutating func showDue(
    _ position: Timeline.Position, at now: PlaybackInstant, isThere: IsThere, into outcome: inout Outcome
  ) -> Bool {
    let due = dueStep(position)
    guard let last = shownStep, last < due else { return true }
    if case .catchUp(let most) = latePolicy {
      return catchUp(to: due, after: last, most: most, at: now, isThere: isThere, into: &outcome)
    }
    let wanted = outcome.onlyFrame
    if wanted != nil { outcome.onlyFrame = frame(at: due) }
    // One loop back every frame has been looked for.
    let oldest = max(last + 1, due - Int64(timeline.stepCount) + 1)
    for candidate in Swift.stride(from: due, through: oldest, by: -1)
    where isThere(frame(at: candidate), candidate == due) {
      show(candidate, after: last, at: now, into: &outcome)
      shortage.isWaiting = candidate != due
      if !isWaiting { outcome.onlyFrame = wanted }
      return !isWaiting
    }
    shortage.isWaiting = true
    return false
  }

  private mutating func show(
    _ step: Int64, after last: Int64, at now: PlaybackInstant, into outcome: inout Outcome
  ) {
    let (loop, start) = (loop(of: step), start(ofStep: step))
    var new = ShownFrame(
      frame: frame(at: step), loop: loop, cause: .appear, mediaTime: start, lateness: 0, skipped: 0)
    let late = max(0, now.nanoseconds(since: instant(ofMedia: start) ?? now))
    if !isAppearing {
      new.cause = loop > self.loop(of: last) ? .loop : .play
      new.lateness = late
      new.skipped = Int(step - last - 1)
    }
    // What passed unseen was not skipped, and nothing was due before the player became visible.
    isAppearing = false
    shown = LastShown(step: step)
    outcome.events.append(.shown(new))
  }
}

// MARK: - Other policies for late frames

extension PlaybackMachine {
  /// Shows the next of the late frames as soon as the one before has had half its time. Returns whether the
  /// frame due is shown.
  private mutating func catchUp(
    to due: Int64, after last: Int64, most: Int, at now: PlaybackInstant, isThere: IsThere,
    into outcome: inout Outcome
  ) -> Bool {
    let steps = Int64(timeline.stepCount)
    // A pause shows what is due at once.
    var next = isTimeRunning ? max(last + 1, due.addingClamped(-Int64(max(0, most)))) : due
    // Frames without a time of their own are never seen.
    while next < due, timeline.duration(ofStep: Int(next % steps)) == 0 { next += 1 }
    outcome.playhead = frame(at: next)
    if isTimeRunning, let pace = shown?.standsUntil, now < pace { return false }
    guard isThere(frame(at: next), true) else {
      shortage.isWaiting = true
      return false
    }
    show(next, after: last, at: now, into: &outcome)
    let isLate = next < due || timeline.position(at: mediaTime(at: now))?.isFinished == true
    if isLate, isTimeRunning {
      let half = Double(timeline.duration(ofStep: Int(next % steps))) / speed / 2
      shown?.standsUntil = now.advanced(byNanoseconds: Int64(clamping: half))
    }
    return next == due
  }

  /// Where no frame may be skipped, stops the time at one that is missing, or that would be.
  ///
  /// At an even pace it stops at one that is later than the margin, too: each has its time, also the last one
  /// before the end.
  mutating func wait(at now: PlaybackInstant, isThere: IsThere, into outcome: inout Outcome) {
    guard let last = shownStep, let next = owedFrame(at: now), let due = position(at: now) else { return }
    let dueAt = instant(ofMedia: next.start)
    guard absoluteStep(next) < absoluteStep(due) || isTooLate(dueAt, at: now) || !isThere(due.frame, true)
    else { return }
    var pending = Pending(cause: .appear, dueAt: now)
    if !isAppearing {
      pending = Pending(
        cause: next.loop > loop(of: last) ? .loop : .play, dueAt: dueAt,
        skipped: Int(absoluteStep(next) - last - 1))
    }
    course = .standing(Standing(time: next.start, place: next, pending: pending))
    reportLoops(next, isOver: false, before: outcome.events.count, into: &outcome)
  }

  /// Whether a frame would take its lateness from its time. Not in a group, which has one time.
  private func isTooLate(_ dueAt: PlaybackInstant?, at now: PlaybackInstant) -> Bool {
    guard case .paced = motionLimit, membership == .none, let dueAt else { return false }
    return now.nanoseconds(since: dueAt) > MotionLimit.latenessMargin
  }

  /// The frame after the one shown last, once its time has come, where no frame may be skipped.
  func owedFrame(at now: PlaybackInstant) -> Timeline.Position? {
    guard latePolicy == .wait, isTimeRunning, let last = shownStep, let due = position(at: now),
      absoluteStep(due) > last
    else { return nil }
    let next = timeline.position(at: start(ofStep: last + 1))
    return next.flatMap { !$0.isFinished && absoluteStep($0) > last ? $0 : nil }
  }
}
