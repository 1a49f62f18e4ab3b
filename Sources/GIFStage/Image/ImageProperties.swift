public import GIFCaching
public import GIFDecoding
public import GIFPlayback

/// What an ``AnimatedImageView`` shows and how; set any of it at any time.
public struct ImageProperties: Sendable, Hashable {
  /// Where the image comes from, as the loader understands it; nil for no image.
  public var source: String?
  public var resizeMode = ResizeMode.contain
  /// How long a picture takes to appear once it is there; zero for at once.
  public var fade: Duration = .milliseconds(160)
  public var background = Background.none
  /// What stands in for an image that is not there yet.
  public var placeholder = Theme.panel
  public var mode = PlaybackMode.forward
  /// The frames to play; nil for all. Frames that are not there are left out.
  public var range: Range<Int>?
  /// The speed, 0.05 - 20 times.
  public var rate: Double = 1
  /// Total plays; nil for what the file says.
  public var loopCount: LoopCount?
  /// How long frames show.
  public var delays = DelayPolicy.browser
  /// What becomes of pictures that come late.
  public var late = LatePolicy.skip
  /// Whether an image plays as soon as it is there.
  public var autoplays = true
  /// Whether pictures are decoded at the size they are shown, which saves memory, never larger.
  public var decodesToSize = true

  public init(source: String? = nil) { self.source = source }

  /// What is seen through a picture's transparent parts.
  public enum Background: Sendable, Hashable {
    /// What lies behind the view.
    case none
    case color(Color)
    case checker
  }
}

extension ImageProperties {
  /// What a change of properties asks for.
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
    if loopCount != old.loopCount || delays != old.delays || late != old.late { changes.insert(.schedule) }
    if rate != old.rate { changes.insert(.rate) }
    if resizeMode != old.resizeMode || decodesToSize != old.decodesToSize {
      changes.formUnion([.size, .appearance])
    }
    if background != old.background || placeholder != old.placeholder { changes.insert(.appearance) }
    return changes
  }
}

/// How much of a view can be seen, and with it how much it may do.
public enum Presence: Sendable, Hashable {
  /// Plays.
  case visible
  /// About to be seen: has its first pictures, and stands.
  case nearby
  /// Does nothing and holds no picture; its place in the animation is kept.
  case hidden
}

/// Where an animation stood, so that it can go on later, in another view if need be.
public struct PlaybackSnapshot: Sendable, Hashable {
  /// Media time since the start of the first loop.
  public var position: Duration = .zero
  /// Whether it is to play when it can be seen.
  public var isPlaying: Bool
  /// Whether all plays are over.
  public var isFinished = false

  public init(isPlaying: Bool = true) { self.isPlaying = isPlaying }

  /// What a command to play or to hold makes of it: as with a player, what is over begins anew.
  mutating func setPlaying(_ plays: Bool) {
    if plays, isFinished { (position, isFinished) = (.zero, false) }
    isPlaying = plays
  }
}

/// What views need from outside.
public struct StageServices: Sendable {
  public var clock: PlaybackClock
  public var pool: DecodePool
  public var loader: any ImageLoading
  /// How far ahead players have frames decoded.
  public var cache = CachePolicy()
  /// The memory that all players share.
  public var budget = FrameBudget.shared
  /// Called with each player that a view makes and the source of its image, before it plays: for a trace, say. A view
  /// makes another one when it is seen again or shown at another size.
  public var onPlayer: @Sendable (_ player: GIFPlayer, _ source: String) -> Void = { _, _ in }
  /// Called from any thread when something has come that the next ``Stage/tick()`` takes in.
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
