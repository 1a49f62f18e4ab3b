internal import EngineSupport
public import GIFCaching
public import GIFDecoding
public import GIFTimeline
internal import Synchronization

/// Plays one GIF: shows each frame at its time, reports every change, and can be paused, sought and stepped.
///
/// All members may be used from any thread. Handlers are called without a lock, one at a time and in order:
/// on the thread of the change (the clock's, a decoding thread, or the caller's), or where an
/// ``EventDelivery`` says. A player stops when it is released.
public final class GIFPlayer: Sendable {
  /// The number of a player, unique in its process.
  public struct ID: Sendable, Hashable {
    package let rawValue: Int

    /// Makes a number, for tests of what handles events.
    public init(rawValue: Int) { self.rawValue = rawValue }
  }

  /// The number of this player.
  public let id: ID
  let clock: PlaybackClock
  let frames: PlayerFrames
  let contents: Lock<Contents>
  let registration: PlaybackClock.PlayerID

  private static let lastID = Atomic<Int>(0)

  /// Makes a player of an image; it shows nothing before the first command.
  ///
  /// - Parameter pool: the threads that decode; one for the process unless another is given.
  public init(
    _ image: GIFImage, options: Options = Options(), clock: PlaybackClock = .shared,
    pool: DecodePool = .shared
  ) {
    id = ID(rawValue: Self.lastID.wrappingAdd(1, ordering: .relaxed).newValue)
    self.clock = clock
    frames = PlayerFrames(
      image, size: options.size, fitting: options.fittingSize, delayPolicy: options.delayPolicy,
      policy: options.cachePolicy, isComplete: options.isComplete, budget: options.budget, pool: pool)
    let image = frames.image
    var core = PlayerCore(
      animation: image.animation, schedule: options.schedule, rate: options.rate, rules: options.rules,
      reducedMotion: options.reducedMotion, readAhead: options.cachePolicy.readAhead.wholeNanoseconds)
    core.setVisibility(options.visibility, at: clock.now)
    contents = Lock(
      Contents(
        core: core, image: image, sizing: FrameSizing(size: options.size, fitting: options.fittingSize),
        flashes: options.flashes, priority: options.priority))
    registration = clock.register()
    clock.attach(registration) { [weak self] now in self?.tick(at: now, isOnEngineThread: true) }
    frames.onArrival { [weak self] arrival in self?.take(arrival) }
    if options.priority == .low { priority = .low }
  }

  deinit {
    clock.unregister(registration)
    clock.governor.remove(id)
    let endings = contents.withLock { $0.endings }
    for ending in endings.ids { endings.handler(ending)?(()) }
  }

  // MARK: State

  /// What the player does.
  public var state: PlaybackState { contents.withLock { $0.core.state } }

  /// Why the player has failed; nil unless ``state`` is `failed`.
  public var error: GIFError? { contents.withLock { $0.core.error } }

  /// The image, or as much of it as has been loaded.
  public var image: GIFImage { contents.withLock { $0.image } }

  /// Whether all frames of the image are known.
  public var isComplete: Bool { contents.withLock { $0.core.schedule.isComplete } }

  /// The index of the frame shown last; nil before the first one.
  public var currentFrameIndex: Int? { contents.withLock { $0.core.shownFrame } }

  /// The frame shown last; nil before the first one.
  ///
  /// For a hidden player nil as well once the budget has evicted the frame, until the player is visible and
  /// shows one.
  public var currentFrame: Frame? {
    contents.withLock { $0.shown ?? $0.core.shownFrame.flatMap { frames.peek(at: $0) } }
  }

  /// Media time since the start of the first loop.
  public var position: Duration {
    let now = clock.now
    return .nanoseconds(contents.withLock { $0.core.machine.mediaTime(at: max(now, $0.core.lastTick)) })
  }

  /// Media time since the start of the present loop; ``duration`` after the end.
  public var positionInLoop: Duration {
    let now = clock.now
    return .nanoseconds(contents.withLock { $0.core.machine.timeInLoop(at: max(now, $0.core.lastTick)) })
  }

  /// How long one loop takes, as far as is known: with a range or a bounce, that of the frames as they are
  /// played.
  public var duration: Duration { timeline.loopDuration }

  /// The part of the present loop that is over, 0 to 1; 0 for a still.
  package var progress: Double {
    let whole = duration
    return whole > .zero ? min(1, positionInLoop / whole) : 0
  }

  /// The schedule: which frame is due when.
  public var timeline: Timeline { contents.withLock { $0.core.machine.timeline } }

  /// Why playback waits; nil if it does not.
  public var bufferingReason: BufferingReason? { contents.withLock { $0.core.machine.bufferingReason } }

  /// Plays that are not over, the present one included; nil if they are without end or not known yet.
  package var loopsLeft: Int? { contents.withLock { $0.core.machine.loopsLeft } }

  // MARK: Frames held

  /// What the player's frames cost and gained.
  public var cacheStatistics: CacheStatistics { frames.statistics }

  /// Which frames are held in what form, and where players of this content are.
  package var cacheMap: CacheMap { frames.map }

  /// Sets what to decode beyond the read-ahead while there is room.
  public func preload(_ preload: CachePolicy.Preload) { frames.setPreload(preload) }
}
