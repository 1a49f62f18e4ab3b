// How a machine takes another schedule: another mode or range, more frames, a saved state.

extension PlaybackMachine {
  /// Takes another mode or range. The frame, its time and the loop stay if the new schedule has them;
  /// otherwise the loop starts over.
  package mutating func setTimeline(_ new: Timeline, at now: PlaybackInstant) {
    let old = timeline
    halt(at: now)
    let place = position(at: now)
    timeline = new
    shown?.standsUntil = nil
    change { $0.awaitsSource = false }
    guard new.stepCount > 0 else { return loseSchedule() }
    guard let place else { return }
    switch state {
    case .stopped, .failed:
      // What was shown counts as the first frame only if it still is.
      if pending == nil, place.frame != new.position(at: 0)?.frame { shown = nil }
      change { $0.place = nil }
    case .finished: stand(at: new.totalNanoseconds ?? 0)
    case .playing, .paused:
      let isReturning = old.isReturning(atStep: place.step)
      guard let step = new.step(showing: place.frame, isReturning: isReturning),
        let moved = new.position(ofStep: step, loop: place.loop, offset: place.offset)
      else { return jump(to: new.position(ofStep: 0, loop: place.loop), cause: .seek) }
      let wasShown = shownStep == Int64(place.loop) * Int64(old.stepCount) + Int64(place.step)
      stand(at: moved.time, on: moved)
      // A frame that was due and missing still is.
      if shown != nil { shown = LastShown(step: absoluteStep(moved) - (wasShown ? 0 : 1)) }
      startTime(at: now)
    }
  }

  /// Takes a schedule that goes on where the present one ends or, if that had no frame, begins.
  package mutating func grow(to new: Timeline, at now: PlaybackInstant) {
    let place = position(at: now)
    // Time goes on from where the frames ended, not from where it would be by now.
    if place?.awaitsFrames == true { halt(at: now) }
    timeline = new
    guard new.stepCount > 0 else { return loseSchedule() }
    guard let place else {
      stand(at: 0)
      change { $0.poster = nil }
      if state == .stopped {
        shown = nil
      } else if pending == nil {
        change { $0.pending = Pending(cause: .play) }
      }
      return
    }
    guard let standing else { return }
    if place.awaitsFrames || standing.awaitsSource {
      let awaitsMore = !isEnough(new, from: standing.time)
      change { ($0.awaitsSource, $0.place) = (awaitsMore, nil) }
      startTime(at: now)
    }
    // A player whose time stands stays where it is, at the end of the last frame.
    change { $0.place = new.position(ofStep: place.step, loop: place.loop, offset: place.offset) }
  }

  /// Whether a wait for the source may end: all has come, or as much as the rules ask for.
  private func isEnough(_ new: Timeline, from time: Int64) -> Bool {
    new.isComplete || Double(new.loopNanoseconds - time) >= Double(rules.resumeBuffer) * speed
  }

  /// Takes a schedule, and a saved place and state of it.
  package mutating func restore(
    _ timeline: Timeline, at place: Timeline.Position?, rate: Double, state: PlaybackState
  ) {
    let hasShown = shown != nil || pending != nil
    self.timeline = timeline
    self.rate = PlaybackRate.clamped(rate)
    guard canShow else { return loseSchedule() }
    rewind(cause: .seek)
    switch state {
    case .stopped, .failed:
      phase = .idle(.stopped)
      shown = nil
      if !hasShown { change { $0.pending = nil } }
    case .playing:
      phase = .playing
      jump(to: place, cause: .seek)
    case .paused:
      phase = .idle(.paused)
      jump(to: place, cause: .seek)
    case .finished:
      if let end = timeline.position(at: timeline.totalNanoseconds ?? 0) {
        jump(to: end, cause: .seek)
        loopsReported = end.isFinished ? end.loop + 1 : end.loop
      }
      phase = .idle(.finished)
    }
  }

  /// Stands at the start of a schedule without frames, like that of reverse before the end is known: no
  /// earlier place means anything. What has begun starts over with the first frame that can be shown.
  private mutating func loseSchedule() {
    stand(at: 0)
    shown = nil
    loopsReported = 0
    if state != .stopped, pending == nil { change { $0.pending = Pending(cause: .seek) } }
  }
}
