internal import GIFDecoding

// A tick: frames to show, loops and ends to report, and when the next tick is due.

extension PlaybackMachine {
  /// The outcome of a tick.
  package struct Outcome: Sendable, Equatable {
    /// What to report, in order.
    package var events: [PlaybackEvent] = []
    /// When the next tick is due at the latest; nil for not before a command or an arrival.
    package var wakeAt: PlaybackInstant?
    /// The frame to have next: the one that is due and missing, or the one shown.
    package var playhead: Int
    /// Whether the way back of a bounce has begun.
    package var isReturning = false
    /// The one frame that is wanted, if those after it are not.
    package var onlyFrame: Int?
  }

  /// Whether a frame can be shown now. `isDue` is false for a frame that would stand in for the one that is
  /// due.
  package typealias IsThere = (_ frame: Int, _ isDue: Bool) -> Bool

  /// How many loops of one gap are reported at most.
  private static let loopsReportedAtOnce = 64

  /// Shows what is due and reports what is over.
  package mutating func advance(at now: PlaybackInstant, isThere: IsThere) -> Outcome {
    var outcome = Outcome(playhead: 0)
    resumeAfterSuspension(at: now)
    shortage = Shortage()
    switch visibility {
    case .visible: tick(at: now, isThere: isThere, into: &outcome)
    case .near: point(at: now, in: &outcome)
    case .hidden: break
    }
    if case .running(let clock, _) = course { course = .running(clock, nextTick: outcome.wakeAt) }
    return outcome
  }

  private mutating func tick(at now: PlaybackInstant, isThere: IsThere, into outcome: inout Outcome) {
    if motionLimit == .frozen { return point(at: now, in: &outcome) }
    wait(at: now, isThere: isThere, into: &outcome)
    if case .standing(let standing) = course {
      if let poster = standing.poster { return show(poster: poster, isThere: isThere, into: &outcome) }
      guard showPending(at: now, isThere: isThere, into: &outcome) else { return }
    }
    guard let position = position(at: now) else { return }
    endFormerStride(at: position)
    point(to: position, in: &outcome)
    // A pause may come a moment after a deadline, and a frame that was due before it may arrive during it.
    guard state == .playing || (state == .paused && !timeline.isStill) else { return }
    if position.nextChange != nil, !timeline.isStill {
      outcome.wakeAt = instant(ofMedia: nextDue(after: position).time)
    }
    shortage.awaitsFrames = position.awaitsFrames
    let mark = outcome.events.count
    let isShown = showDue(position, at: now, isThere: isThere, into: &outcome)
    var isPaced = false
    if let pace = shown?.standsUntil, now < pace {
      // A tick before the last frame has had its time needs another one for the end.
      outcome.wakeAt = min(outcome.wakeAt ?? pace, pace)
      isPaced = true
    }
    let isOver = isShown && !isPaced && (position.isFinished || timeline.isStill)
    if !timeline.isStill { reportLoops(position, isOver: isOver, before: mark, into: &outcome) }
    // Nothing ever changes in a still image: browsers set no timer either.
    if isOver, state == .playing { finish(into: &outcome) }
  }

  private mutating func finish(into outcome: inout Outcome) {
    stand(at: timeline.totalNanoseconds ?? 0)
    phase = .idle(.finished)
    outcome.events.append(.finished)
  }

  /// Reports a loop before the next one's first frame, in a long gap after those before it, and the last one
  /// after its last frame.
  mutating func reportLoops(
    _ position: Timeline.Position, isOver: Bool, before mark: Int, into outcome: inout Outcome
  ) {
    var completed = position.loop + (position.isFinished ? 1 : 0)
    if case .catchUp = latePolicy {
      // Late frames are still in their loop.
      completed = isOver ? completed : min(position.loop, loop(of: shownStep ?? 0))
    }
    guard completed > loopsReported else { return }
    let first = max(loopsReported + 1, completed - Self.loopsReportedAtOnce + 1)
    loopsReported = completed
    let reports = (first...completed).map { count in
      var remaining: Int?
      if case .plays(let plays) = timeline.loopCount { remaining = plays - count }
      return (count, PlaybackEvent.loopCompleted(count: count, remaining: remaining))
    }
    outcome.events.insert(contentsOf: reports.filter { $0.0 <= position.loop }.map { $0.1 }, at: mark)
    outcome.events += reports.filter { $0.0 > position.loop }.map { $0.1 }
  }
}

// MARK: - For the cache

extension PlaybackMachine {
  /// Where the cache should stand.
  func point(to position: Timeline.Position, in outcome: inout Outcome) {
    outcome.playhead = position.frame
    outcome.isReturning = position.step >= timeline.range.count
    if stride > 1 { outcome.onlyFrame = timeline.order[nextDue(after: position).step % timeline.stepCount] }
  }

  /// Where the cache should stand for a player that is about to be seen.
  private func point(at now: PlaybackInstant, in outcome: inout Outcome) {
    if let place = position(at: now) { point(to: place, in: &outcome) }
    if let poster = standing?.poster { outcome.onlyFrame = poster }
  }

  /// Where the cache should look ahead from; nil if nothing is wanted, as by a hidden player.
  package func playhead(_ outcome: Outcome) -> Playhead? {
    guard visibility != .hidden else { return nil }
    // A frame out of order, or one of several, is wanted alone.
    if let only = outcome.onlyFrame {
      return Playhead(frame: only, range: only..<only + 1, visibility: visibility)
    }
    guard timeline.stepCount > 0 else { return nil }
    let direction: Playhead.Direction =
      switch timeline.mode {
      case .forward: .forward
      case .reverse: .reverse
      case .bounce: .bounce(isReturning: outcome.isReturning)
      }
    var playhead = Playhead(
      frame: outcome.playhead, direction: direction, range: timeline.range,
      nextDue: outcome.wakeAt?.nanoseconds, rate: rate, visibility: visibility)
    playhead.isFinished = state == .finished && pending == nil
    return playhead
  }
}
