internal import GIFCaching
package import GIFDecoding
internal import GIFPlayback
package import GIFTimeline

/// A display of one image or several, to which a user's commands apply: the window's scene, the terminal's
/// wall.
///
/// ``apply(_:)`` says what each command does. The display has the places of items, help and overlay.
package protocol SceneDisplay: AnyObject {
  /// What the user has chosen.
  var state: SceneState { get set }
  /// The clock, the budget and the loader of all images.
  var services: StageServices { get }
  var recorder: StatisticsRecorder { get set }
  /// Bytes of memory in use by the process.
  var memoryInUse: Int64? { get }
  /// The properties that all images have in common; what one may have of its own is not to be read here.
  var imageProperties: ImageProperties { get }
  /// The playbacks of the items in sight.
  var playbacks: [ImagePlayback] { get }
  /// The columns of the wall.
  var columns: Int { get }

  /// The playback of an item; nil while it is out of sight and has none.
  func playback(of item: Int) -> ImagePlayback?
  func name(of item: Int) -> String
  /// Performs a command on all items, in sight or not.
  func performOnAll(_ command: ImageCommand)
  /// Changes the properties of all images, except source and range.
  func changeAll(_ change: (inout ImageProperties) -> Void)
  /// The range of frames that an item plays; nil for all.
  func range(ofItem item: Int) -> Range<Int>?
  /// Limits an item to a range of frames; nil for all.
  func setRange(_ range: Range<Int>?, ofItem item: Int)

  /// Places everything again after a change of the state.
  func arrange()
  /// Shows another item alone, or the wall again.
  ///
  /// - Parameter former: the item that was alone.
  func openedChanged(from former: Int?)
  /// Scrolls the wall until an item is in sight.
  func reveal(_ item: Int, isAnimated: Bool)
  func scroll(_ amount: WallScroll)

  /// Called for each change by the user.
  var onEvent: ((SceneEvent) -> Void)? { get }
  /// Called for the quit command.
  var onQuit: (() -> Void)? { get }
  /// Enters or leaves the full screen; returns whether it has done so.
  var onFullscreen: ((_ isFull: Bool) -> Bool)? { get }
  /// Saves a part of an item; returns a message for the user.
  var onSave: ((_ item: Int, _ image: GIFImage, _ part: SavedPart) -> String)? { get }
}

/// How far a wall scrolls, down if positive.
package enum WallScroll: Sendable, Hashable {
  case rows(Int)
  case pages(Int)
  case start, end
}

extension SceneDisplay {
  package var onEvent: ((SceneEvent) -> Void)? { nil }
  package var onFullscreen: ((_ isFull: Bool) -> Bool)? { nil }

  /// What the overlay says.
  package var statistics: SceneStatistics {
    let name = state.itemCount == 0 ? "" : name(of: state.selected)
    return SceneStatistics(
      subject: OverlaySubject(name: name, playback: playback(of: state.selected)), recorder: recorder)
  }

  /// Takes a sample for the overlay where it is time for one; returns whether it was.
  package func sampleStatistics(at now: PlaybackInstant) -> Bool {
    func totals() -> PlayerTotals {
      PlayerTotals(players: playbacks.compactMap(\.player), budget: services.budget.snapshot)
    }
    return recorder.sample(at: now, memory: { memoryInUse }, totals: totals)
  }
}

extension SceneDisplay {
  /// Performs a command. Speed, order and resize mode apply to all images, others to the selected one.
  package func apply(_ command: SceneCommand) {
    switch command {
    case .togglePlayback: togglePlayback()
    case .step(let count):
      revealSelected()
      playback(of: state.selected)?.perform(.step(by: count))
    case .firstFrame: seek { $0.lowerBound }
    case .lastFrame: seek { $0.upperBound - 1 }
    case .faster: setRate(imageProperties.rate * SceneCommand.rateFactor)
    case .slower: setRate(imageProperties.rate / SceneCommand.rateFactor)
    case .normalRate: setRate(1)
    case .toggleReverse: toggle(.reverse)
    case .toggleBounce: toggle(.bounce)
    case .setRangeStart, .setRangeEnd: setRangeEnd(command)
    case .clearRange: clearRange()
    case .nextResizeMode:
      let mode = imageProperties.resizeMode.next
      changeAll { $0.resizeMode = mode }
      arrange()
      onEvent?(.resizeModeChanged(mode))
    case .toggleOverlay:
      state.showsOverlay.toggle()
      arrange()
    case .toggleHelp:
      state.showsHelp.toggle()
      arrange()
    case .scroll(let rows): scroll(.rows(rows))
    case .scrollPage(let pages): scroll(.pages(pages))
    case .scrollToStart: scroll(.start)
    case .scrollToEnd: scroll(.end)
    case .select(let offset): goTo(state.item(by: offset))
    case .selectRow(let rows): goTo(state.item(byRows: rows, columns: columns))
    case .open: open(state.selected)
    case .saveFrame: save { $0.shown.map { .frame($0.index) } }
    case .saveRange: save { $0.range.isEmpty ? nil : .range($0.range) }
    case .toggleFullscreen: setFullscreen(!state.isFullscreen)
    case .back: goBack()
    case .quit: onQuit?()
    }
  }

  /// Closes the help or the item shown alone, leaves the full screen, or quits.
  private func goBack() {
    if state.showsHelp {
      apply(.toggleHelp)
    } else if state.opened != nil {
      open(nil)
    } else if state.isFullscreen {
      setFullscreen(false)
    } else {
      onQuit?()
    }
  }

  private func setFullscreen(_ isFull: Bool) {
    if onFullscreen?(isFull) == true { state.isFullscreen = isFull }
  }

  private func save(_ part: (ImagePlayback) -> SavedPart?) {
    guard let onSave else { return }
    var message = "no frame to save yet"
    if let playback = playback(of: state.selected), let image = playback.image, let part = part(playback) {
      message = onSave(state.selected, image, part)
    }
    state.show(message: message, at: services.clock.now)
  }

  // MARK: Playback

  /// An image alone is toggled, or loaded again after a failure; of a wall all pause if any in sight plays.
  private func togglePlayback() {
    guard let item = state.alone else {
      return performOnAll(playbacks.contains { $0.isPlaying } ? .pause : .play)
    }
    playback(of: item)?.perform(.toggle)
  }

  private func seek(_ frame: (_ range: Range<Int>) -> Int) {
    revealSelected()
    guard let playback = playback(of: state.selected), !playback.range.isEmpty else { return }
    playback.perform(.seek(toFrame: frame(playback.range)))
  }

  /// Brings the selected item into sight, where it has a playback, to which commands and drags apply.
  package func revealSelected() {
    if playback(of: state.selected) == nil { reveal(state.selected, isAnimated: false) }
  }

  private func setRate(_ rate: Double) {
    let rate = PlaybackRate.clamped(rate)
    changeAll { $0.rate = rate }
    onEvent?(.rateChanged(rate))
  }

  private func toggle(_ mode: PlaybackMode) {
    let mode = imageProperties.mode == mode ? .forward : mode
    changeAll { $0.mode = mode }
    onEvent?(.modeChanged(mode))
  }

  private func setRangeEnd(_ command: SceneCommand) {
    // The player's own frame: after a step it is there before it is seen.
    guard let playback = playback(of: state.selected),
      let frame = playback.player?.currentFrameIndex ?? playback.shown?.index,
      let count = playback.image?.frameCount
    else { return }
    limit(state.selected, to: command.range(at: frame, played: playback.range), frameCount: count)
  }

  private func clearRange() {
    guard let count = playback(of: state.selected)?.image?.frameCount else { return }
    limit(state.selected, to: 0..<count, frameCount: count)
  }

  /// Limits an item to a range of frames; a range of all frames removes the limit.
  package func limit(_ item: Int, to range: Range<Int>, frameCount: Int) {
    let all = 0..<frameCount
    let range = range.clamped(to: all)
    let former = self.range(ofItem: item) ?? all
    setRange(range == all ? nil : range, ofItem: item)
    if range != former { onEvent?(.rangeChanged(item: item, range)) }
  }

  // MARK: Selection

  package func select(_ item: Int) {
    guard item != state.selected, (0..<state.itemCount).contains(item) else { return }
    state.selected = item
    onEvent?(.selected(item: item))
  }

  /// Selects an item and brings it into sight, alone if the selected one is.
  private func goTo(_ item: Int?) {
    guard let item else { return }
    if state.opened != nil { open(item) } else { select(item) }
    reveal(item, isAnimated: true)
  }

  /// Shows an item of a wall alone, or the wall again (nil).
  package func open(_ item: Int?) {
    guard state.itemCount > 1, item != state.opened, item.map((0..<state.itemCount).contains) ?? true else {
      return
    }
    if let item { select(item) }
    let former = state.opened
    state.opened = item
    openedChanged(from: former)
    onEvent?(.opened(item: item))
  }
}
