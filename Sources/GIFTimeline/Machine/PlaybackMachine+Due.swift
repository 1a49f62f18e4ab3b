internal import GIFDecoding

// What is due: pictures to show, loops and ends to tell, and when to look again.

extension PlaybackMachine {
  /// The outcome of a look at the time.
  package struct Outcome: Sendable, Equatable {
    package var actions: [Action] = []
    /// When to look again at the latest; nil for never, unless a command or an arrival comes.
    package var wakeAt: PlaybackInstant?
    /// The frame to have next: what is due and missing, or what is shown.
    package var playhead: Int
    /// Whether the way back of a bounce has begun.
    package var isReturning = false
    /// The one frame that is wanted, where those after it are not.
    package var onlyFrame: Int?
  }

  package typealias IsThere = (_ frame: Int, _ isDue: Bool) -> Bool

  /// Loops of one gap that are told at the most.
  package static let loopsToldAtOnce = 64

  /// Shows what is due and tells what is over.
  ///
  /// - Parameter isThere: whether a frame's picture can be shown now; it is told whether that one is due, or only
  ///   looked for in the place of the one that is.
  package mutating func advance(at now: PlaybackInstant, isThere: IsThere) -> Outcome {
    var outcome = Outcome(playhead: 0)
    resumeAfterSuspension(at: now)
    isWaiting = false
    awaitsFrames = false
    if isVisible { look(at: now, isThere: isThere, into: &outcome) }
    nextLook = outcome.wakeAt
    return outcome
  }

  private mutating func look(at now: PlaybackInstant, isThere: IsThere, into outcome: inout Outcome) {
    if let poster { return show(poster: poster, isThere: isThere, into: &outcome) }
    if rules.latePolicy == .wait { wait(at: now, isThere: isThere, into: &outcome) }
    guard showPending(at: now, isThere: isThere, into: &outcome), let position = position(at: now) else {
      return
    }
    point(to: position, in: &outcome)
    // A pause may come a moment after a deadline, and a picture that was due before it may arrive during it.
    guard state == .playing || (state == .paused && !timeline.isStill) else { return }
    if position.nextChange != nil, !timeline.isStill {
      outcome.wakeAt = instant(ofMedia: nextDue(after: position).time)
    }
    awaitsFrames = position.awaitsFrames
    let mark = outcome.actions.count
    let isShown = showDue(position, at: now, isThere: isThere, into: &outcome)
    let isPaced = paceEnds.map { now < $0 } ?? false
    // Whoever looks before the last picture has had its time must come back for the end.
    if isPaced, let paceEnds { outcome.wakeAt = min(outcome.wakeAt ?? paceEnds, paceEnds) }
    let isOver = isShown && (position.isFinished || timeline.isStill) && !isPaced
    if !timeline.isStill { tellLoops(position, isOver: isOver, before: mark, into: &outcome) }
    // Nothing will ever change in a still image: browsers set no timer either.
    if isOver, state == .playing { finish(at: now, into: &outcome) }
  }

  /// Where the cache should stand.
  private func point(to position: Timeline.Position, in outcome: inout Outcome) {
    outcome.playhead = position.frame
    outcome.isReturning = position.step >= timeline.range.count
    if stride > 1 { outcome.onlyFrame = timeline.order[nextDue(after: position).step % timeline.stepCount] }
  }

  private mutating func finish(at now: PlaybackInstant, into outcome: inout Outcome) {
    halt(at: now)
    clock.set(to: timeline.totalDuration ?? 0)
    held = nil
    state = .finished
    outcome.actions.append(.finished)
  }

  // MARK: Loops

  /// A loop ends before the next one's first picture, in a long gap after those before it, and the last one after
  /// its last picture.
  private mutating func tellLoops(
    _ position: Timeline.Position, isOver: Bool, before mark: Int, into outcome: inout Outcome
  ) {
    var completed = position.loop + (position.isFinished ? 1 : 0)
    if case .catchUp = rules.latePolicy {
      // Those that are late are still in their loop.
      completed = isOver ? completed : min(position.loop, Int((shownStep ?? 0) / Int64(timeline.stepCount)))
    }
    guard completed > loopsTold else { return }
    let first = max(loopsTold + 1, completed - Self.loopsToldAtOnce + 1)
    loopsTold = completed
    let told = (first...completed).map { count in
      var remaining: Int?
      if case .plays(let plays) = timeline.loopCount { remaining = plays - count }
      return (count, Action.loopCompleted(count: count, remaining: remaining))
    }
    outcome.actions.insert(contentsOf: told.filter { $0.0 <= position.loop }.map { $0.1 }, at: mark)
    outcome.actions += told.filter { $0.0 > position.loop }.map { $0.1 }
  }
}

// MARK: - Which picture is due

extension PlaybackMachine {
  /// Nanoseconds for which a picture may stand, on average, because those after it are left out.
  private static let longestStand = 1e9

  /// One picture of so many is shown: as many as wanted, but a GIF whose pictures follow each other slowly has little
  /// to give and would seem to have stopped. Where the late policy owes every picture, none is left out.
  package var stride: Int {
    guard rules.latePolicy == .skip else { return 1 }
    guard wantedStride > 1, timeline.loopDuration > 0 else { return wantedStride }
    let step = Double(timeline.loopDuration) / Double(timeline.stepCount) / speed
    return min(wantedStride, max(1, Int(min(Self.longestStand / step, Double(wantedStride)))))
  }

  /// The step whose picture should be seen: the present one, or the last before it that is not left out.
  private func dueStep(_ position: Timeline.Position) -> Int64 {
    let step = absoluteStep(position)
    let rests = position.nextChange == nil || isLast(position.step, loop: position.loop)
    return stride > 1 && !rests ? step - Int64(position.step % stride) : step
  }

  /// The step of the loop at which the next picture is due, and its media time; the step after the last is the
  /// next loop's first.
  private func nextDue(after position: Timeline.Position) -> (step: Int, time: Int64) {
    guard stride > 1 else { return (position.step + 1, position.nextChange ?? position.time) }
    var next = min(timeline.stepCount, (position.step / stride + 1) * stride)
    // The end rests on its last picture.
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
}

// MARK: - Showing

extension PlaybackMachine {
  private mutating func show(poster frame: Int, isThere: IsThere, into outcome: inout Outcome) {
    outcome.onlyFrame = frame
    isWaiting = !isThere(frame, true)
    guard !isWaiting else { return }
    posterShown(frame)
    outcome.actions.append(
      .show(Shown(frame: frame, loop: 0, cause: .seek, mediaTime: 0, lateness: 0, skipped: 0)))
  }

  /// Shows what starts something, and lets time run from there. Returns whether nothing keeps it.
  private mutating func showPending(
    at now: PlaybackInstant, isThere: IsThere, into outcome: inout Outcome
  ) -> Bool {
    guard let pending, let place = position(at: now) else { return pending == nil }
    point(to: place, in: &outcome)
    outcome.onlyFrame = nil
    isWaiting = !isThere(place.frame, true)
    guard !isWaiting else { return false }
    self.pending = nil
    shownStep = absoluteStep(place)
    let late = pending.dueAt.map { now.nanoseconds(since: $0) } ?? 0
    outcome.actions.append(
      .show(
        Shown(
          frame: place.frame, loop: place.loop, cause: pending.cause, mediaTime: place.start,
          lateness: max(0, late), skipped: pending.skipped)))
    letRun(from: now)
    return true
  }

  /// Shows the picture that is due or, where that is missing, the newest one since the last that is there: a slow
  /// decoder makes playback coarse, not slow. Returns whether the picture due is shown.
  private mutating func showDue(
    _ position: Timeline.Position, at now: PlaybackInstant, isThere: IsThere, into outcome: inout Outcome
  ) -> Bool {
    let due = dueStep(position)
    guard let last = shownStep, last < due else { return true }
    if case .catchUp(let most) = rules.latePolicy {
      return catchUp(to: due, after: last, most: most, at: now, isThere: isThere, into: &outcome)
    }
    let wanted = outcome.onlyFrame
    if wanted != nil { outcome.onlyFrame = frame(at: due) }
    // One loop back every picture has been looked for.
    let oldest = max(last + 1, due - Int64(timeline.stepCount) + 1)
    for candidate in Swift.stride(from: due, through: oldest, by: -1)
    where isThere(frame(at: candidate), candidate == due) {
      show(candidate, after: last, at: now, into: &outcome)
      isWaiting = candidate != due
      if !isWaiting { outcome.onlyFrame = wanted }
      return !isWaiting
    }
    isWaiting = true
    return false
  }

  private func frame(at step: Int64) -> Int { timeline.order[Int(step % Int64(timeline.stepCount))] }

  private mutating func show(
    _ step: Int64, after last: Int64, at now: PlaybackInstant, into outcome: inout Outcome
  ) {
    let steps = Int64(timeline.stepCount)
    let loop = Int(step / steps)
    let start = timeline.start(ofStep: Int(step % steps), loop: loop)
    let scheduled = instant(ofMedia: start) ?? now
    shownStep = step
    outcome.actions.append(
      .show(
        Shown(
          frame: frame(at: step), loop: loop, cause: loop > Int(last / steps) ? .loop : .play,
          mediaTime: start, lateness: max(0, now.nanoseconds(since: scheduled)),
          skipped: Int(step - last - 1))))
  }
}

// MARK: - Other policies for late pictures

extension PlaybackMachine {
  /// Shows the next of the late pictures as soon as the one before has had half its time. Returns whether the
  /// picture due is shown.
  private mutating func catchUp(
    to due: Int64, after last: Int64, most: Int, at now: PlaybackInstant, isThere: IsThere,
    into outcome: inout Outcome
  ) -> Bool {
    let steps = Int64(timeline.stepCount)
    let isRunning = clock.isRunning
    // Whoever pauses sees what is due at the pause.
    var next = isRunning ? max(last + 1, due.addingClamped(-Int64(max(0, most)))) : due
    // Pictures without a time of their own are seen by nobody.
    while next < due, timeline.duration(ofStep: Int(next % steps)) == 0 { next += 1 }
    outcome.playhead = frame(at: next)
    if isRunning, let paceEnds, now < paceEnds { return false }
    guard isThere(frame(at: next), true) else {
      isWaiting = true
      return false
    }
    show(next, after: last, at: now, into: &outcome)
    let isLate = next < due || timeline.position(at: mediaTime(at: now))?.isFinished == true
    guard isLate, isRunning else {
      paceEnds = nil
      return next == due
    }
    let half = Double(timeline.duration(ofStep: Int(next % steps))) / speed / 2
    let end = now.advanced(byNanoseconds: Int64(clamping: half))
    paceEnds = end
    outcome.wakeAt = min(outcome.wakeAt ?? end, end)
    return next == due
  }

  /// Has time wait where a picture is missing, or where one would have to be passed over.
  private mutating func wait(at now: PlaybackInstant, isThere: IsThere, into outcome: inout Outcome) {
    guard pending == nil, clock.isRunning, let last = shownStep,
      let position = timeline.position(at: mediaTime(at: now))
    else { return }
    let steps = Int64(timeline.stepCount)
    let (step, loop) = (Int(max(0, last) % steps), Int(max(0, last) / steps))
    // A step before the first: nothing of this schedule has been shown yet.
    let length = last < 0 ? 0 : timeline.duration(ofStep: step)
    let end = timeline.start(ofStep: step, loop: loop) + length
    let due = absoluteStep(position)
    guard due > last, let next = timeline.position(at: end), !next.isFinished, absoluteStep(next) > last
    else {
      return
    }
    guard due > absoluteStep(next) || !isThere(position.frame, true) else { return }
    let dueAt = instant(ofMedia: next.start)
    halt(at: now)
    clock.set(to: next.start)
    held = next
    pending = Pending(
      cause: next.loop > loop ? .loop : .play, dueAt: dueAt, skipped: Int(absoluteStep(next) - last - 1))
    tellLoops(next, isOver: false, before: outcome.actions.count, into: &outcome)
  }
}
