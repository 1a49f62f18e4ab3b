internal import GIFDecoding
internal import GIFPlayback
internal import GIFTimeline

// Loading, players and their events.
extension AnimatedImageView {
  // MARK: Sources

  /// Starts with the current source.
  func begin() {
    isPlaying = properties.autoplays
    guard properties.source != nil else { return }
    phase = .waiting
    if presence != .hidden { load() }
  }

  private func load() {
    guard let source = properties.source, case .waiting = phase else { return }
    phase = .loading
    let (queue, playback) = (queue, playback)
    request = services.loader.load(source) { outcome in
      switch outcome {
      case .success(let image) where image.frameCount > 0: queue.put(.loaded(image), playback: playback)
      case .success: queue.put(.failed("no frames to show"), playback: playback)
      case .failure(let error): queue.put(.failed(error.description), playback: playback)
      }
    }
  }

  /// Cancels loading and releases the player and the picture.
  func end() {
    playback += 1
    request?.cancel()
    request = nil
    releasePlayer()
    savedSnapshot = nil
    shown = nil
    fading = Fade()
    phase = .empty
    invalidate()
  }

  func apply(_ changes: ImageProperties.Changes) {
    if changes.contains(.appearance) { invalidate() }
    if changes.contains(.source) {
      end()
      begin()
      return
    }
    if changes.contains(.rate) { player?.rate = properties.rate }
    if changes.contains(.schedule) {
      replacePlayer(keepsSchedule: false)
      return
    }
    if changes.contains(.order), let player { PlayerRestoration.reorder(player, by: properties) }
    if changes.contains(.size) { resizeDebounce.sizeChanged() }
  }

  func presenceChanged(from former: Presence) {
    switch presence {
    case .hidden:
      savedSnapshot = snapshot
      releasePlayer()
      shown = nil
      fading = Fade()
      invalidate()
    case .nearby:
      player?.pause()
      load()
      makePlayer()
    case .visible:
      load()
      guard let player else { return makePlayer() }
      if let change = pendingChange {
        pendingChange = nil
        emit(.frameChanged(change))
      }
      if isPlaying, player.state != .finished { player.play() }
    }
  }

  // MARK: Players

  func setPlaying(_ plays: Bool) {
    let isOver = player?.state == .finished || savedSnapshot?.isFinished == true
    if presence == .visible, let player {
      if plays { player.play() } else { player.pause() }
    } else if plays, isOver {
      // Playback restarts when the view is visible.
      player?.seek(to: .zero)
      savedSnapshot?.setPlaying(true)
    }
    guard plays != isPlaying || (plays && isOver) else { return }
    isPlaying = plays
    emit(.playbackChanged(isPlaying: plays))
  }

  /// Whether the player should play now.
  private var plays: Bool { isPlaying && presence == .visible }

  private var wantedSize: PixelSize? {
    guard properties.decodesToSize, let imageSize else { return nil }
    return PicturePlace.decodeSize(of: imageSize, shownIn: imageRect)
  }

  func makePlayer() {
    guard player == nil, presence != .hidden, !bounds.isEmpty, let player = newPlayer() else { return }
    PlayerRestoration.restore(savedSnapshot ?? PlaybackSnapshot(), to: player, plays: plays)
    savedSnapshot = nil
  }

  /// Replaces the player by one with the current properties; the picture stays until the next one is shown.
  func replacePlayer(keepsSchedule: Bool) {
    guard let old = player else { return }
    let snapshot = PlayerRestoration.snapshot(of: old, isPlaying: isPlaying)
    let frame = shown?.index
    releasePlayer()
    guard let player = newPlayer() else { return }
    expectsSamePicture = frame != nil
    if keepsSchedule {
      PlayerRestoration.restore(snapshot, to: player, plays: plays)
    } else {
      PlayerRestoration.resume(atFrame: frame, with: player, plays: plays)
    }
  }

  private func newPlayer() -> GIFPlayer? {
    guard let image, image.frameCount > 0 else { return nil }
    playback += 1
    playerSize = wantedSize
    let player = PlayerRestoration.makePlayer(
      image, properties: properties, size: playerSize, services: services)
    subscription = queue.subscribe(to: player, playback: playback)
    self.player = player
    return player
  }

  func releasePlayer() {
    subscription?.cancel()
    subscription = nil
    player?.pause()
    player = nil
    pendingChange = nil
    expectsSamePicture = false
    resizeDebounce = ResizeDebounce()
  }

  // MARK: Events

  func processEvents(at now: PlaybackInstant) -> PlaybackInstant? {
    // An event may begin another playback, whose pictures are there at once if decoding is inline.
    var lastPlayback = -1
    while lastPlayback != playback {
      lastPlayback = playback
      for kind in queue.takeAll(playback: playback) where playback == lastPlayback { handle(kind, at: now) }
    }
    if fading.advance(to: now) { invalidate() }
    if resizeDebounce.isDue(at: now), player != nil, wantedSize != playerSize {
      replacePlayer(keepsSchedule: true)
    }
    return [fading.nextStep(after: now), resizeDebounce.deadline].compactMap { $0 }.min()
  }

  private func handle(_ kind: ViewEvent.Kind, at now: PlaybackInstant) {
    switch kind {
    case .loaded(let image):
      request = nil
      phase = .ready(image)
      emit(kind)
      makePlayer()
    case .failed(let reason): fail(reason)
    case .frameChanged(let change): show(change, at: now)
    default: emit(kind)
    }
  }

  private func fail(_ reason: String) {
    releasePlayer()
    request = nil
    shown = nil
    phase = .failed(reason)
    invalidate()
    emit(.failed(reason))
  }

  private func show(_ change: FrameChange, at now: PlaybackInstant) {
    let former = shown
    shown = change.frame
    if former == nil { fading.start(at: now, duration: properties.fade) }
    let isSamePicture = expectsSamePicture && former?.index == change.currentFrameIndex
    if former == nil || expectsSamePicture {
      invalidate()
    } else if let size = PixelSize(width: change.frame.pixels.width, height: change.frame.pixels.height) {
      invalidate(PicturePlace.shown(change.changedRect, of: size, in: imageRect))
    }
    expectsSamePicture = false
    guard !isSamePicture else { return }
    if presence == .visible { emit(.frameChanged(change)) } else { pendingChange = change }
  }
}
