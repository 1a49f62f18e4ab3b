internal import EngineSupport
internal import GIFCaching
package import GIFDecoding
package import GIFFlashes
internal import GIFLoading
package import GIFPlayback
package import GIFTimeline

/// The playback of an image's source, without pixels and cells: it loads, has a player, or has failed.
///
/// A view and a tile of the terminal show one each. It belongs to one thread, on which ``update()`` takes
/// what the loader and the player have to tell; ``StageServices/wake`` says when there is something.
package final class ImagePlayback {
  /// The state of loading.
  package internal(set) var phase = ImagePhase.empty
  /// How the image is shown and played; each property may be set at any time.
  package var properties: ImageProperties {
    didSet { apply(properties.changes(from: oldValue)) }
  }
  /// Whether it plays, or plays as soon as it is ready and visible; false once all plays are over.
  package internal(set) var isPlaying = true
  package internal(set) var shown: Frame?
  /// The current player; nil without an image and while hidden.
  package internal(set) var player: GIFPlayer?
  /// Whether the view is seen. A hidden one releases its player and its frames, and resumes in place.
  package var visibility = Visibility.hidden {
    didSet { if visibility != oldValue { visibilityChanged() } }
  }
  /// Whether the player of a view in sight is seen, which the terminal sets for what it covers. One that is
  /// not keeps its schedule, and decodes and shows nothing.
  package var playerVisibility = Visibility.visible {
    didSet { if playerVisibility != oldValue { player?.visibility = playerVisibility } }
  }
  /// Whether there is any room for frames; without it there is no player.
  package var hasRoom = true {
    didSet { if hasRoom { makePlayer() } }
  }

  /// Called for each event, with the frames of a visible image.
  package var onEvent: ((ViewEvent.Kind) -> Void)?
  /// Called for each new frame of the player.
  ///
  /// - Parameters:
  ///   - former: the frame that was shown before.
  ///   - isWhole: whether all of the picture is drawn again.
  var onFrame: ((_ change: FrameChange, _ former: Frame?, _ isWhole: Bool) -> Void)?
  /// Called when more has arrived, or none will.
  var onProgress: (() -> Void)?
  /// Called when the source is given up, with all that was shown.
  var onEnd: (() -> Void)?
  /// The size of the frames to decode where ``ImageProperties/decodesToSize`` asks for it; nil for their own.
  var decodeSize: () -> PixelSize? = { nil }

  /// The size at which the frames are shown, in CSS pixels; nil for their own.
  package var shownSize: () -> PixelSize? = { nil }
  /// Whether other images of its size play beside it.
  package var sharesField = false {
    didSet { if sharesField != oldValue { player?.sharesField = sharesField } }
  }
  /// Whether the user has asked to play it in spite of its flashes.
  var playsFlashes = false

  let services: StageServices
  let events = Lock(EventBuffer<PlayerEntry>(limit: eventLimit) { $0.event.mayBeDropped })
  /// The number of the current player, to drop events of earlier ones.
  var playerNumber = 0
  var subscription: Subscription?
  var load: LoadingStates.Load?
  /// The playback position for the next player.
  var savedSnapshot: PlaybackSnapshot?
  /// The frame size of the player.
  var playerSize: PixelSize?
  /// A frame change that happened while the image was near.
  var pendingChange: FrameChange?
  /// Whether the next frame is the current one decoded at another size.
  var expectsSameFrame = false
  var isScrubbing = false

  /// The number of frames and loops kept for a slow owner; the oldest are dropped first.
  private static let eventLimit = 128

  struct PlayerEntry { var player: Int, event: PlayerEvent }

  /// Creates a playback, which loads once it is visible or near.
  package init(_ properties: ImageProperties = ImageProperties(), services: StageServices) {
    self.properties = properties
    self.services = services
    begin()
  }

  deinit { subscription?.cancel() }

  // MARK: State

  /// The image, as far as it is loaded; nil before its first frame.
  package var image: GIFImage? {
    let image: GIFImage? =
      switch phase {
      case .ready(let image): image
      case .loading(let state): state?.image
      case .failed(let error): error.partialImage
      case .empty, .waiting: nil
      }
    return image.flatMap { $0.frameCount > 0 ? $0 : nil }
  }

  /// The reason that nothing can be shown; nil if something can.
  package var failure: String? {
    guard case .failed(let error) = phase, error.partialImage == nil else { return nil }
    return error.reason(for: source)
  }

  /// Whether playback waits for more of the file.
  package var isStalled: Bool { player?.bufferingReason == .source }

  /// The progress of loading in words; nil if it does not load.
  package var progress: String? {
    guard case .loading(let state) = phase else { return nil }
    return LoadingText.progress(state, isStalled: isStalled)
  }

  /// The frames that are played; empty without a player.
  package var range: Range<Int> { player?.timeline.range ?? 0..<0 }

  /// The playback position and whether it plays; nil without an animation.
  var snapshot: PlaybackSnapshot? {
    guard var snapshot = player?.snapshot ?? savedSnapshot else { return nil }
    if snapshot.state != .finished { snapshot.state = isPlaying ? .playing : .paused }
    return snapshot
  }

  /// The source as errors name it.
  var source: String {
    let text = properties.source ?? ""
    return (try? GIFSource(text))?.description ?? GIFSource.withoutCredentials(text)
  }

  // MARK: Commands

  package func perform(_ command: ImageCommand) {
    switch command {
    case .play: setPlaying(true)
    case .pause: setPlaying(false)
    case .toggle:
      if isHeld { allowFlashes() }
      guard failure != nil else { return setPlaying(!isPlaying) }
      perform(.reload)
      setPlaying(true)
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

  /// Holds the time while the user drags a handle.
  package func beginScrubbing() {
    isScrubbing = true
    player?.beginScrubbing()
  }

  /// Shows a frame while scrubbing, the nearest of those that are played.
  package func scrub(toFrame frame: Int) {
    if !isScrubbing { beginScrubbing() }
    let range = range
    guard let last = range.last else { return }
    player?.scrub(toFrame: min(last, max(range.lowerBound, frame)))
  }

  /// Continues from the last target if it played before.
  package func endScrubbing() {
    isScrubbing = false
    player?.endScrubbing()
  }

  /// Shows another source and resumes from a snapshot; the earlier source is released.
  func show(_ properties: ImageProperties, resuming snapshot: PlaybackSnapshot?) {
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
    guard let former = player else {
      savedSnapshot = snapshot
      return
    }
    releasePlayer()
    savedSnapshot = snapshot
    makePlayer(replacing: former)
  }

  // MARK: Properties

  private func apply(_ changes: ImageProperties.Changes) {
    if changes.contains(.source) {
      end()
      begin()
      return
    }
    if changes.contains(.rate) { player?.rate = properties.rate }
    if changes.contains(.flashPolicy) { forbidFlashes() }
    if changes.contains(.schedule) {
      replacePlayer(keepsSchedule: false)
    } else if changes.contains(.order), let player {
      // Setting a value may emit an event, so only changed values are set.
      if player.mode != properties.mode { player.mode = properties.mode }
      if player.range != properties.range { player.setRange(properties.range) }
    }
  }

  /// What the player does about flashes.
  package var flashState: FlashState { player?.flashState ?? .unjudged }

  /// Whether it stands because of its flashes.
  package var isHeld: Bool { if case .held = flashState { true } else { false } }

  /// Whether it stands, as there is no verdict yet.
  package var awaitsVerdict: Bool {
    flashState == .judging && isComplete && properties.flashPolicy != .warn && !playsFlashes
  }

  /// Plays an image that is held, as its user asks; the next toggle pauses it.
  private func allowFlashes() {
    playsFlashes = true
    isPlaying = false
    player?.flashPolicy = .warn
  }

  /// Follows the policy again where the user has let the image play.
  func forbidFlashes() {
    playsFlashes = false
    player?.flashPolicy = properties.flashPolicy
  }

  /// Has the flashes judged at the size at which the frames are shown now.
  package func updateShownSize() { player?.shownSize = shownSize() }

  private func setPlaying(_ plays: Bool) {
    if visibility == .visible, let player {
      if plays { player.play() } else { player.pause() }
    } else if plays {
      // A finished animation restarts when it is visible.
      if player?.state == .finished { player?.seek(to: .zero) }
      savedSnapshot = savedSnapshot?.commanded(plays: true)
    }
    guard plays != isPlaying else { return }
    isPlaying = plays
    onEvent?(.playbackChanged(isPlaying: plays))
  }

  private func visibilityChanged() {
    switch visibility {
    case .hidden:
      // The playback position is kept.
      savedSnapshot = snapshot
      releasePlayer()
      shown = nil
    case .near:
      player?.pause()
      startLoading()
      makePlayer()
    case .visible:
      startLoading()
      guard let player else { return makePlayer() }
      if let change = pendingChange {
        pendingChange = nil
        onEvent?(.frameChanged(change))
      }
      if isPlaying { player.play() }
    }
  }
}

extension PlaybackSnapshot {
  /// The position after a command to play or pause; a finished animation starts again.
  func commanded(plays: Bool) -> PlaybackSnapshot {
    guard plays, state == .finished else {
      var snapshot = self
      if state != .finished { snapshot.state = plays ? .playing : .paused }
      return snapshot
    }
    return PlaybackSnapshot(state: .playing, mode: mode, range: range, rate: rate)
  }
}
