public import GIFCaching
public import GIFDecoding
internal import Synchronization

/// Plays one GIF: shows each frame at its time, tells of every change, and can be paused, sought and stepped.
///
/// All members may be used from any thread. Handlers are called without a lock, one at a time and in order, on the
/// thread that brought the change about: the clock's, a decoding thread, or the caller's. They should be short;
/// for slow work take ``frameChanges``. A player that nobody holds any more stops.
public final class GIFPlayer: Sendable {
  /// Tells players of one process apart.
  public struct ID: Sendable, Hashable, CustomStringConvertible {
    public let rawValue: Int
    public var description: String { "\(rawValue)" }
  }

  /// How an animation is played.
  public struct Options: Sendable {
    public var delays: DelayPolicy = .browser
    /// Total plays; nil for what the file says.
    public var loopCount: LoopCount?
    public var mode: PlaybackMode = .forward
    /// The frames to play; nil for all.
    public var range: Range<Int>?
    /// The speed, 0.05 - 20 times.
    public var rate: Double = 1
    /// The size at which pictures are shown; nil for that of the canvas. A wall of thumbnails then holds thumbnails.
    public var size: PixelSize?
    public var cache = CachePolicy()
    /// The memory that this player's pictures come from; one for the process unless another is given.
    public var budget = FrameBudget.shared

    public init() {}
  }

  public let id: ID
  public let image: GIFImage
  private let clock: PlaybackClock
  private let cache: FrameCache
  private let core: Mutex<Core>
  private let registration: PlaybackClock.PlayerID

  private static let lastID = Atomic<Int>(0)

  public init(
    _ image: GIFImage, options: Options = Options(), clock: PlaybackClock = .shared,
    pool: DecodePool = .shared
  ) {
    id = ID(rawValue: Self.lastID.wrappingAdd(1, ordering: .relaxed).newValue)
    self.image = image
    self.clock = clock
    cache = FrameCache(
      image, size: options.size, delays: options.delays, policy: options.cache, budget: options.budget,
      pool: pool)
    let timeline = Timeline(
      image, delays: options.delays, loopCount: options.loopCount, mode: options.mode, range: options.range)
    core = Mutex(Core(machine: PlaybackMachine(timeline: timeline, rate: options.rate)))
    registration = clock.register()
    clock.attach(registration) { [weak self] in self?.update() }
    cache.onArrival { [weak self] arrival in self?.pictureArrived(arrival) }
  }

  deinit {
    clock.unregister(registration)
    let endings = core.withLock { $0.endings }
    for ending in endings.ids { endings.handler(ending)?(()) }
  }

  // MARK: Control

  /// Starts, goes on after a pause, or begins anew after the end. Time begins to run with the first picture.
  public func play() { update { $0.play(at: $1) } }

  /// Holds the picture; what is left of its time is kept.
  public func pause() { update { $0.pause(at: $1) } }

  /// Goes back to the start and shows the first picture.
  public func stop() { update { $0.stop(at: $1) } }

  /// Plays from the start, whatever went before.
  public func restart() { update { $0.restart(at: $1) } }

  /// Goes to a frame of the present loop. Playing goes on from there. A frame that is not played is ignored.
  public func seek(toFrame index: Int) { update { $0.seek(toFrame: index, at: $1) } }

  /// Goes to a media time, counted from the start of the first loop.
  public func seek(to time: Duration) { update { $0.seek(toMedia: time.wholeNanoseconds, at: $1) } }

  /// Pauses and shows the frame so many steps on, or back where negative.
  public func step(by count: Int = 1) { update { $0.step(by: count, at: $1) } }

  /// The speed, 0.05 - 20 times; set while playing it makes no jump.
  public var rate: Double {
    get { core.withLock { $0.machine.rate } }
    set { update { $0.setRate(newValue, at: $1) } }
  }

  // MARK: State

  public enum State: String, Sendable, Hashable {
    case stopped, playing, paused, finished, failed
  }

  public var state: State {
    core.withLock { core in
      if core.failure != nil { return .failed }
      switch core.machine.run {
      case .stopped: return .stopped
      case .playing: return .playing
      case .paused: return .paused
      case .finished: return .finished
      }
    }
  }

  /// The frame shown last; nil before the first one.
  public var currentFrame: Frame? { core.withLock { $0.shown } }

  /// Media time since the start of the first loop.
  public var position: Duration {
    let now = clock.now
    return .nanoseconds(core.withLock { $0.machine.mediaTime(at: now) })
  }

  public var timeline: Timeline { core.withLock { $0.machine.timeline } }

  public var cacheStatistics: CacheStatistics { cache.statistics }

  // MARK: Events

  /// Has `handler` called for every visible change.
  @discardableResult
  public func onFrameChange(_ handler: @escaping @Sendable (FrameChange) -> Void) -> Subscription {
    subscribe { if case .frameChange(let change) = $0 { handler(change) } }
  }

  /// Has `handler` called at the end of each loop, after its last frame's own delay.
  @discardableResult
  public func onLoop(_ handler: @escaping @Sendable (LoopCompletion) -> Void) -> Subscription {
    subscribe { if case .loopCompleted(let completion) = $0 { handler(completion) } }
  }

  /// Has `handler` called once all plays are over, after the last frame's own delay.
  @discardableResult
  public func onFinish(_ handler: @escaping @Sendable (GIFPlayer.ID) -> Void) -> Subscription {
    subscribe { if case .finished(let id) = $0 { handler(id) } }
  }

  /// Has `handler` called if no picture can be made, with the reason.
  @discardableResult
  public func onFailure(_ handler: @escaping @Sendable (GIFError) -> Void) -> Subscription {
    subscribe { if case .failed(let error) = $0 { handler(error) } }
  }

  /// The visible changes as a sequence: whoever is slow gets the newest one. Ends with the player.
  public var frameChanges: AsyncStream<FrameChange> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: FrameChange.self, bufferingPolicy: .bufferingNewest(1))
    let subscription = subscribe { if case .frameChange(let change) = $0 { continuation.yield(change) } }
    let ending = core.withLock { $0.endings.add { continuation.finish() } }
    continuation.onTermination = { [weak self] _ in
      subscription.cancel()
      _ = self?.core.withLock { $0.endings.remove(ending) }
    }
    return stream
  }

  private func subscribe(_ handler: @escaping @Sendable (Event) -> Void) -> Subscription {
    let listener = core.withLock { $0.listeners.add(handler) }
    return Subscription { [weak self] in _ = self?.core.withLock { $0.listeners.remove(listener) } }
  }
}

// MARK: - The machinery

extension GIFPlayer {
  enum Event: Sendable {
    case frameChange(FrameChange)
    case loopCompleted(LoopCompletion)
    case finished(GIFPlayer.ID)
    case failed(GIFError)
  }

  private struct Core {
    var machine: PlaybackMachine
    var shown: Frame?
    var failure: GIFError?
    var listeners = Listeners<Event>()
    /// What ends the streams handed out.
    var endings = Listeners<Void>()
    /// Events told in order by whoever comes first; the others leave theirs here.
    var outbox: [Event] = []
    var isDelivering = false
    var requests = 0
  }

  /// Carries out a command, then everything that is due.
  private func update(_ command: ((inout PlaybackMachine, PlaybackInstant) -> Void)? = nil) {
    let request = core.withLock { core -> (playhead: Playhead, number: Int)? in
      guard core.failure == nil else { return nil }
      let now = clock.now
      if let command {
        // What was due before the command is told first, and by the rules that held until now.
        _ = advance(&core, at: now)
        command(&core.machine, now)
      }
      // A player that was never asked to do anything decodes nothing.
      guard core.machine.isActive else { return nil }
      let outcome = advance(&core, at: now)
      // Under the lock, so that an older deadline cannot overtake a newer one.
      clock.schedule(registration, at: outcome.wakeAt)
      core.requests += 1
      var playhead = core.machine.playhead(outcome)
      playhead.saidAt = now.nanoseconds
      return (playhead, core.requests)
    }
    if let request { cache.move(to: request.playhead, request: request.number) }
    deliver()
  }

  /// Shows and tells what is due.
  private func advance(_ core: inout Core, at now: PlaybackInstant) -> PlaybackMachine.Outcome {
    var pictures: [Int: Frame] = [:]
    let outcome = core.machine.advance(at: now) { index, isDue in
      guard let frame = isDue ? cache.frame(at: index) : cache.peek(at: index) else { return false }
      pictures[index] = frame
      return true
    }
    for action in outcome.actions {
      core.outbox.append(event(for: action, pictures: pictures, core: &core, now: now))
    }
    return outcome
  }

  private func pictureArrived(_ arrival: Result<Int, GIFError>) {
    switch arrival {
    case .success:
      // Most pictures are decoded ahead of their time, and nobody waits for them.
      if core.withLock({ $0.machine.isWaiting }) { update() }
    case .failure(let error):
      core.withLock { core in
        guard core.failure == nil else { return }
        core.failure = error
        core.outbox.append(.failed(error))
        clock.schedule(registration, at: nil)
      }
      deliver()
    }
  }

  private func event(
    for action: PlaybackMachine.Action, pictures: [Int: Frame], core: inout Core, now: PlaybackInstant
  ) -> Event {
    switch action {
    case .finished: return .finished(id)
    case .loopCompleted(let count, let remaining):
      return .loopCompleted(LoopCompletion(target: id, count: count, remaining: remaining))
    case .show(let shown):
      guard let frame = pictures[shown.frame] else {
        preconditionFailure("a picture is shown that was not there")
      }
      let changed = changedRect(from: core.shown, to: frame)
      core.shown = frame
      return .frameChange(
        FrameChange(
          target: id, currentFrameIndex: frame.index, frameCount: image.frameCount, loop: shown.loop,
          scheduledAt: PlaybackInstant(nanoseconds: now.nanoseconds - shown.lateness), shownAt: now,
          mediaTime: .nanoseconds(shown.mediaTime), lateness: .nanoseconds(shown.lateness),
          skippedFrames: shown.skipped, cause: shown.cause, changedRect: changed, frame: frame))
    }
  }

  /// What changes between two pictures: the sum of all steps from one to the other, the whole canvas backwards.
  private func changedRect(from old: Frame?, to new: Frame) -> PixelRect {
    let canvas = PixelRect(x: 0, y: 0, width: new.pixels.width, height: new.pixels.height)
    guard let old, old.index < new.index, old.status == .complete else { return canvas }
    // Far jumps change most of the picture, and counting them out costs more than it saves.
    guard new.index - old.index <= 16 else { return canvas }
    let between = (old.index + 1..<new.index).reduce(PixelRect.empty) { $0.union(image.changedRect(of: $1)) }
    let scaled = between.scaled(
      fromWidth: image.width, height: image.height, toWidth: canvas.width, height: canvas.height)
    return new.changedRect.union(scaled)
  }

  /// Tells what is in the outbox. One thread at a time delivers; what comes meanwhile, also from the handlers
  /// themselves, is told by the same thread afterwards.
  private func deliver() {
    while true {
      let batch = core.withLock { core -> (events: [Event], listeners: [Int])? in
        guard !core.outbox.isEmpty, !core.isDelivering else { return nil }
        core.isDelivering = true
        defer { core.outbox = [] }
        return (core.outbox, core.listeners.ids)
      }
      guard let batch else { return }
      for event in batch.events {
        for listener in batch.listeners {
          // Looked up anew each time: a handler may have cancelled this one.
          core.withLock { $0.listeners.handler(listener) }?(event)
        }
      }
      core.withLock { $0.isDelivering = false }
    }
  }
}
