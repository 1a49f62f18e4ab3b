internal import GIFCaching
internal import GIFDecoding
internal import GIFLoading
internal import GIFPlayback
internal import GIFTimeline

// Players and their events.
extension AnimatedImageView {
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
    if changes.contains(.order), let player {
      // Setting a value may emit an event, so only changed values are set.
      if player.mode != properties.mode { player.mode = properties.mode }
      if player.range != properties.range { player.setRange(properties.range) }
    }
    if changes.contains(.size) { resizeDebounce.sizeChanged() }
  }

  func setPlaying(_ plays: Bool) {
    if visibility == .visible, let player {
      if plays { player.play() } else { player.pause() }
    } else if plays {
      // A finished animation restarts when it is visible.
      if player?.state == .finished { player?.seek(to: .zero) }
      savedSnapshot = savedSnapshot?.commanded(plays: true)
    }
    guard plays != isPlaying else { return }
    isPlaying = plays
    emit(.playbackChanged(isPlaying: plays))
  }

  // MARK: Players

  /// Makes a player that starts from the saved position, if there is an image and the view needs one.
  func makePlayer() {
    guard player == nil, visibility != .hidden, !bounds.isEmpty, let player = newPlayer() else { return }
    start(player, from: savedSnapshot)
    savedSnapshot = nil
  }

  /// Replaces the player by one with the current properties; the frame stays until the next one is shown.
  func replacePlayer(keepsSchedule: Bool) {
    guard player != nil, var snapshot else { return }
    if !keepsSchedule { snapshot.elapsed = .zero }
    let hasFrame = shown != nil
    releasePlayer()
    guard let player = newPlayer() else { return }
    expectsSameFrame = hasFrame
    start(player, from: snapshot)
  }

  private func newPlayer() -> GIFPlayer? {
    guard let image else { return nil }
    var options = GIFPlayer.Options()
    options.mode = properties.mode
    options.range = properties.range
    options.rate = properties.rate
    options.delayPolicy = properties.delayPolicy
    options.latePolicy = properties.latePolicy
    options.loopCount = properties.loopCount
    if case .loading = phase { options.isComplete = false }
    if properties.decodesToSize { playerSize = decodeSize } else { playerSize = nil }
    options.size = playerSize
    options.cachePolicy = services.cachePolicy
    options.budget = services.budget
    playerNumber += 1
    let player = GIFPlayer(image, options: options, clock: services.clock, pool: services.pool)
    services.onPlayer(player, properties.source ?? "")
    subscription = queue.subscribe(to: player, number: playerNumber)
    self.player = player
    return player
  }

  private var decodeSize: PixelSize? {
    imageSize.flatMap { PicturePlace.decodeSize(of: $0, shownIn: imageRect) }
  }

  private func start(_ player: GIFPlayer, from snapshot: PlaybackSnapshot?) {
    let plays = isPlaying && visibility == .visible
    if var snapshot {
      if snapshot.state != .finished { snapshot.state = plays ? .playing : .paused }
      (snapshot.mode, snapshot.range, snapshot.rate) = (player.mode, player.range, player.rate)
      player.restore(snapshot)
    } else if plays {
      player.play()
    } else {
      player.seek(to: .zero)
    }
    // The first frame shows as far as it has arrived.
    if !player.isComplete { player.showPoster(0) }
    if isScrubbing { player.beginScrubbing() }
  }

  func releasePlayer() {
    playerNumber += 1
    subscription?.cancel()
    subscription = nil
    player?.pause()
    player = nil
    pendingChange = nil
    expectsSameFrame = false
    resizeDebounce = ResizeDebounce()
  }

  /// Releases the player and all frames, and keeps the playback position.
  func release() {
    savedSnapshot = snapshot
    isResuming = isResuming || shown != nil
    releasePlayer()
    shown = nil
    fading = Fade()
    invalidate()
  }

  // MARK: Events

  func processEvents(at now: PlaybackInstant) -> PlaybackInstant? {
    // An event may start another player, whose frames are there at once if decoding is inline.
    var last = -1
    while last != playerNumber {
      last = playerNumber
      for event in queue.takeAll(player: last) where last == playerNumber { handle(event, at: now) }
    }
    if fading.advance(to: now) { invalidate() }
    if resizeDebounce.isDue(at: now), player != nil,
      (properties.decodesToSize ? decodeSize : nil) != playerSize
    {
      replacePlayer(keepsSchedule: true)
    }
    return [fading.nextStep(after: now), resizeDebounce.deadline].compactMap { $0 }.min()
  }

  private func handle(_ event: PlayerEvent, at now: PlaybackInstant) {
    switch event {
    case .frameChange(let change): show(change, at: now)
    case .loopCompleted(let completion): emit(.loopCompleted(completion))
    case .finished:
      // A later command may play it again.
      if player?.state == .finished { isPlaying = false }
      emit(.finished)
    case .failed(let error):
      fail(GIFLoadingError(error, source: GIFSource.withoutCredentials(properties.source ?? "")))
    case .stateChanged, .buffering, .loading: break
    }
  }

  private func show(_ change: FrameChange, at now: PlaybackInstant) {
    let former = shown
    shown = change.frame
    if former == nil, !isResuming { fading.start(at: now, duration: properties.fade) }
    isResuming = false
    let isSameFrame = expectsSameFrame && former?.index == change.currentFrameIndex
    if former == nil || expectsSameFrame {
      invalidate()
    } else if let size = PixelSize(width: change.frame.pixels.width, height: change.frame.pixels.height) {
      invalidate(PicturePlace.shown(change.changedRect, of: size, in: imageRect))
    }
    expectsSameFrame = false
    guard !isSameFrame else { return }
    if visibility == .visible { emit(.frameChanged(change)) } else { pendingChange = change }
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
