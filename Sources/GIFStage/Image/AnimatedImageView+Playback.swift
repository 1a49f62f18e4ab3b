internal import GIFDecoding
internal import GIFPlayback

// From a source to pictures, and back to nothing.
extension AnimatedImageView {
  // MARK: Sources

  /// Starts with the present source.
  func begin() {
    isPlaying = properties.autoplays
    guard properties.source != nil else { return }
    phase = .waiting
    if presence != .hidden { load() }
  }

  private func load() {
    guard let source = properties.source, case .waiting = phase else { return }
    phase = .loading
    let (inbox, playback) = (inbox, playback)
    request = services.loader.load(source) { outcome in
      switch outcome {
      case .success(let image) where image.frameCount > 0: inbox.put(.loaded(image), playback: playback)
      case .success: inbox.put(.failed("no frames to show"), playback: playback)
      case .failure(let error): inbox.put(.failed(error.description), playback: playback)
      }
    }
  }

  /// Forgets the source and all that came of it.
  func end() {
    playback += 1
    request?.cancel()
    request = nil
    releasePlayer()
    resumption = nil
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
    if changes.contains(.order), let player { PlayerHandover.reorder(player, by: properties) }
    if changes.contains(.size) { sizing.sizeChanged() }
  }

  func presenceChanged(from former: Presence) {
    switch presence {
    case .hidden:
      resumption = snapshot
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
      if let change = heldChange {
        heldChange = nil
        emit(.frameChanged(change))
      }
      if isPlaying, player.state != .finished { player.play() }
    }
  }

  // MARK: Players

  func setPlaying(_ plays: Bool) {
    let isOver = player?.state == .finished || resumption?.isFinished == true
    if presence == .visible, let player {
      if plays { player.play() } else { player.pause() }
    } else if plays, isOver {
      // It begins anew once it is seen.
      player?.seek(to: .zero)
      resumption?.setPlaying(true)
    }
    guard plays != isPlaying || (plays && isOver) else { return }
    isPlaying = plays
    emit(.playbackChanged(isPlaying: plays))
  }

  /// Whether the player should run now.
  private var plays: Bool { isPlaying && presence == .visible }

  private var wantedSize: PixelSize? {
    guard properties.decodesToSize, let imageSize else { return nil }
    return PicturePlace.decodeSize(of: imageSize, shownIn: imageRect)
  }

  func makePlayer() {
    guard player == nil, presence != .hidden, !bounds.isEmpty, let player = newPlayer() else { return }
    PlayerHandover.restore(resumption ?? PlaybackSnapshot(), to: player, plays: plays)
    resumption = nil
  }

  /// Goes on with a player made by the present properties; the old picture stays until the new one is there.
  func replacePlayer(keepsSchedule: Bool) {
    guard let old = player else { return }
    let snapshot = PlayerHandover.snapshot(of: old, isPlaying: isPlaying)
    let frame = shown?.index
    releasePlayer()
    guard let player = newPlayer() else { return }
    expectsSamePicture = frame != nil
    if keepsSchedule {
      PlayerHandover.restore(snapshot, to: player, plays: plays)
    } else {
      PlayerHandover.goOn(atFrame: frame, with: player, plays: plays)
    }
  }

  private func newPlayer() -> GIFPlayer? {
    guard let image, image.frameCount > 0 else { return nil }
    playback += 1
    playerSize = wantedSize
    let player = PlayerHandover.makePlayer(
      image, properties: properties, size: playerSize, services: services)
    subscription = inbox.subscribe(to: player, playback: playback)
    self.player = player
    return player
  }

  func releasePlayer() {
    subscription?.cancel()
    subscription = nil
    player?.pause()
    player = nil
    heldChange = nil
    expectsSamePicture = false
    sizing = SizingDelay()
  }

  // MARK: What comes in

  func takeIn(at now: PlaybackInstant) -> PlaybackInstant? {
    // An event may begin another playback, whose pictures are there at once if decoding is inline.
    var lastPlayback = -1
    while lastPlayback != playback {
      lastPlayback = playback
      for kind in inbox.takeAll(playback: playback) where playback == lastPlayback { handle(kind, at: now) }
    }
    if fading.advance(to: now) { invalidate() }
    if sizing.isDue(at: now), player != nil, wantedSize != playerSize { replacePlayer(keepsSchedule: true) }
    return [fading.nextStep(after: now), sizing.deadline].compactMap { $0 }.min()
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
    if presence == .visible { emit(.frameChanged(change)) } else { heldChange = change }
  }
}
