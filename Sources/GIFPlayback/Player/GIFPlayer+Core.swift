internal import EngineSupport
internal import GIFCaching
internal import GIFDecoding
internal import GIFTimeline
internal import Synchronization

// The machinery of a player: what its lock protects, and how commands, deadlines and arrivals become events.

extension GIFPlayer {
  /// What a player's lock protects.
  struct Core {
    var image: GIFImage
    var options: Options
    var machine: PlaybackMachine
    var shown: Frame?
    var failure: GIFError?
    var listeners = Listeners<PlayerEvent>()
    /// What ends the streams handed out.
    var endings = Listeners<Void>()
    /// Events told in order by whoever comes first; the others leave theirs here.
    var outbox: [PlayerEvent] = []
    var isDelivering = false
    var requests = 0
    /// Since when the picture is missing that playing begins with.
    var beginsSince: PlaybackInstant?
    /// The newest instant that was looked at; time never runs back, whoever gives it.
    var lastLook = PlaybackInstant(nanoseconds: .min)
    var toldState = PlaybackState.stopped
    var toldBuffering: BufferingChange.Reason?
    /// For a group that lets the time run: called when only that is missing.
    var onReady: (@Sendable () -> Void)?
    var meter = FrameRateMeter()
    /// Pictures that were due since the load was told last.
    var load = LoadShedder.Sample()

    /// Where the cache should look ahead from.
    ///
    /// Time begins to run with the first picture, so that one may be made to wait, but a picture that playing needs may
    /// not: what begins is due as long after it was asked for as all other pictures are asked for before they are due.
    /// Many that begin at once then do not make those late that play already. What somebody has sought comes first.
    mutating func playhead(_ outcome: PlaybackMachine.Outcome, at now: PlaybackInstant) -> Playhead? {
      let pending = machine.state == .playing && machine.isWaiting ? machine.pending : nil
      let begins = pending?.dueAt == nil && (pending?.cause == .play || pending?.cause == .restart)
      beginsSince = begins ? beginsSince ?? now : nil
      var playhead = machine.playhead(outcome)
      playhead?.frameDue =
        (pending?.dueAt ?? beginsSince.map { $0 + options.cachePolicy.readAhead })?.nanoseconds
      return playhead
    }

    /// Whom to call, if it is the group's turn now.
    var readyHandler: (@Sendable () -> Void)? {
      let isReady =
        failure != nil || (machine.isHeldBack && machine.isReadyForGroup && machine.state == .playing)
      return isReady ? onReady : nil
    }

    /// Counts a picture that was shown because its time had come.
    mutating func count(_ shown: PlaybackMachine.Shown, at now: PlaybackInstant) {
      guard shown.cause == .play || shown.cause == .loop else { return meter.restart() }
      meter.note(skipped: shown.skipped, at: now)
      // Those left out on purpose were not due.
      let passedOver = shown.skipped / machine.stride
      load.due += 1 + passedOver
      load.missed += passedOver + (shown.lateness > LoadGovernor.latenessLimit ? 1 : 0)
    }

    mutating func takeLoad() -> LoadShedder.Sample {
      defer { load = LoadShedder.Sample() }
      return load
    }

    init(image: GIFImage, options: Options) {
      self.image = image
      self.options = options
      machine = PlaybackMachine(
        timeline: Self.timeline(image, options), rate: options.rate,
        rules: PlaybackRules(latePolicy: options.latePolicy, suspensionPolicy: options.suspensionPolicy))
      machine.reducedMotion = options.reducedMotion
    }

    var state: PlaybackState { failure == nil ? machine.state : .failed }

    func makeTimeline() -> Timeline { Self.timeline(image, options) }

    private static func timeline(_ image: GIFImage, _ options: Options) -> Timeline {
      let frames = image.frames.prefix(completeFrames(image, options))
      // The last loop count in the file wins, and that may come after the last frame.
      let loopCount = options.isComplete ? image.loopCount : .forever
      return Timeline(
        delays: frames.map { $0.delayMilliseconds(options.delayPolicy) },
        loopCount: options.loopCount ?? loopCount,
        mode: options.mode, range: options.range, isComplete: options.isComplete)
    }

    /// Frames that will not change any more.
    var completeFrameCount: Int { Self.completeFrames(image, options) }

    private static func completeFrames(_ image: GIFImage, _ options: Options) -> Int {
      let isCut = !options.isComplete && image.frames.last?.isTruncated == true
      return image.frameCount - (isCut ? 1 : 0)
    }

    /// Takes more of the image. Returns whether there is more to see in it.
    mutating func take(_ new: GIFImage, isComplete: Bool) -> Bool {
      options.isComplete = isComplete
      guard new.frameCount >= image.frameCount else { return false }
      let isNew =
        new.frameCount > image.frameCount || new.frames.last != image.frames.last
      image = new
      return isNew
    }
  }

  /// Carries out a command, then everything that is due.
  func update(
    at instant: PlaybackInstant? = nil, isOnEngineThread: Bool = false,
    _ command: ((inout Core, PlaybackInstant) -> Void)? = nil
  ) {
    let effects = core.withLock { core -> Effects? in
      guard core.failure == nil else { return nil }
      let now = max(instant ?? clock.now, core.lastLook)
      core.lastLook = now
      if let command {
        // What was due before the command is told first, and by the rules that held until now.
        _ = advance(&core, at: now)
        command(&core, now)
        noteState(&core)
      }
      // A player that was never asked to do anything decodes nothing.
      guard core.machine.isActive else {
        noteBuffering(&core)
        clock.schedule(registration, at: nil)
        return nil
      }
      let outcome = advance(&core, at: now)
      noteBuffering(&core)
      // Under the lock, so that an older deadline cannot overtake a newer one.
      clock.schedule(registration, at: outcome.wakeAt)
      core.requests += 1
      return Effects(
        playhead: core.playhead(outcome, at: now), request: core.requests,
        load: core.takeLoad(), now: now, onReady: core.readyHandler)
    }
    if let effects {
      if let playhead = effects.playhead { source.move(to: playhead, request: effects.request) }
      if effects.load.due > 0 { clock.governor.note(effects.load, at: effects.now) }
    }
    deliver(isOnEngineThread: isOnEngineThread)
    effects?.onReady?()
  }

  /// What is to be done after a look, without the lock.
  private struct Effects {
    let playhead: Playhead?
    let request: Int
    let load: LoadShedder.Sample
    let now: PlaybackInstant
    let onReady: (@Sendable () -> Void)?
  }

  /// Shows and tells what is due.
  private func advance(_ core: inout Core, at now: PlaybackInstant) -> PlaybackMachine.Outcome {
    var pictures: [Int: Frame] = [:]
    let outcome = core.machine.advance(at: now) { index, isDue in
      guard pictures[index] == nil else { return true }
      guard let frame = isDue ? source.picture(index) : source.peek(index) else { return false }
      pictures[index] = frame
      return true
    }
    for action in outcome.actions {
      core.outbox.append(event(for: action, pictures: pictures, core: &core, now: now))
    }
    // An end that was told has its state told, too, though a command may follow at the same instant.
    noteState(&core)
    return outcome
  }

  func pictureArrived(_ arrival: Result<Int, GIFError>) {
    switch arrival {
    case .success:
      // Most pictures are decoded ahead of their time, and nobody waits for them.
      if core.withLock({ $0.machine.isWaiting }) { update(isOnEngineThread: true) }
    case .failure(let error):
      core.withLock { core in
        guard core.failure == nil else { return }
        core.failure = error
        core.outbox.append(.failed(error))
        noteState(&core)
        noteBuffering(&core)
        clock.schedule(registration, at: nil)
      }
      deliver(isOnEngineThread: true)
      core.withLock { $0.readyHandler }?()
    }
  }

  /// Tells of a state that is another than the one told last.
  private func noteState(_ core: inout Core) {
    let state = core.state
    if state != core.toldState {
      core.toldState = state
      core.outbox.append(.stateChanged(StateChange(target: id, state: state)))
    }
  }

  /// Tells of a wait that has begun or ended. A wait that a command ends at the instant at which it begins is none.
  private func noteBuffering(_ core: inout Core) {
    let reason = core.failure == nil ? core.machine.bufferingReason : nil
    if reason != core.toldBuffering {
      core.toldBuffering = reason
      core.outbox.append(
        .buffering(
          BufferingChange(
            target: id, reason: reason, frameCount: core.image.frameCount,
            isComplete: core.options.isComplete)))
    }
  }

  private func event(
    for action: PlaybackMachine.Action, pictures: [Int: Frame], core: inout Core, now: PlaybackInstant
  ) -> PlayerEvent {
    switch action {
    case .finished: return .finished(id)
    case .loopCompleted(let count, let remaining):
      return .loopCompleted(LoopCompletion(target: id, count: count, remaining: remaining))
    case .show(let shown):
      guard let frame = pictures[shown.frame] else {
        preconditionFailure("a picture is shown that was not there")
      }
      let changed = changedRect(from: core.shown, to: frame, of: core.image)
      core.shown = frame
      core.count(shown, at: now)
      return .frameChange(
        FrameChange(
          target: id, currentFrameIndex: frame.index, frameCount: core.image.frameCount,
          isComplete: core.options.isComplete, loop: shown.loop,
          scheduledAt: now.advanced(byNanoseconds: -shown.lateness), shownAt: now,
          mediaTime: .nanoseconds(shown.mediaTime), lateness: .nanoseconds(shown.lateness),
          skippedFrames: shown.skipped, cause: shown.cause, changedRect: changed, frame: frame))
    }
  }

  /// What changes between two pictures: the sum of all steps from one to the other, the whole canvas backwards.
  private func changedRect(from old: Frame?, to new: Frame, of image: GIFImage) -> PixelRect {
    let canvas = PixelRect(x: 0, y: 0, width: new.pixels.width, height: new.pixels.height)
    guard let old, old.index < new.index, old.status == .complete else { return canvas }
    // Far jumps change most of the picture, and counting them out costs more than it saves.
    guard new.index - old.index <= 16 else { return canvas }
    let between = (old.index + 1..<new.index).reduce(PixelRect.empty) { $0.union(image.changedRect(of: $1)) }
    let scaled = between.scaled(
      fromWidth: image.width, height: image.height, toWidth: canvas.width, height: canvas.height)
    return new.changedRect.union(scaled)
  }
}
