internal import GIFCaching
public import GIFDecoding
public import GIFLoading
public import GIFPlayback
public import GIFTimeline

/// A view of an animated image: loads it, shows it while it arrives, plays it while visible, and emits
/// events.
///
/// Set ``properties``, send commands with ``perform(_:)``, and handle events with ``View/on(_:)``. A tap
/// toggles playback, or loads a failed image again. A view that is not visible stops; a hidden one also
/// releases its frames, and resumes in place.
public final class AnimatedImageView: View {
  /// A playback command. Without an image, commands only decide whether the next image plays.
  public enum Command: Sendable, Hashable {
    /// Plays; a finished animation starts again.
    case play
    /// Pauses.
    case pause
    /// Plays if paused or finished, pauses if playing.
    case toggle
    /// Plays from the start.
    case restart
    /// Seeks to a frame; playback continues from there.
    case seek(toFrame: Int)
    /// Pauses and steps by a number of frames.
    case step(by: Int)
    /// Loads the image again from its source.
    case reload
  }

  /// The state of loading.
  public enum Phase: Sendable {
    /// There is no source.
    case empty
    /// There is a source, and the view is hidden.
    case waiting
    /// The image arrives; nil before its first bytes.
    case loading(LoadingState?)
    /// The image is complete.
    case ready(GIFImage)
    /// The image cannot be loaded or played. After an interrupted transfer, the part in the error plays.
    case failed(GIFLoadingError)
  }

  /// The state of loading.
  public internal(set) var phase = Phase.empty
  /// The properties, each of which may be set at any time.
  public var properties: ImageProperties {
    didSet { apply(properties.changes(from: oldValue)) }
  }
  /// Whether it plays, or plays as soon as it is ready and visible; false once all plays are over.
  public internal(set) var isPlaying = true
  /// The frame shown.
  public internal(set) var shown: Frame?
  /// The current player; nil without an image and while hidden.
  public internal(set) var player: GIFPlayer?
  /// Whether a tap toggles playback.
  public var togglesOnTap = true

  let services: StageServices
  let queue: PlayerEventQueue
  /// The number of the current player, to drop events of earlier ones.
  var playerNumber = 0
  var load: LoadingStates.Load?
  var subscription: Subscription?
  /// The playback position for the next player.
  var savedSnapshot: PlaybackSnapshot?
  /// The frame size of the player.
  var playerSize: PixelSize?
  var resizeDebounce = ResizeDebounce()
  /// A frame change that happened while the view was near.
  var pendingChange: FrameChange?
  /// Whether the next frame is the current one decoded at another size.
  var expectsSameFrame = false
  /// Whether a frame was shown before the view was hidden; then no placeholder and no fade precede the next
  /// one.
  var isResuming = false
  var isScrubbing = false
  /// Whether a pointer is over the view, where that plays it.
  var isHovered = false
  var fading = Fade()
  private var tap = TapRecognizer()

  /// Creates a view; its image loads when the view is visible or near.
  public init(_ properties: ImageProperties = ImageProperties(), services: StageServices) {
    self.properties = properties
    self.services = services
    queue = PlayerEventQueue(wake: services.wake)
    super.init()
    begin()
  }

  deinit { subscription?.cancel() }

  // MARK: Commands

  /// Performs a command.
  public func perform(_ command: Command) {
    switch command {
    case .play: setPlaying(true)
    case .pause: setPlaying(false)
    case .toggle: setPlaying(!isPlaying)
    case .restart:
      savedSnapshot = nil
      if visibility == .visible { player?.restart() } else { player?.seek(to: .zero) }
      setPlaying(true)
    case .seek(let frame): player?.seek(toFrame: frame)
    case .step(let count):
      setPlaying(false)
      player?.step(by: count)
    case .reload:
      end()
      begin()
    }
  }

  /// Shows another source and resumes from a snapshot; the earlier source is released.
  public func show(_ properties: ImageProperties, resuming snapshot: PlaybackSnapshot? = nil) {
    let isSameSource = properties.source == self.properties.source
    if isSameSource { end() }
    self.properties = properties
    if isSameSource { begin() }
    guard let snapshot else { return }
    savedSnapshot = snapshot
    isPlaying = snapshot.state == .playing
  }

  /// Continues from a playback position of the same image.
  func resume(from snapshot: PlaybackSnapshot) {
    isPlaying = snapshot.state == .playing
    guard player != nil else {
      savedSnapshot = snapshot
      return
    }
    releasePlayer()
    savedSnapshot = snapshot
    makePlayer()
  }

  /// The playback position and whether it plays; nil without an animation.
  public var snapshot: PlaybackSnapshot? {
    guard var snapshot = player?.snapshot ?? savedSnapshot else { return nil }
    if snapshot.state != .finished { snapshot.state = isPlaying ? .playing : .paused }
    return snapshot
  }

  /// The image, as far as it is loaded; nil before its first frame.
  public var image: GIFImage? {
    let image: GIFImage? =
      switch phase {
      case .ready(let image): image
      case .loading(let state): state?.image
      case .failed(let error): error.partialImage
      case .empty, .waiting: nil
      }
    return image.flatMap { $0.frameCount > 0 ? $0 : nil }
  }

  // MARK: Scrubbing

  /// Holds the time while the user drags a handle; see ``/Gallop/GIFPlayer/beginScrubbing()``.
  public func beginScrubbing() {
    isScrubbing = true
    player?.beginScrubbing()
  }

  /// Shows a frame while scrubbing; a newer target replaces one that is not shown yet.
  public func scrub(toFrame frame: Int) {
    if !isScrubbing { beginScrubbing() }
    player?.scrub(toFrame: frame)
  }

  /// Continues from the last target if it played before.
  public func endScrubbing() {
    isScrubbing = false
    player?.endScrubbing()
  }

  // MARK: Layout and time

  /// Where the image is drawn, in the view's pixels; larger than the view with `cover`.
  public var imageRect: PixelRect {
    guard let size = imageSize else { return .empty }
    return properties.resizeMode.place(size, inWidth: frame.width, height: frame.height)
  }

  var imageSize: PixelSize? { image.flatMap { PixelSize(width: $0.width, height: $0.height) } }

  /// Requests frames of the new size.
  public override func layout() {
    if player == nil { makePlayer() } else { resizeDebounce.sizeChanged() }
  }

  /// Shows new frames and the progress of loading.
  public override func update(at now: PlaybackInstant) -> PlaybackInstant? {
    takeProgress()
    return processEvents(at: now)
  }

  /// Loads, plays or stops as the visibility requires.
  public override func visibilityChanged(from former: Visibility) {
    switch visibility {
    case .hidden: release()
    case .near:
      player?.pause()
      startLoading()
      makePlayer()
    case .visible:
      startLoading()
      guard let player else { return makePlayer() }
      if let change = pendingChange {
        pendingChange = nil
        emit(.frameChanged(change))
      }
      if isPlaying { player.play() }
    }
  }

  // MARK: Drawing and input

  /// Draws the frame, or the placeholder with the progress or the error.
  public override func draw(on surface: inout Surface) { drawImage(on: &surface) }

  /// Recognizes taps.
  public override func pointer(_ event: PointerEvent) -> Bool {
    guard togglesOnTap else { return false }
    if tap.take(event, scale: scale) { tapped() }
    return true
  }

  /// Plays while a pointer is over the view, where ``ImageProperties/playsOnHover`` says so.
  public override func hovered(at point: (x: Int, y: Int)?) {
    guard properties.playsOnHover, isHovered != (point != nil) else { return }
    isHovered = point != nil
    perform(isHovered ? .play : .pause)
  }

  /// Toggles playback, or loads a failed image again.
  func tapped() {
    emit(.tapped)
    if case .failed = phase, image == nil { perform(.reload) } else { perform(.toggle) }
  }
}
