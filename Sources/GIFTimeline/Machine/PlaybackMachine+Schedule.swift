// How a machine takes another schedule: another mode or range, more frames, a state that was kept.

extension PlaybackMachine {
  /// Takes another mode or range. The picture, its time and the loop stay where the new schedule has them;
  /// otherwise the loop begins anew.
  package mutating func setTimeline(_ new: Timeline, at now: PlaybackInstant) {
    let old = timeline
    let place = position(at: now)
    halt(at: now)
    timeline = new
    paceEnds = nil
    guard new.stepCount > 0 else { return loseSchedule() }
    guard let place else { return }
    switch state {
    case .stopped:
      // What was shown counts as the first picture only if it still is.
      if pending == nil, place.frame != new.position(at: 0)?.frame { shownStep = nil }
      held = nil
    case .finished:
      clock.set(to: new.totalDuration ?? 0)
      held = nil
    case .failed: break
    case .playing, .paused:
      let isReturning = old.isReturning(atStep: place.step)
      guard let step = new.step(showing: place.frame, isReturning: isReturning),
        let moved = new.position(ofStep: step, loop: place.loop, offset: place.offset)
      else { return jump(to: new.position(ofStep: 0, loop: place.loop), cause: .seek) }
      let wasShown = shownStep == Int64(place.loop) * Int64(old.stepCount) + Int64(place.step)
      clock.set(to: moved.time)
      held = moved
      // What was due and missing still is.
      if shownStep != nil { shownStep = absoluteStep(moved) - (wasShown ? 0 : 1) }
      letRun(from: now)
    }
  }

  /// Takes a schedule that goes on where the present one ends, or, where that had nothing to show, begins.
  package mutating func grow(to new: Timeline, at now: PlaybackInstant) {
    let place = position(at: now)
    // Time goes on from where the frames ended, not from where it would be by now.
    if place?.awaitsFrames == true { halt(at: now) }
    timeline = new
    guard new.stepCount > 0 else { return loseSchedule() }
    if let place, !clock.isRunning {
      if place.awaitsFrames { letRun(from: now) }
      // Whoever does not play stays where he is, at the end of the last picture.
      let stays = !clock.isRunning
      held = stays ? new.position(ofStep: place.step, loop: place.loop, offset: place.offset) : nil
    } else if place == nil, new.stepCount > 0 {
      clock.set(to: 0)
      (held, poster) = (nil, nil)
      if state == .stopped { shownStep = nil } else if pending == nil { pending = Pending(cause: .play) }
    }
  }

  /// Takes a schedule, and the place and the state that were kept of it.
  package mutating func restore(
    _ timeline: Timeline, at place: Timeline.Position?, rate: Double, state: PlaybackState
  ) {
    let hasShown = shownStep != nil || pending != nil
    self.timeline = timeline
    self.rate = PlaybackRate.clamped(rate)
    guard canShow else { return loseSchedule() }
    rewind(cause: .seek)
    self.state = state
    switch state {
    case .stopped, .failed:
      self.state = .stopped
      shownStep = nil
      if !hasShown { pending = nil }
    case .playing, .paused:
      jump(to: place, cause: .seek)
    case .finished:
      guard let end = timeline.position(at: timeline.totalDuration ?? 0) else { return }
      jump(to: end, cause: .seek)
      loopsTold = end.isFinished ? end.loop + 1 : end.loop
      self.state = .finished
    }
  }

  /// What is left where nothing can be shown, as in reverse before the end is known: no place of the schedule before
  /// means anything. Whatever was begun begins anew with the first picture that can be shown.
  private mutating func loseSchedule() {
    clock.set(to: 0)
    held = nil
    shownStep = nil
    loopsTold = 0
    if state != .stopped, pending == nil { pending = Pending(cause: .seek) }
  }
}
