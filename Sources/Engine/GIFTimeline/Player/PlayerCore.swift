package import GIFDecoding

/// The decisions of a player as a value: what to report, when to tick again, which frames to have.
///
/// It takes commands, instants and which frames are there, and returns actions. The caller holds the frames
/// and the lock, if it has threads, and carries the actions out.
package struct PlayerCore: Sendable {
  /// Changes through its commands only, within ``perform(at:isThere:command:)``.
  package var machine: PlaybackMachine
  /// The animation, or as much of it as has been loaded.
  package private(set) var animation: Animation
  package private(set) var schedule: PlayerSchedule
  /// Why no frame can be made; a player that has failed does nothing more.
  package private(set) var error: GIFError?
  /// The newest instant of a tick. Time never runs back, although threads may bring their instants out of
  /// order.
  package private(set) var lastTick = PlaybackInstant(nanoseconds: .min)

  /// The frame shown last; nil before the first one.
  package private(set) var shownFrame: Int?
  /// Whether the caller may release the picture of the frame shown last.
  package private(set) var isPictureReleased = false

  /// Where the data of the frame shown last ended then, if not all of it had come.
  private var partShown: Int?
  /// Whether frame 0 is shown, or is to be, until the one with which playback begins has come.
  private var hasStandIn = false

  /// Nanoseconds before it is due that a frame is asked for.
  private let readAhead: Int64
  /// Since when the frame is missing with which playback begins.
  private var beginsSince: PlaybackInstant?
  private var requests = 0
  /// Where the cache was sent last; nil before the first request.
  private var sentPlayhead: Playhead?
  private var reportedState = PlaybackState.stopped
  private var reportedReason: BufferingReason?
  private var load = PlayerLoad()

  package init(
    animation: Animation, schedule: PlayerSchedule, rate: Double, rules: PlaybackRules,
    reducedMotion: ReducedMotion, readAhead: Int64
  ) {
    var schedule = schedule
    schedule.clipRange(to: animation)
    self.animation = animation
    self.schedule = schedule
    self.readAhead = readAhead
    machine = PlaybackMachine(
      timeline: schedule.timeline(of: animation), rate: rate, rules: rules, reducedMotion: reducedMotion)
  }

  // MARK: Ticks

  /// Does everything that is due. Returns nil after a failure.
  package mutating func tick(at instant: PlaybackInstant, isThere: PlaybackMachine.IsThere) -> Actions? {
    guard error == nil else { return nil }
    var actions = Actions(at: max(instant, lastTick))
    lastTick = actions.now
    complete(&actions, isThere: isThere)
    return actions
  }

  /// Carries out a command, then everything that is due. Returns nil after a failure.
  package mutating func perform(
    at instant: PlaybackInstant, isThere: PlaybackMachine.IsThere,
    command: (inout PlayerCore, PlaybackInstant) -> Void
  ) -> Actions? {
    guard error == nil else { return nil }
    var actions = Actions(at: max(instant, lastTick))
    lastTick = actions.now
    // What was due before the command is reported first, and by the rules that held until now.
    _ = advance(&actions, isThere: isThere)
    command(&self, actions.now)
    // There will never be a frame to show.
    if schedule.isComplete, animation.frames.isEmpty {
      let before = actions.events
      guard var failure = fail(GIFError(.noFrames)) else { return actions }
      failure.events = before + failure.events
      return failure
    }
    reportState(in: &actions)
    complete(&actions, isThere: isThere)
    return actions
  }

  /// Takes the reason why no frame can be made. Returns nil if there was one before.
  package mutating func fail(_ error: GIFError) -> Actions? {
    guard self.error == nil else { return nil }
    self.error = error
    var actions = Actions(at: lastTick)
    actions.events.append(.failed(error))
    reportState(in: &actions)
    reportBuffering(in: &actions)
    actions.isReadyForGroup = true
    return actions
  }

  private mutating func complete(_ actions: inout Actions, isThere: PlaybackMachine.IsThere) {
    // A player without a command so far decodes nothing.
    guard machine.isActive || isVisibilityUnsent else { return reportBuffering(in: &actions) }
    let outcome = advance(&actions, isThere: isThere)
    reportBuffering(in: &actions)
    actions.wakeAt = outcome.wakeAt
    requests += 1
    actions.request = requests
    actions.playhead = playhead(outcome, at: actions.now)
    actions.load = load.take()
    actions.isReadyForGroup = machine.isHeldBack && machine.isReadyForGroup && machine.state == .playing
  }

  /// Shows and reports what is due.
  private mutating func advance(
    _ actions: inout Actions, isThere: PlaybackMachine.IsThere
  ) -> PlaybackMachine.Outcome {
    let (wasWaiting, stride) = (machine.isWaiting, machine.stride)
    let outcome = machine.advance(at: actions.now, isThere: isThere)
    let awaitedDecoding = wasWaiting || machine.isWaiting
    for case .shown(let shown) in outcome.events {
      load.count(shown, stride: stride, awaitedDecoding: awaitedDecoding, at: actions.now)
      note(shown)
    }
    actions.events += outcome.events
    // The state after an end is reported although a command may follow at the same instant.
    reportState(in: &actions)
    return outcome
  }

  private mutating func note(_ shown: ShownFrame) {
    shownFrame = shown.frame
    isPictureReleased = false
    partShown = nil
    guard !schedule.isComplete, animation.frames.indices.contains(shown.frame) else { return }
    let frame = animation.frames[shown.frame]
    if frame.isTruncated { partShown = frame.data.upperBound }
  }

  // MARK: State, waits and load

  /// Whether another frame is to be shown than the one that is seen.
  package func isJumping(at now: PlaybackInstant) -> Bool {
    machine.pending != nil || machine.position(at: now)?.frame != shownFrame
  }

  package var state: PlaybackState { error == nil ? machine.state : .failed }

  /// Frames a second over about the last second of playing; nil before there was one.
  package var frameRate: FrameRate? { load.frameRate }

  private mutating func reportState(in actions: inout Actions) {
    guard state != reportedState else { return }
    reportedState = state
    actions.events.append(.stateChanged(state))
  }

  /// Reports a wait that has begun or ended. A wait of zero length, which a command ends at once, is not
  /// reported.
  private mutating func reportBuffering(in actions: inout Actions) {
    let reason = error == nil ? machine.bufferingReason : nil
    guard reason != reportedReason else { return }
    reportedReason = reason
    actions.events.append(.buffering(reason))
  }

  /// Whether the cache serves the player as one that is seen otherwise than it is.
  private var isVisibilityUnsent: Bool {
    sentPlayhead.map { $0.visibility != machine.visibility } ?? false
  }

  /// Where the cache should look ahead from; nil to leave it where it is. A player that hides stays there.
  ///
  /// Time starts with the first frame, so that one may wait for the frames of running players: it is due as
  /// long after the command as all other frames are asked for before they are due. Many players that begin at
  /// once then delay none that plays already. The target of a seek comes first.
  private mutating func playhead(_ outcome: PlaybackMachine.Outcome, at now: PlaybackInstant) -> Playhead? {
    let pending = machine.state == .playing && machine.isWaiting ? machine.pending : nil
    let begins = pending?.dueAt == nil && (pending?.cause == .play || pending?.cause == .restart)
    beginsSince = begins ? beginsSince ?? now : nil
    if machine.visibility == .hidden {
      guard isVisibilityUnsent else { return nil }
      sentPlayhead?.visibility = .hidden
      sentPlayhead?.nextDue = nil
      return sentPlayhead
    }
    guard var playhead = machine.playhead(outcome) else { return nil }
    playhead.frameDue =
      (pending?.dueAt ?? beginsSince.map { $0.advanced(byNanoseconds: readAhead) })?.nanoseconds
    sentPlayhead = playhead
    return playhead
  }
}

// MARK: - Commands that concern more than the machine

extension PlayerCore {
  /// Sets whether the user sees the frames. A hidden player holds no picture; one that becomes visible shows
  /// its frame.
  package mutating func setVisibility(_ visibility: Visibility, at now: PlaybackInstant) {
    if visibility == .visible, machine.visibility != .visible { load.appear(at: now) }
    machine.setVisibility(visibility, lastFrame: shownFrame, at: now)
    if visibility == .hidden, shownFrame != nil { isPictureReleased = true }
  }

  /// Plays in another order.
  package mutating func setMode(_ mode: PlaybackMode, at now: PlaybackInstant) {
    schedule.mode = mode
    machine.setTimeline(schedule.timeline(of: animation), at: now)
  }

  /// Plays other frames; nil for all.
  ///
  /// - Returns: false, and nothing changes, for a range without a frame of the animation.
  @discardableResult
  package mutating func setRange(_ range: Range<Int>?, at now: PlaybackInstant) -> Bool {
    guard schedule.setRange(range, of: animation) else { return false }
    machine.setTimeline(schedule.timeline(of: animation), at: now)
    return true
  }

  /// Shows a frame without playing; nil for the first one played, as soon as that has come.
  ///
  /// - Returns: false, and nothing changes, for a frame that is not there.
  package mutating func showPoster(_ frame: Int?) -> Bool {
    if let frame {
      guard animation.frames.indices.contains(frame) else { return false }
      hasStandIn = false
      machine.showPoster(frame)
    } else {
      let first = machine.timeline.order.first
      guard first != nil || !schedule.isComplete else { return false }
      hasStandIn = first == nil
      machine.showPoster(first ?? 0)
    }
    return true
  }

  /// Takes more of an animation that is not complete. Returns whether the cache is to take it, too.
  ///
  /// What plays goes on; what waited for the source plays on once there is enough. What was paused stands
  /// where it is. What is stopped shows its poster once that is there, and shows what came in part again
  /// until it is whole; before any frame was whole it shows the first as far as it has come.
  package mutating func grow(to new: Animation, isComplete: Bool, at now: PlaybackInstant) -> Bool {
    guard !schedule.isComplete else { return false }
    schedule.isComplete = isComplete
    let isNew =
      new.frameCount > animation.frameCount
      || (new.frameCount == animation.frameCount && new.replacedFrame(since: animation) != nil)
    if new.frameCount >= animation.frameCount { animation = new }
    // Most pieces of a large frame change nothing.
    guard isNew || isComplete else { return false }
    schedule.clipRange(to: animation)
    let (wanted, showsNothing) = (machine.poster, !machine.isActive && shownFrame == nil)
    machine.grow(to: schedule.timeline(of: animation), at: now)
    if !showsNothing { showAgain(wanted) }
    return isNew || isComplete
  }

  /// Shows what was to be shown, or was shown in part, where no time runs that shows it anyway.
  ///
  /// - Parameter wanted: the poster that was not there yet.
  private mutating func showAgain(_ wanted: Int?) {
    guard schedule.completeFrameCount(of: animation) > 0 else {
      // The first frame shows as far as it has come.
      hasStandIn = true
      return machine.showPoster(0)
    }
    if hasStandIn, let first = machine.timeline.order.first {
      hasStandIn = false
      return machine.showPoster(first)
    }
    if let wanted { return machine.showPoster(wanted) }
    guard let partShown, let shownFrame else { return }
    let frame = animation.frames[shownFrame]
    if !frame.isTruncated || frame.data.upperBound != partShown { machine.showPoster(shownFrame) }
  }

  /// Takes a saved place and state. A frame that is not played means the start of the loop.
  ///
  /// - Parameter offset: nanoseconds of the frame's time that were over.
  package mutating func restore(
    frame: Int, isReturning: Bool, loop: Int, offset: Int64, mode: PlaybackMode, range: Range<Int>?,
    rate: Double, state: PlaybackState
  ) {
    schedule.mode = mode
    schedule.range = range
    schedule.clipRange(to: animation)
    let timeline = schedule.timeline(of: animation)
    let step = timeline.step(showing: frame, isReturning: isReturning)
    machine.restore(
      timeline, at: timeline.position(ofStep: step ?? 0, loop: loop, offset: step == nil ? 0 : offset),
      rate: rate, state: state)
  }
}

// MARK: - In a group

extension PlayerCore {
  /// Whether the group need not wait for this player: it shows its frame, or has none to show.
  package var isReadyForGroup: Bool { error != nil || machine.isReadyForGroup }

  /// Whether all plays are over; nil if there is nothing to play.
  package var isOver: Bool? { error == nil && machine.canShow ? machine.state == .finished : nil }

  /// Starts the time of a member that is held back and ready.
  ///
  /// - Parameter instant: when the group is where the member stands; nil if it is not to start.
  /// - Returns: whether time has been started.
  package mutating func startInGroup(_ instant: (_ media: Int64) -> PlaybackInstant?) -> Bool {
    guard error == nil, machine.isHeldBack, machine.isReadyForGroup,
      let start = instant(machine.mediaTime(at: lastTick))
    else { return false }
    machine.startInGroup(at: start)
    return true
  }
}
