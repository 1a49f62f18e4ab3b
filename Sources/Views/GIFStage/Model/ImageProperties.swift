public import GIFCaching
public import GIFDecoding
public import GIFFlashes
public import GIFLoading
public import GIFPlayback
public import GIFTimeline

/// The properties of an ``AnimatedImageView``; each may be set at any time.
public struct ImageProperties: Sendable, Hashable {
  /// The image's path or URL, as ``/Gallop/GIFSource/init(_:)`` parses it; nil for no image.
  public var source: String?
  /// How the image is fitted into the view.
  public var resizeMode = ResizeMode.contain
  /// The duration of the fade-in of the first frame; zero for none.
  public var fade: Duration = .milliseconds(160)
  /// The background behind transparent pixels.
  public var background = Background.none
  /// The colour shown until the image is loaded.
  public var placeholder = Theme.panel
  /// The order of the frames.
  public var mode = PlaybackMode.forward
  /// The range of frames to play; nil for all. Frames beyond the image are ignored.
  public var range: Range<Int>?
  /// The speed, 0.05 - 20 times.
  public var rate: Double = 1
  /// Total plays; nil for what the file says.
  public var loopCount: LoopCount?
  /// The policy for the delays of frames.
  public var delayPolicy = DelayPolicy.browser
  /// The policy for late frames.
  public var latePolicy = LatePolicy.skip
  /// What becomes of a GIF that flashes more than WCAG 2.2 allows.
  public var flashPolicy = FlashPolicy.allow
  /// Whether an image plays as soon as it is loaded.
  public var autoplays = true
  /// Whether an image plays only while a pointer is over it; a tap then pauses it until the pointer comes
  /// back.
  public var playsOnHover = false
  /// Whether frames are decoded at the size shown if that is smaller, which saves memory.
  public var decodesToSize = true

  /// Creates the standard properties for an image.
  public init(source: String? = nil) { self.source = source }

  /// The background behind transparent pixels.
  public enum Background: Sendable, Hashable {
    /// The view behind.
    case none
    /// One colour.
    case color(Color)
    /// The checkerboard that stands for transparency.
    case checker
  }
}

extension ImageProperties {
  /// The options of a player with these properties. Frames of the range that the image does not have yet are
  /// ignored.
  package var playerOptions: GIFPlayer.Options {
    var options = GIFPlayer.Options()
    (options.mode, options.range, options.rate) = (mode, range, rate)
    (options.delayPolicy, options.latePolicy, options.loopCount) = (delayPolicy, latePolicy, loopCount)
    options.flashPolicy = flashPolicy
    return options
  }

  /// The work that a change of properties requires.
  struct Changes: OptionSet, Sendable {
    let rawValue: Int
    /// Another image.
    static let source = Changes(rawValue: 1)
    /// Another schedule: another player, at the same frame.
    static let schedule = Changes(rawValue: 2)
    static let rate = Changes(rawValue: 4)
    /// Frames of another size: another player, at the same time.
    static let size = Changes(rawValue: 8)
    static let appearance = Changes(rawValue: 16)
    /// Other frames, or another order of them: the same player, in the same loop.
    static let order = Changes(rawValue: 32)
    static let flashPolicy = Changes(rawValue: 64)
  }

  func changes(from old: ImageProperties) -> Changes {
    var changes: Changes = []
    if source != old.source { changes.insert(.source) }
    if mode != old.mode || range != old.range { changes.insert(.order) }
    if loopCount != old.loopCount || delayPolicy != old.delayPolicy || latePolicy != old.latePolicy {
      changes.insert(.schedule)
    }
    if flashPolicy != old.flashPolicy { changes.insert(.flashPolicy) }
    if rate != old.rate { changes.insert(.rate) }
    if resizeMode != old.resizeMode || decodesToSize != old.decodesToSize {
      changes.formUnion([.size, .appearance])
    }
    if background != old.background || placeholder != old.placeholder { changes.insert(.appearance) }
    return changes
  }
}

/// The services that views use.
public struct StageServices: Sendable {
  /// The clock of all players; the stage's own.
  public var clock: PlaybackClock
  /// The threads that decode.
  public var pool: DecodePool
  /// The loader of all images.
  public var loader: any ImageLoader
  /// The policy for decoding ahead.
  public var cachePolicy = CachePolicy()
  /// The memory budget that all players share.
  public var budget = FrameBudget.shared
  /// Called with each new player and the source of its image, before it plays; a trace can use it.
  ///
  /// A view makes another player when it becomes visible again or changes its size.
  public var onPlayer: @Sendable (_ player: GIFPlayer, _ source: String) -> Void = { _, _ in }
  /// Called from any thread when there are events for the next ``Stage/tick()``.
  public var wake: @Sendable () -> Void = {}

  /// Creates services with the standard policies and the shared budget.
  public init(
    clock: PlaybackClock, pool: DecodePool = .shared, loader: any ImageLoader = GIFLoader()
  ) {
    self.clock = clock
    self.pool = pool
    self.loader = loader
  }
}
