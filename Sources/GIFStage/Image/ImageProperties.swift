public import GIFCaching
public import GIFDecoding
public import GIFPlayback
public import GIFTimeline

/// The properties of an ``AnimatedImageView``; each may be set at any time.
public struct ImageProperties: Sendable, Hashable {
  /// Where the image comes from, as the loader understands it; nil for no image.
  public var source: String?
  public var resizeMode = ResizeMode.contain
  /// The duration of the fade-in of the first picture; zero for none.
  public var fade: Duration = .milliseconds(160)
  public var background = Background.none
  /// The colour shown until the image is loaded.
  public var placeholder = Theme.panel
  public var mode = PlaybackMode.forward
  /// The range of frames to play; nil for all. Frames beyond the image are ignored.
  public var range: Range<Int>?
  /// The speed, 0.05 - 20 times.
  public var rate: Double = 1
  /// Total plays; nil for what the file says.
  public var loopCount: LoopCount?
  /// How long frames show.
  public var delayPolicy = DelayPolicy.browser
  /// The policy for late frames.
  public var latePolicy = LatePolicy.skip
  /// Whether an image plays as soon as it is loaded.
  public var autoplays = true
  /// Whether pictures are decoded at the size shown if that is smaller, which saves memory.
  public var decodesToSize = true

  public init(source: String? = nil) { self.source = source }

  /// The background behind transparent pixels.
  public enum Background: Sendable, Hashable {
    /// The view behind.
    case none
    case color(Color)
    case checker
  }
}

extension ImageProperties {
  /// The work that a change of properties requires.
  struct Changes: OptionSet, Sendable {
    let rawValue: Int
    /// Another image.
    static let source = Changes(rawValue: 1)
    /// Another schedule: another player, at the same frame.
    static let schedule = Changes(rawValue: 2)
    static let rate = Changes(rawValue: 4)
    /// Pictures of another size: another player, at the same time.
    static let size = Changes(rawValue: 8)
    static let appearance = Changes(rawValue: 16)
    /// Other frames, or another order of them: the same player, in the same loop.
    static let order = Changes(rawValue: 32)
  }

  func changes(from old: ImageProperties) -> Changes {
    var changes: Changes = []
    if source != old.source { changes.insert(.source) }
    if mode != old.mode || range != old.range { changes.insert(.order) }
    if loopCount != old.loopCount || delayPolicy != old.delayPolicy || latePolicy != old.latePolicy {
      changes.insert(.schedule)
    }
    if rate != old.rate { changes.insert(.rate) }
    if resizeMode != old.resizeMode || decodesToSize != old.decodesToSize {
      changes.formUnion([.size, .appearance])
    }
    if background != old.background || placeholder != old.placeholder { changes.insert(.appearance) }
    return changes
  }
}

/// The visibility of a view, which decides how much work it does.
public enum Presence: Sendable, Hashable {
  /// Plays.
  case visible
  /// Close to the visible area: its first pictures are decoded, and it is paused.
  case nearby
  /// Does no work and keeps no picture, only its playback position.
  case hidden
}

/// A playback position, from which another player or view can resume.
public struct PlaybackSnapshot: Sendable, Hashable {
  /// Media time since the start of the first loop.
  public var position: Duration = .zero
  /// Whether it plays when visible.
  public var isPlaying: Bool
  /// Whether all plays are over.
  public var isFinished = false

  public init(isPlaying: Bool = true) { self.isPlaying = isPlaying }

  /// Applies a play or pause command; a finished animation restarts, as in a player.
  mutating func setPlaying(_ plays: Bool) {
    if plays, isFinished { (position, isFinished) = (.zero, false) }
    isPlaying = plays
  }
}

/// The services that views use.
public struct StageServices: Sendable {
  public var clock: PlaybackClock
  public var pool: DecodePool
  public var loader: any ImageLoading
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

  public init(
    clock: PlaybackClock, pool: DecodePool = .shared, loader: any ImageLoading = FileImageLoader()
  ) {
    self.clock = clock
    self.pool = pool
    self.loader = loader
  }
}

extension PlaybackSnapshot: CustomStringConvertible {
  public var description: String {
    "\(isFinished ? "finished" : isPlaying ? "playing" : "paused") at \(position)"
  }
}
