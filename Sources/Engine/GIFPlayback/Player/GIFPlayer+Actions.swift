internal import EngineSupport
internal import GIFCaching
internal import GIFDecoding
internal import GIFFlashes
internal import GIFTimeline

// How a player carries out what its core decides: ticks and commands under the lock, their effects without
// it.

extension GIFPlayer {
  /// What a player's lock protects.
  struct Contents {
    var core: PlayerCore
    /// The image, or as much of it as has been loaded.
    var image: GIFImage
    /// Which size the frames have.
    let sizing: FrameSizing
    var flashes: FlashGuard
    var priority: PlaybackPriority
    /// The frame shown last; nil while its picture is released.
    var shown: Frame?
    var listeners = Listeners<PlayerEvent>()
    /// What ends the sequences handed out.
    var endings = Listeners<Void>()
    var outbox = Outbox<PlayerEvent>()
    /// The load of the image, for a player that loads it.
    var loading = PlayerLoad()
    /// Whether the present listeners get, or have got, the event of a failure.
    var isFailureDelivered = false
    /// Notifies the group that starts the time; not called for a player that has left it.
    var onReady: (@Sendable () -> Void)?
  }

  /// The frames that a tick found: each is asked for once.
  struct FoundFrames {
    private var first: Frame?
    private var others: [Frame] = []
    /// Those found before the image grew, which may be other ones now.
    private var stale: [Frame] = []
    private var growths = 0

    subscript(_ index: Int) -> Frame? { current(index) ?? stale.first { $0.index == index } }

    private func current(_ index: Int) -> Frame? {
      if let first, first.index == index { return first }
      return others.first { $0.index == index }
    }

    mutating func find(_ index: Int, isDue: Bool, in frames: PlayerFrames) -> Bool {
      let now = frames.growths
      if now != growths {
        stale += (first.map { [$0] } ?? []) + others
        (first, others, growths) = (nil, [], now)
      }
      if current(index) != nil { return true }
      guard let frame = isDue ? frames.frame(at: index) : frames.peek(at: index) else { return false }
      if first == nil { first = frame } else { others.append(frame) }
      return true
    }
  }

  /// Does everything that is due at an instant.
  func tick(at instant: PlaybackInstant? = nil, isOnEngineThread: Bool = false) {
    carryOut(isOnEngineThread: isOnEngineThread) { contents, found in
      let now = instant ?? clock.now
      if let end = contents.flashes.restEnd, now >= end {
        return contents.perform(at: now, isThere: { found.find($0, isDue: $1, in: frames) }) { _, _ in }
      }
      return contents.core.tick(at: now) { found.find($0, isDue: $1, in: frames) }
    }
  }

  /// Carries out a command, then everything that is due.
  func perform(isOnEngineThread: Bool = false, _ command: (inout PlayerCore, PlaybackInstant) -> Void) {
    carryOut(isOnEngineThread: isOnEngineThread) { contents, found in
      contents.perform(
        at: clock.now, isThere: { found.find($0, isDue: $1, in: frames) }, command: command)
    }
  }

  /// Takes the news of a frame that a tick missed, or of the failure of decoding.
  func take(_ arrival: Result<Int, GIFError>) {
    switch arrival {
    case .success:
      // Most frames are decoded ahead of their time, and no tick waits for them.
      if contents.withLock({ $0.core.machine.isWaiting }) { tick(isOnEngineThread: true) }
    case .failure(let error):
      carryOut(isOnEngineThread: true) { contents, _ in contents.core.fail(error) }
    }
  }

  func carryOut(
    isOnEngineThread: Bool = false, _ decide: (inout Contents, inout FoundFrames) -> PlayerCore.Actions?
  ) {
    var scheduling = PlaybackClock.Scheduling.kept
    var question: FlashQuestion?
    let (actions, onReady) = contents.withLock { contents -> (PlayerCore.Actions?, (@Sendable () -> Void)?) in
      var found = FoundFrames()
      guard let actions = decide(&contents, &found) else { return (nil, nil) }
      for event in actions.events { contents.outbox.append(contents.take(event, of: actions, found, id)) }
      contents.holdPicture(found)
      question = contents.takeFlashes()
      let wakeAt = [actions.wakeAt, contents.flashes.restEnd].compactMap { $0 }.min()
      // Under the lock, so that an older deadline cannot overtake a newer one.
      scheduling = clock.schedule(registration, at: wakeAt)
      return (actions, actions.isReadyForGroup ? contents.onReady : nil)
    }
    if let actions {
      if let playhead = actions.playhead { frames.move(to: playhead, request: actions.request) }
      if actions.load.due > 0 { clock.governor.note(actions.load, of: frames.pool, at: actions.now) }
    }
    deliver(isOnEngineThread: isOnEngineThread)
    if let question { ask(question) }
    onReady?()
    switch scheduling {
    case .kept: break
    case .passed:
      // Once a tick has moved the time, so that this comes to an end.
      if let actions, clock.now > actions.now { tick(isOnEngineThread: isOnEngineThread) }
    case .refused:
      carryOut(isOnEngineThread: isOnEngineThread) { contents, _ in contents.core.fail(GIFError(.noThread)) }
    }
  }
}

extension GIFPlayer.Contents {
  /// Releases the picture of a hidden player, or takes it back if the store still has it.
  fileprivate mutating func holdPicture(_ found: GIFPlayer.FoundFrames) {
    if core.isPictureReleased {
      shown = nil
    } else if shown == nil {
      shown = core.shownFrame.flatMap { found[$0] }
    }
  }

  /// Makes what listeners get of an event, and keeps the frame that it shows.
  fileprivate mutating func take(
    _ event: PlaybackEvent, of actions: PlayerCore.Actions, _ found: GIFPlayer.FoundFrames,
    _ id: GIFPlayer.ID
  ) -> PlayerEvent {
    switch event {
    case .finished: return .finished(id)
    case .loopCompleted(let count, let remaining):
      return .loopCompleted(LoopCompletion(target: id, count: count, remaining: remaining))
    case .stateChanged(let state): return .stateChanged(state)
    case .buffering(let reason):
      return .buffering(
        BufferingChange(
          reason: reason, frameCount: core.animation.frameCount, isComplete: core.schedule.isComplete))
    case .failed(let error): return .failed(error)
    case .shown(let shown):
      guard let frame = found[shown.frame] else {
        preconditionFailure("the tick found the frame that it shows")
      }
      defer { self.shown = frame }
      flashes.noteChange(at: actions.now)
      return .frameChange(
        FrameChange(
          target: id, frame: frame, changedRect: changedRect(to: frame, shown.cause),
          frameCount: core.animation.frameCount, isComplete: core.schedule.isComplete, loop: shown.loop,
          cause: shown.cause, mediaTime: .nanoseconds(shown.mediaTime),
          scheduledAt: actions.now.advanced(byNanoseconds: -shown.lateness), shownAt: actions.now,
          skippedFrames: shown.skipped))
    }
  }

  /// What differs from the frame shown: forwards the sum of all steps in between, backwards the whole canvas.
  /// What the surface of a player shows that becomes visible is not known.
  private func changedRect(to new: Frame, _ cause: ChangeCause) -> PixelRect {
    let animation = core.animation
    let canvas = PixelRect(x: 0, y: 0, width: new.pixels.width, height: new.pixels.height)
    guard cause != .appear, let old = shown, old.index < new.index, old.status == .complete else {
      return canvas
    }
    // Far jumps change most of the canvas, and counting them out costs more than it saves.
    guard new.index - old.index <= 16 else { return canvas }
    let between = (old.index + 1..<new.index).reduce(PixelRect.empty) {
      $0.union(animation.changedRect(of: $1))
    }
    let scaled = between.scaled(
      fromWidth: animation.width, height: animation.height, toWidth: canvas.width, height: canvas.height)
    return new.changedRect.union(scaled)
  }
}
