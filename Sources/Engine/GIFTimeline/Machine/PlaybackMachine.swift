internal import GIFDecoding

/// The decisions of playback as a state machine: which frame is due, when a loop ends, when the
/// next tick is due.
///
/// Commands and ``advance(at:isThere:)`` take the time; the latter also takes which frames are there, and
/// returns what to do. What belongs to one state alone is in that state's case.
///
/// Media time stands while a frame that starts something (the first one, the target of a seek) is missing:
/// playback begins with that frame. Once time runs, a missing frame stops it only under ``LatePolicy/wait``.
package struct PlaybackMachine: Sendable {
  package let rules: PlaybackRules
  package internal(set) var timeline: Timeline
  /// What the user or the group has set; ``speed`` is what is left of it where motion is reduced or limited.
  package internal(set) var rate: Double
  package internal(set) var reducedMotion: ReducedMotion
  package internal(set) var motionLimit = MotionLimit.none
  package internal(set) var visibility = Visibility.visible
  var thinning = Thinning()

  var phase = Phase.idle(.stopped)
  var course = Course.standing(Standing())
  var membership = Membership.none
  /// The frame shown last; nil if no frame of the schedule has been shown.
  var shown: LastShown?
  /// Loops whose end was reported.
  package internal(set) var loopsReported = 0
  var shortage = Shortage()
  /// Whether the user has not seen a frame since the player became visible, and time runs.
  var isAppearing = false

  package init(
    timeline: Timeline, rate: Double = 1, rules: PlaybackRules = PlaybackRules(),
    reducedMotion: ReducedMotion = .off
  ) {
    self.timeline = timeline
    self.rate = PlaybackRate.clamped(rate)
    self.rules = rules
    self.reducedMotion = reducedMotion.clipped ?? .off
  }

  // MARK: Commands

  /// Starts, goes on after a pause, or starts over after the end. While scrubbing: goes on at its end.
  package mutating func play(at now: PlaybackInstant) {
    switch phase {
    case .playing: break
    case .scrubbing(over: let idleness, _): phase = .scrubbing(over: idleness, resumes: true)
    case .idle(let idleness):
      guard canShow else { return }
      if idleness == .finished { rewind(cause: .restart) }
      change { $0.poster = nil }
      if idleness == .stopped, pending == nil, shown == nil { change { $0.pending = Pending(cause: .play) } }
      phase = .playing
      startTime(at: now)
    }
  }

  /// Stops the time; the rest of the frame's time is kept. While scrubbing: stays paused at its end.
  package mutating func pause(at now: PlaybackInstant) {
    switch phase {
    case .idle: break
    case .scrubbing(over: let idleness, _): phase = .scrubbing(over: idleness, resumes: false)
    case .playing:
      halt(at: now)
      phase = .idle(.paused)
    }
  }

  /// Goes back to the start and shows the first frame.
  package mutating func stop(at now: PlaybackInstant) {
    guard canShow, state != .stopped else { return }
    phase = .idle(.stopped)
    rewind(cause: .seek)
  }

  /// Plays from the start.
  package mutating func restart(at now: PlaybackInstant) {
    guard canShow else { return }
    phase = .playing
    rewind(cause: .restart)
  }

  /// Shows a frame without playing: at the start, or while nothing can be played yet. The state stays
  /// `stopped`, which users see as paused, and the poster is forgotten once it was shown:
  /// `PlayerCore.grow` shows it again where it has come in part.
  package mutating func showPoster(_ frame: Int) {
    if state == .stopped || timeline.stepCount == 0 { change { $0.poster = frame } }
  }

  /// The frame that is to be shown without playing, and is not there yet.
  package var poster: Int? { standing?.poster }

  /// Goes to a frame in the present loop.
  ///
  /// - Returns: false, and nothing changes, for a frame that is not played.
  @discardableResult
  package mutating func seek(toFrame frame: Int, at now: PlaybackInstant) -> Bool {
    guard let step = timeline.step(showing: frame) else { return false }
    jump(to: timeline.position(ofStep: step, loop: seekLoop(at: now)), cause: .seek)
    return true
  }

  /// Goes to a media time, at most to the last frame.
  package mutating func seek(toMedia time: Int64, at now: PlaybackInstant) {
    jump(to: timeline.position(at: min(max(0, time), lastMoment)), cause: .seek)
  }

  /// Goes to a time within the present loop, at most to its last frame.
  package mutating func seek(inLoop time: Int64, at now: PlaybackInstant) {
    guard timeline.stepCount > 0 else { return }
    let last = max(0, timeline.loopNanoseconds - 1)
    let start = timeline.start(ofStep: 0, loop: seekLoop(at: now))
    jump(to: timeline.position(at: start.addingClamped(min(max(0, time), last))), cause: .seek)
  }

  /// The loop within which a seek stays: the present one, or the first one after the end.
  private func seekLoop(at now: PlaybackInstant) -> Int {
    state == .finished ? 0 : position(at: now)?.loop ?? 0
  }

  /// The media time since the start of the present loop; the whole loop after the end.
  package func timeInLoop(at now: PlaybackInstant) -> Int64 {
    guard let place = position(at: now) else { return 0 }
    if place.isFinished { return timeline.loopNanoseconds }
    return max(0, place.time - timeline.start(ofStep: 0, loop: place.loop))
  }

  /// Pauses and goes some steps on or back, across loops, but never before the start or past the end.
  package mutating func step(by count: Int, at now: PlaybackInstant) {
    guard let position = position(at: now), count != 0 else { return }
    let steps = Int64(timeline.stepCount)
    let target = min(lastStep, max(0, absoluteStep(position).addingClamped(Int64(count))))
    phase = .idle(.paused)
    jump(to: timeline.position(ofStep: Int(target % steps), loop: Int(target / steps)), cause: .step)
  }

  // MARK: Scrubbing

  /// Stops the time until ``endScrubbing(at:)``; seeks follow each other meanwhile.
  package mutating func beginScrubbing(at now: PlaybackInstant) {
    guard timeline.stepCount > 0 else { return }
    switch phase {
    case .scrubbing: break
    case .idle(let idleness): phase = .scrubbing(over: idleness, resumes: false)
    case .playing:
      halt(at: now)
      phase = .scrubbing(over: .paused, resumes: true)
    }
  }

  /// Plays again if playback was under way, or was asked for meanwhile.
  package mutating func endScrubbing(at now: PlaybackInstant) {
    guard case .scrubbing(over: let idleness, let resumes) = phase else { return }
    phase = .idle(idleness)
    if resumes { play(at: now) }
  }

  // MARK: Settings

  /// Sets whether the user sees the frames. Those of an unseen player are never due.
  ///
  /// A player that becomes visible shows what is to be seen, also if that was shown before: its surface may
  /// have shown something else meanwhile.
  ///
  /// - Parameter last: the frame shown last; nil before the first one.
  package mutating func setVisibility(
    _ visibility: Visibility, lastFrame last: Int? = nil, at now: PlaybackInstant
  ) {
    guard visibility != self.visibility else { return }
    self.visibility = visibility
    isAppearing = visibility == .visible && isTimeRunning
    guard visibility == .visible else { return }
    if isTimeRunning { appear(at: now) } else if let last { appear(on: last, at: now) }
  }

  /// Shows the frame that is due, also if it was shown before.
  private mutating func appear(at now: PlaybackInstant) {
    guard let place = position(at: now) else { return }
    guard latePolicy == .wait, let last = shownStep else {
      shown = LastShown(step: dueStep(place) - 1)
      return
    }
    // Otherwise the next frame is owed.
    guard last >= dueStep(place) else { return }
    // The frame is partly over: time stands within it.
    halt(at: now)
    change { $0.pending = Pending(cause: .appear, dueAt: now) }
  }

  /// Shows the frame at which time stands or, before anything is played, the frame shown last.
  private mutating func appear(on last: Int, at now: PlaybackInstant) {
    guard pending == nil, standing?.poster == nil else { return }
    let place = position(at: now)
    if place == nil || (state == .stopped && place?.frame != last) {
      change { $0.poster = last }
      isAppearing = true
    } else {
      change { $0.pending = Pending(cause: .appear) }
    }
  }

  // MARK: Places

  mutating func rewind(cause: ChangeCause) { stand(at: Standing(pending: Pending(cause: cause)), loop: 0) }

  mutating func jump(to position: Timeline.Position?, cause: ChangeCause) {
    guard let position else { return }
    stand(
      at: Standing(time: position.time, place: position, pending: Pending(cause: cause)), loop: position.loop)
    switch phase {
    case .playing: break
    case .idle: phase = .idle(.paused)
    case .scrubbing(over: _, let resumes): phase = .scrubbing(over: .paused, resumes: resumes)
    }
  }

  private mutating func stand(at standing: Standing, loop: Int) {
    course = .standing(standing)
    loopsReported = loop
    shown?.standsUntil = nil
  }

  func absoluteStep(_ position: Timeline.Position) -> Int64 {
    Int64(position.loop) * Int64(timeline.stepCount) + Int64(position.step)
  }

  /// The last media time that a seek reaches.
  var lastMoment: Int64 {
    if !timeline.isComplete { return max(0, timeline.loopNanoseconds - 1) }
    return timeline.totalNanoseconds.map { max(0, $0 - 1) } ?? .max / 4
  }

  private var lastStep: Int64 {
    timeline.position(at: timeline.totalNanoseconds ?? .max / 4).map(absoluteStep) ?? 0
  }
}
