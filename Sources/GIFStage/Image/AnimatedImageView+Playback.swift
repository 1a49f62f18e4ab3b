internal import GIFDecoding
internal import GIFPlayback
internal import GIFTimeline

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
    let (inbox, episode) = (inbox, episode)
    request = services.loader.load(source) { inbox.put(.loaded($0), episode: episode) }
  }

  /// Forgets the source and all that came of it.
  func end() {
    episode += 1
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
    episode += 1
    playerSize = wantedSize
    let player = PlayerHandover.makePlayer(
      image, properties: properties, size: playerSize, services: services)
    subscriptions = inbox.listen(to: player, episode: episode)
    self.player = player
    return player
  }

  func releasePlayer() {
    for subscription in subscriptions { subscription.cancel() }
    subscriptions = []
    player?.pause()
    player = nil
    heldChange = nil
    expectsSamePicture = false
    sizing = SizingDelay()
  }

  // MARK: What comes in

  func takeIn(at now: PlaybackInstant) -> PlaybackInstant? {
    // Taking in a message may begin another episode, and with inline decoding its pictures are there at once.
    var lastEpisode = -1
    while lastEpisode != episode {
      lastEpisode = episode
      for message in inbox.takeAll(episode: episode) where episode == lastEpisode { take(message, at: now) }
    }
    if fading.advance(to: now) { invalidate() }
    if sizing.isDue(at: now), player != nil, wantedSize != playerSize { replacePlayer(keepsSchedule: true) }
    return [fading.nextStep(after: now), sizing.deadline].compactMap { $0 }.min()
  }

  private func take(_ message: ViewInbox.Message, at now: PlaybackInstant) {
    switch message {
    case .loaded(.success(let image)):
      request = nil
      guard image.frameCount > 0 else { return fail("no frames to show") }
      phase = .ready(image)
      emit(.loaded(image))
      makePlayer()
    case .loaded(.failure(let error)): fail(error.description)
    case .failed(let error): fail(error.description)
    case .frameChanged(let change): show(change, at: now)
    case .loopCompleted(let completion): emit(.loopCompleted(completion))
    case .finished: emit(.finished)
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
