public import GIFDecoding
public import GIFPlayback
public import GIFTimeline

/// A view of an animated image: loads it from a source, plays it while visible, and emits events.
///
/// Set ``properties``, send commands with ``perform(_:)``, and handle events with ``View/on(_:)``. A tap toggles playback.
public final class AnimatedImageView: View {
  /// A playback command. Without an image, commands only decide whether the next image plays.
  public enum Command: Sendable, Hashable {
    case play, pause
    /// Plays if paused, pauses if playing.
    case toggle
    /// Plays from the start.
    case restart
    /// Seeks to a frame; playback continues from there.
    case seek(toFrame: Int)
    /// Pauses and steps by a number of frames.
    case step(by: Int)
  }

  /// The state of loading.
  public enum Phase {
    case empty
    /// There is a source, and the view is hidden.
    case waiting
    case loading
    case ready(GIFImage)
    case failed(String)
  }

  public internal(set) var phase = Phase.empty
  public var properties: ImageProperties {
    didSet { apply(properties.changes(from: oldValue)) }
  }
  /// Whether the view is visible, nearby or hidden.
  public var presence: Presence {
    didSet { if presence != oldValue { presenceChanged(from: oldValue) } }
  }
  /// Whether it plays, or plays as soon as it is ready.
  public internal(set) var isPlaying = true
  /// The picture shown.
  public internal(set) var shown: Frame?
  /// The current player; nil without an image and while hidden.
  public internal(set) var player: GIFPlayer?
  /// Whether a tap toggles playback.
  public var togglesOnTap = true

  let services: StageServices
  let queue: ViewEventQueue
  /// The number of the current playback; a new source and a new player each begin another one.
  var playback = 0
  var request: ImageRequest?
  var subscription: Subscription?
  /// The playback position for the next player.
  var savedSnapshot: PlaybackSnapshot?
  /// The picture size the player was made with.
  var playerSize: PixelSize?
  var resizeDebounce = ResizeDebounce()
  /// A frame change that happened while the view was not visible.
  var pendingChange: FrameChange?
  /// Whether the next picture is the current frame decoded at another size.
  var expectsSamePicture = false
  var fading = Fade()
  private var tap = TapRecognizer()

  public init(
    _ properties: ImageProperties = ImageProperties(), presence: Presence = .visible, services: StageServices
  ) {
    self.properties = properties
    self.presence = presence
    self.services = services
    queue = ViewEventQueue(wake: services.wake)
    super.init()
    begin()
  }

  deinit {
    request?.cancel()
    subscription?.cancel()
  }

  // MARK: Commands

  public func perform(_ command: Command) {
    switch command {
    case .play: setPlaying(true)
    case .pause: setPlaying(false)
    case .toggle: setPlaying(!isPlaying)
    case .restart:
      savedSnapshot = nil
      if presence == .visible { player?.restart() }
      setPlaying(true)
    case .seek(let frame): player?.seek(toFrame: frame)
    case .step(let count):
      setPlaying(false)
      player?.step(by: count)
    }
  }

  /// Shows another source and resumes from a snapshot; the earlier source is released.
  public func show(_ properties: ImageProperties, resuming snapshot: PlaybackSnapshot? = nil) {
    let isSameSource = properties.source == self.properties.source
    if isSameSource { end() }
    self.properties = properties
    if isSameSource { begin() }
    savedSnapshot = snapshot
    if let snapshot { isPlaying = snapshot.isPlaying }
  }

  /// The playback position; nil without an animation.
  public var snapshot: PlaybackSnapshot? {
    if let player { return PlayerRestoration.snapshot(of: player, isPlaying: isPlaying) }
    guard var snapshot = savedSnapshot else { return nil }
    snapshot.isPlaying = isPlaying
    return snapshot
  }

  /// The image, once it is loaded.
  public var image: GIFImage? {
    if case .ready(let image) = phase { return image }
    return nil
  }

  // MARK: Layout

  /// Where the image is drawn, in the view's pixels; larger than the view with `cover`.
  public var imageRect: PixelRect {
    guard let size = imageSize else { return .empty }
    return properties.resizeMode.place(size, inWidth: frame.width, height: frame.height)
  }

  var imageSize: PixelSize? { image.flatMap { PixelSize(width: $0.width, height: $0.height) } }

  public override func layout() {
    // An empty view has no size to decode to, so it has no player yet.
    if player == nil { makePlayer() } else { resizeDebounce.sizeChanged() }
  }

  public override func update(at now: PlaybackInstant) -> PlaybackInstant? { processEvents(at: now) }

  // MARK: Drawing

  public override func draw(on surface: inout Surface) {
    guard let shown, let size = PixelSize(width: shown.pixels.width, height: shown.pixels.height) else {
      return drawPlaceholder(on: &surface)
    }
    let opacity = fading.opacity
    if opacity < 255 { drawPlaceholder(on: &surface) }
    let place = imageRect
    surface.inRegion(bounds) { surface in
      switch properties.background {
      case .none: break
      case .color(let color): surface.fill(place, color.withAlpha(PixelMath.faded(color.alpha, opacity)))
      case .checker where opacity == 255: surface.fillChecker(place, side: 8 * scale)
      case .checker: break
      }
      let isReduced = place.width < size.width && place.height < size.height
      surface.draw(
        shown.pixels.span, size: size, in: place, sampling: isReduced ? .area : .nearest, opacity: opacity)
    }
  }

  private func drawPlaceholder(on surface: inout Surface) {
    if case .empty = phase { return }
    surface.fill(bounds, properties.placeholder)
    guard case .failed(let reason) = phase else {
      // Three dots, if there is room for them.
      let dot = 6 * scale
      let left = frame.width / 2 - 2 * dot
      for place in 0..<3 where frame.width > 8 * dot {
        surface.fillDisc(
          centerX: left + place * 2 * dot, centerY: frame.height / 2, diameter: dot, Theme.line)
      }
      return
    }
    let margin = 8 * scale
    let line = BitmapFont.fitted(reason, width: frame.width - 2 * margin, size: scale)
    let middle = (frame.width - BitmapFont.width(of: line, size: scale)) / 2
    let mark = BitmapFont.width(of: "!", size: 4 * scale)
    surface.draw(
      "!", x: (frame.width - mark) / 2, y: frame.height / 2 - 32 * scale, size: 4 * scale, Theme.bad)
    surface.draw(line, x: middle, y: frame.height / 2 + 8 * scale, size: scale, Theme.faintText)
  }

  public override func pointer(_ event: PointerEvent) -> Bool {
    guard togglesOnTap else { return false }
    if tap.take(event, scale: scale) {
      emit(.tapped)
      perform(.toggle)
    }
    return true
  }
}

extension PixelMath {
  static func faded(_ alpha: UInt8, _ opacity: UInt8) -> UInt8 {
    UInt8(divideBy255(UInt32(alpha) * UInt32(opacity)))
  }
}

extension AnimatedImageView.Phase: CustomStringConvertible {
  public var description: String {
    switch self {
    case .empty: "empty"
    case .waiting: "waiting"
    case .loading: "loading"
    case .ready(let image): "ready, \(image.frameCount) frames of \(image.width) x \(image.height)"
    case .failed(let reason): "failed: \(reason)"
    }
  }
}

extension AnimatedImageView.Command: CustomStringConvertible {
  public var description: String {
    switch self {
    case .play: "play"
    case .pause: "pause"
    case .toggle: "toggle"
    case .restart: "restart"
    case .seek(let frame): "seek to frame \(frame)"
    case .step(let count): "step by \(count)"
    }
  }
}
