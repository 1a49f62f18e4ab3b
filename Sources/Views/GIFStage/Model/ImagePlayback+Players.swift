internal import EngineSupport
internal import GIFCaching
internal import GIFDecoding
internal import GIFFlashes
internal import GIFLoading
internal import GIFPlayback
internal import GIFTimeline

// Players and their events.
extension ImagePlayback {
  /// Makes a player that starts from the saved position, if there is an image and one is needed.
  ///
  /// - Parameter former: the one of this image that was here before.
  func makePlayer(replacing former: GIFPlayer? = nil) {
    guard player == nil, visibility != .hidden, hasRoom, let player = newPlayer(replacing: former)
    else { return }
    start(player, from: savedSnapshot)
    savedSnapshot = nil
  }

  /// Replaces the player if frames of another size are wanted; playback goes on.
  func updateFrameSize() {
    if player != nil, wantedSize != playerSize { replacePlayer(keepsSchedule: true) }
  }

  /// Replaces the player by one with the current properties; the frame stays until the next one is shown.
  func replacePlayer(keepsSchedule: Bool) {
    guard let former = player, var snapshot else { return }
    if !keepsSchedule { snapshot.elapsed = .zero }
    let hasFrame = shown != nil
    releasePlayer()
    guard let player = newPlayer(replacing: former) else { return }
    expectsSameFrame = hasFrame
    start(player, from: snapshot)
  }

  private func newPlayer(replacing former: GIFPlayer?) -> GIFPlayer? {
    guard let image else { return nil }
    playerSize = wantedSize
    var options = properties.playerOptions
    options.isComplete = isComplete
    options.visibility = playerVisibility
    options.size = playerSize
    if playsFlashes { options.flashPolicy = .warn }
    (options.shownSize, options.sharesField) = (shownSize(), sharesField)
    options.cachePolicy = services.cachePolicy
    options.budget = services.budget
    let player = GIFPlayer(image, options: options, clock: services.clock, pool: services.pool)
    if let former { player.replaceFlashes(of: former) }
    services.onPlayer(player, properties.source ?? "")
    playerNumber += 1
    subscription = player.onEvent { [events, wake = services.wake, number = playerNumber] event in
      guard event.concernsViews else { return }
      // What is dropped is released outside the lock.
      _ = events.withLock { $0.append(PlayerEntry(player: number, event: event)) }
      wake()
    }
    self.player = player
    return player
  }

  private var wantedSize: PixelSize? { properties.decodesToSize ? decodeSize() : nil }

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
  }

  // MARK: Events

  /// Takes what has arrived, and the events of the player.
  package func update() {
    takeProgress()
    // An event may start another player, whose frames are there at once if decoding is inline.
    var last = -1
    while last != playerNumber {
      last = playerNumber
      for entry in events.withLock({ $0.takeAll() }) where entry.player == last && last == playerNumber {
        handle(entry.event)
      }
    }
  }

  private func handle(_ event: PlayerEvent) {
    switch event {
    case .frameChange(let change): show(change)
    case .loopCompleted(let completion): onEvent?(.loopCompleted(completion))
    case .finished:
      // A later command may play it again.
      if player?.state == .finished { isPlaying = false }
      onEvent?(.finished)
    case .flashes(let state): onEvent?(.flashesJudged(state))
    case .failed(let error): fail(GIFLoadingError(error, source: source))
    case .stateChanged, .buffering, .loading: break
    }
  }

  private func show(_ change: FrameChange) {
    let former = shown
    shown = change.frame
    let isSameFrame = expectsSameFrame && former?.index == change.currentFrameIndex
    let isWhole = former == nil || expectsSameFrame
    expectsSameFrame = false
    onFrame?(change, former, isWhole)
    guard !isSameFrame else { return }
    if visibility == .visible { onEvent?(.frameChanged(change)) } else { pendingChange = change }
  }
}

extension PlayerEvent {
  /// Whether a playback's owner is told of such an event.
  fileprivate var concernsViews: Bool {
    switch self {
    // A status says that playback waits.
    case .frameChange, .loopCompleted, .finished, .failed, .buffering, .flashes: true
    case .stateChanged, .loading: false
    }
  }

  /// Whether a later event makes up for the loss of this one.
  var mayBeDropped: Bool {
    switch self {
    case .frameChange, .loopCompleted, .buffering: true
    default: false
    }
  }
}
