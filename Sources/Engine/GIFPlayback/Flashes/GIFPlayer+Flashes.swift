internal import EngineSupport
internal import GIFCaching
public import GIFDecoding
public import GIFFlashes
internal import GIFTimeline

// What a player does about flashes.

extension GIFPlayer {
  /// What becomes of a GIF that flashes more than WCAG 2.2 allows; ``FlashPolicy/allow`` by default.
  ///
  /// A view whose user asks to play a GIF that is held sets ``FlashPolicy/warn``.
  public var flashPolicy: FlashPolicy {
    get { contents.withLock { $0.flashes.policy } }
    set { setFlashes { $0.policy = newValue } }
  }

  /// The size at which the frames are shown in CSS pixels; nil for their own.
  public var shownSize: PixelSize? {
    get { contents.withLock { $0.flashes.shownSize } }
    set { setFlashes { $0.shownSize = newValue } }
  }

  /// Whether GIFs of its size play beside it, as in a grid.
  public var sharesField: Bool {
    get { contents.withLock { $0.flashes.sharing != .alone } }
    set { setFlashes { $0.sharing = newValue ? .full : .alone } }
  }

  /// The verdict, and what became of it.
  public var flashState: FlashState { contents.withLock { $0.flashes.state } }

  /// Calls `handler` when there is a verdict, or playback follows another one.
  @discardableResult
  public func onFlashes(
    for owner: AnyObject? = nil, deliverOn delivery: EventDelivery = .immediate,
    _ handler: @escaping @Sendable (FlashState) -> Void
  ) -> Subscription {
    on({ $0.flashState }, for: owner, deliverOn: delivery, handler)
  }

  /// Goes on in the place of another player of the same image, from the frame that it shows: what was seen
  /// counts.
  package func replaceFlashes(of former: GIFPlayer) {
    let flashes = former.contents.withLock { $0.flashes }
    setFlashes { $0.replace(flashes) }
  }

  /// What is to be judged.
  struct FlashQuestion {
    var image: GIFImage
    var viewing: FlashViewing
  }

  private func setFlashes(_ change: (inout FlashGuard) -> Void) {
    carryOut { contents, found in
      change(&contents.flashes)
      return contents.perform(at: clock.now, isThere: { found.find($0, isDue: $1, in: frames) }) { _, _ in }
    }
  }

  /// Has the image judged; the answer may come before this returns.
  func ask(_ question: FlashQuestion) {
    clock.judge.judge(
      question.image, question.viewing.options,
      isWaiting: { [weak self] in self?.contents.withLock { $0.flashes.awaits(question.viewing) } ?? false },
      handler: { [weak self] report in self?.setFlashes { $0.take(report, of: question.viewing) } })
  }
}

extension GIFPlayer.Contents {
  /// Carries out a command, then what follows for the flashes, then everything that is due.
  mutating func perform(
    at now: PlaybackInstant, isThere: PlaybackMachine.IsThere,
    command: (inout PlayerCore, PlaybackInstant) -> Void
  ) -> PlayerCore.Actions? {
    var flashes = flashes
    let sizing = sizing
    defer { self.flashes = flashes }
    return core.perform(at: now, isThere: isThere) { core, now in
      command(&core, now)
      flashes.follow(&core, frameSize: sizing.size(of: core.animation) ?? core.animation.size, at: now)
    }
  }

  /// Takes what is new about flashes: events, and what is to be judged.
  mutating func takeFlashes() -> GIFPlayer.FlashQuestion? {
    if let state = flashes.takeState() { outbox.append(.flashes(state)) }
    return flashes.takeQuestion().map { GIFPlayer.FlashQuestion(image: image, viewing: $0) }
  }
}

extension FlashGuard {
  /// Follows a change of a player, and limits its motion.
  ///
  /// - Parameter frameSize: that of the player's frames.
  mutating func follow(_ core: inout PlayerCore, frameSize: PixelSize, at now: PlaybackInstant) {
    // Most players ask for nothing, and every command comes here.
    guard policy != .allow else { return core.machine.setMotionLimit(end(), at: now) }
    let viewing = FlashViewing(
      content: FlashViewing.Content(
        order: core.machine.timeline.order, delays: core.schedule.delayPolicy,
        frameCount: core.animation.frameCount,
        isComplete: core.schedule.isComplete, sharing: sharing),
      size: shownSize ?? frameSize, speed: core.machine.wantedSpeed)
    let limit = follow(
      viewing, of: core.animation.size, isJumping: core.isJumping(at: now), at: now)
    core.machine.setMotionLimit(limit, at: now)
  }
}
