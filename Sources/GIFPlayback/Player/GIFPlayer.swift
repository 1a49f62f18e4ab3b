internal import EngineSupport
public import GIFCaching
public import GIFDecoding
public import GIFTimeline
internal import Synchronization

/// Plays one GIF: shows each frame at its time, tells of every change, and can be paused, sought and stepped.
///
/// All members may be used from any thread. Handlers are called without a lock, one at a time and in order, on the
/// thread that brought the change about (the clock's, a decoding thread, or the caller's) or where they ask to be
/// called: ``EventDelivery``. A player that nobody holds any more stops.
public final class GIFPlayer: Sendable {
  /// Tells players of one process apart.
  public struct ID: Sendable, Hashable, CustomStringConvertible {
    public let rawValue: Int
    public var description: String { "\(rawValue)" }
  }

  /// How an animation is played.
  public struct Options: Sendable {
    public var delayPolicy: DelayPolicy = .browser
    /// Total plays; nil for what the file says.
    public var loopCount: LoopCount?
    public var mode: PlaybackMode = .forward
    /// The frames to play; nil for all.
    public var range: Range<Int>?
    /// The speed, 0.05 - 20 times.
    public var rate: Double = 1
    /// What becomes of pictures that come late.
    public var latePolicy = LatePolicy.skip
    /// What becomes of long gaps in the clock.
    public var suspensionPolicy = SuspensionPolicy.resume
    public var reducedMotion = ReducedMotion.off
    /// Who gives way first when decoding cannot keep up.
    public var priority = PlaybackPriority.high
    /// The frame that ``GIFPlayer/showPoster(_:)`` shows; nil for the first one played.
    public var poster: Int?
    /// Whether all frames of the image are known: see ``GIFPlayer/update(_:isComplete:)``.
    public var isComplete = true
    /// The size at which pictures are shown; nil for that of the canvas. A wall of thumbnails then holds thumbnails.
    public var size: PixelSize?
    public var cachePolicy = CachePolicy()
    /// The memory that this player's pictures come from; one for the process unless another is given.
    public var budget = FrameBudget.shared

    public init() {}
  }

  public let id: ID
  let clock: PlaybackClock
  let source: PictureSource
  let core: Lock<Core>
  let registration: PlaybackClock.PlayerID

  private static let lastID = Atomic<Int>(0)

  public init(
    _ image: GIFImage, options: Options = Options(), clock: PlaybackClock = .shared,
    pool: DecodePool = .shared
  ) {
    id = ID(rawValue: Self.lastID.wrappingAdd(1, ordering: .relaxed).newValue)
    self.clock = clock
    source = PictureSource(image, options: options, pool: pool)
    core = Lock(Core(image: source.image, options: options))
    registration = clock.register()
    clock.attach(registration) { [weak self] now in self?.update(at: now, isOnEngineThread: true) }
    source.onArrival { [weak self] arrival in self?.pictureArrived(arrival) }
    if options.priority == .low { priority = .low }
  }

  deinit {
    clock.unregister(registration)
    clock.governor.forget(id)
    let endings = core.withLock { $0.endings }
    for ending in endings.ids { endings.handler(ending)?(()) }
  }

  // MARK: State

  /// What the player does.
  public var state: PlaybackState { core.withLock { $0.state } }

  /// The image; of one that loads as much as was given last.
  public var image: GIFImage { core.withLock { $0.image } }

  /// The frame shown last; nil before the first one.
  public var currentFrame: Frame? { core.withLock { $0.shown } }

  /// Media time since the start of the first loop.
  public var position: Duration {
    let now = clock.now
    return .nanoseconds(core.withLock { $0.machine.mediaTime(at: max(now, $0.lastLook)) })
  }

  /// Plays that are not over, the present one included; nil for an animation without end, or whose end is not
  /// known yet.
  public var loopsLeft: Int? { core.withLock { $0.machine.loopsLeft } }

  /// Why playback waits, if it does: see ``BufferingChange``.
  public var bufferingReason: BufferingChange.Reason? { core.withLock { $0.machine.bufferingReason } }

  public var timeline: Timeline { core.withLock { $0.machine.timeline } }

  public var cacheStatistics: CacheStatistics { source.statistics }

  /// Which frames are held in what form, and where players of this content are.
  public var cacheMap: CacheMap { source.map }

  /// What to decode beyond the read-ahead while there is room.
  public func preload(_ preload: CachePolicy.Preload) { source.setPreload(preload) }
}
