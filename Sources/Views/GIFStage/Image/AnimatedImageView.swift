internal import GIFCaching
public import GIFDecoding
public import GIFFlashes
public import GIFPlayback
public import GIFTimeline

/// A view of an animated image: loads it, shows it while it arrives, plays it while visible, and emits
/// events.
///
/// Set ``properties``, send commands with ``perform(_:)``, and handle events with ``View/on(_:)``. A tap
/// toggles playback, or loads a failed image again. A view that is not visible stops; a hidden one also
/// releases its frames, and resumes in place.
public final class AnimatedImageView: View {
  /// What the view shows, without its pixels.
  let playback: ImagePlayback
  /// Whether a tap toggles playback.
  public var togglesOnTap = true

  let services: StageServices
  private var resizeDebounce = ResizeDebounce()
  /// Whether a frame was shown before the view was hidden; then no placeholder and no fade precede the next
  /// one.
  var isResuming = false
  /// Whether a pointer is over the view, where that plays it.
  private var isHovered = false
  var fading = Fade()
  private var tap = TapRecognizer()

  /// Creates a view; its image loads when the view is visible or near.
  public init(_ properties: ImageProperties = ImageProperties(), services: StageServices) {
    self.services = services
    playback = ImagePlayback(properties, services: services)
    super.init()
    playback.onEvent = { [weak self] in self?.take($0) }
    playback.onFrame = { [weak self] in self?.showFrame($0, former: $1, isWhole: $2) }
    playback.onProgress = { [weak self] in self?.invalidateProgress() }
    playback.onEnd = { [weak self] in self?.forget() }
    playback.decodeSize = { [weak self] in self?.decodeSize }
    playback.shownSize = { [weak self] in self?.shownSize }
    playback.hasRoom = false
  }

  private func take(_ event: ViewEvent.Kind) {
    if case .flashesJudged = event { invalidate() }
    emit(event)
  }

  private func forget() {
    fading = Fade()
    (isResuming, isHovered) = (false, false)
    invalidate()
  }

  // MARK: State

  /// The properties, each of which may be set at any time.
  public var properties: ImageProperties {
    get { playback.properties }
    set {
      let changes = newValue.changes(from: properties)
      playback.properties = newValue
      if changes.contains(.appearance) { invalidate() }
      if changes.contains(.size) { sizeChanged() }
    }
  }

  /// The state of loading.
  public var phase: ImagePhase { playback.phase }

  /// The image, as far as it is loaded; nil before its first frame.
  public var image: GIFImage? { playback.image }

  /// The current player; nil without an image and while hidden.
  public var player: GIFPlayer? { playback.player }

  /// The frame shown.
  public var shown: Frame? { playback.shown }

  /// Whether it plays, or plays as soon as it is ready and visible; false once all plays are over.
  public var isPlaying: Bool { playback.isPlaying }

  /// The playback position and whether it plays; nil without an animation.
  public var snapshot: PlaybackSnapshot? { playback.snapshot }

  /// The verdict on the image's flashes, and what became of it: see ``ImageProperties/flashPolicy``.
  public var flashState: FlashState { playback.flashState }

  /// Whether other images of its size play beside it, as in a grid.
  public var sharesField: Bool {
    get { playback.sharesField }
    set { playback.sharesField = newValue }
  }

  // MARK: Commands

  /// Performs a command.
  public func perform(_ command: ImageCommand) { playback.perform(command) }

  /// Shows another source and resumes from a snapshot; the earlier source is released.
  public func show(_ properties: ImageProperties, resuming snapshot: PlaybackSnapshot? = nil) {
    playback.show(properties, resuming: snapshot)
  }

  /// Holds the time while the user drags a handle; see ``/Gallop/GIFPlayer/beginScrubbing()``.
  public func beginScrubbing() { playback.beginScrubbing() }

  /// Shows a frame while scrubbing, the nearest of those that are played; a newer target replaces one that is
  /// not shown yet.
  public func scrub(toFrame frame: Int) { playback.scrub(toFrame: frame) }

  /// Continues from the last target if it played before.
  public func endScrubbing() { playback.endScrubbing() }

  // MARK: Layout and time

  /// Where the image is drawn, in the view's pixels; larger than the view with `cover`.
  public var imageRect: PixelRect {
    guard let size = imageSize else { return .empty }
    return properties.resizeMode.place(size, inWidth: frame.width, height: frame.height)
  }

  var imageSize: PixelSize? { image.flatMap { PixelSize(width: $0.width, height: $0.height) } }

  /// In CSS pixels.
  private var shownSize: PixelSize? {
    PixelSize(width: imageRect.width / scale, height: imageRect.height / scale)
  }

  private var decodeSize: PixelSize? {
    imageSize.flatMap { PictureLayout.decodeSize(of: $0, shownIn: imageRect) }
  }

  /// Requests frames of the new size.
  public override func layout() {
    if player != nil { sizeChanged() }
    playback.hasRoom = !bounds.isEmpty
  }

  /// Tells the player at once, as what is larger may flash more; frames of the new size wait until it rests.
  private func sizeChanged() {
    resizeDebounce.sizeChanged()
    if !bounds.isEmpty { playback.updateShownSize() }
  }

  /// Shows new frames and the progress of loading.
  public override func update(at now: PlaybackInstant) -> PlaybackInstant? {
    playback.update()
    if fading.advance(to: now) { invalidate() }
    if resizeDebounce.isDue(at: now) {
      playback.updateFrameSize()
      playback.updateShownSize()
    }
    return [fading.nextStep(after: now), resizeDebounce.deadline].compactMap { $0 }.min()
  }

  /// Loads, plays or stops as the visibility requires.
  public override func visibilityChanged(from former: Visibility) {
    if visibility == .hidden {
      isResuming = isResuming || shown != nil
      fading = Fade()
    }
    playback.visibility = visibility
    if visibility == .hidden { invalidate() }
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
    perform(.toggle)
  }
}
