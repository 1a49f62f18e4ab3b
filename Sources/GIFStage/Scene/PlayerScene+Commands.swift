internal import GIFDecoding
internal import GIFPlayback
internal import GIFTimeline

extension PlayerScene {
  /// Performs the command of a key; returns whether there is one.
  @discardableResult
  public func press(_ key: StageKey) -> Bool {
    guard let command = SceneCommand(key, isWall: grid != nil) else { return false }
    perform(command)
    return true
  }

  /// Performs a command. Speed, order and resize mode apply to all images, other commands to the selected one.
  public func perform(_ command: SceneCommand) {
    switch command {
    case .togglePlayback: togglePlayback()
    case .step(let count): selectedView?.perform(.step(by: count))
    case .faster: setRate(imageProperties.rate * SceneCommand.rateFactor)
    case .slower: setRate(imageProperties.rate / SceneCommand.rateFactor)
    case .normalRate: setRate(1)
    case .toggleReverse: toggle(.reverse)
    case .toggleBounce: toggle(.bounce)
    case .setRangeStart, .setRangeEnd: setRangeEnd(command)
    case .clearRange: setRange(nil)
    case .nextResizeMode:
      imageProperties.resizeMode = imageProperties.resizeMode.next
      onEvent?(.resizeModeChanged(imageProperties.resizeMode))
    case .toggleOverlay: overlay.isHidden.toggle()
    case .firstFrame: seek { $0.lowerBound }
    case .lastFrame: seek { $0.upperBound - 1 }
    case .scroll(let rows):
      if let grid { grid.scroll(by: Self.way(rows, of: grid.gridLayout.cellHeight + 10 * scale)) }
    case .scrollPage(let pages): grid?.scroll(by: Self.way(pages, of: contentView.frame.height * 9 / 10))
    case .scrollToStart: grid?.scrollToItem(0, at: .top, isAnimated: true)
    case .scrollToEnd: grid?.scrollToItem(items.count - 1, at: .bottom, isAnimated: true)
    case .select(let offset): selectOther(by: offset)
    case .quit: onQuit?()
    }
  }

  /// A multiple of a length, clamped to the range of integers.
  private static func way(_ count: Int, of length: Int) -> Int {
    let (way, isOverflow) = count.multipliedReportingOverflow(by: length)
    return isOverflow ? (count < 0 ? .min : .max) : way
  }

  private var imageProperties: ImageProperties {
    get {
      switch content {
      case .single(let view): view.properties
      case .wall(let grid): grid.properties.image
      }
    }
    set {
      switch content {
      case .single(let view): view.properties = newValue
      case .wall(let grid): grid.properties.image = newValue
      }
    }
  }

  private func togglePlayback() {
    switch content {
    case .single(let view): view.perform(.toggle)
    case .wall(let grid):
      let isAnyPlaying = grid.imageViews.contains { $0.view.isPlaying }
      grid.perform(isAnyPlaying ? .pause : .play)
    }
  }

  private func setRate(_ rate: Double) {
    imageProperties.rate = PlaybackRate.clamped(rate)
    onEvent?(.rateChanged(imageProperties.rate))
  }

  private func toggle(_ mode: PlaybackMode) {
    imageProperties.mode = imageProperties.mode == mode ? .forward : mode
    onEvent?(.modeChanged(imageProperties.mode))
  }

  private func setRangeEnd(_ command: SceneCommand) {
    guard let view = selectedView, let frame = view.shown?.index, let count = view.image?.frameCount else {
      return
    }
    setRange(command.range(at: frame, played: view.properties.range ?? 0..<count))
  }

  private func seek(_ frame: (Range<Int>) -> Int) {
    guard let view = selectedView, let player = view.player else { return }
    view.perform(.seek(toFrame: frame(player.timeline.range)))
  }

  private func selectOther(by offset: Int) {
    guard let grid, !items.isEmpty else { return }
    let count = items.count
    select(((selectedItem + offset % count) + count) % count)
    grid.scrollToItem(selectedItem, at: .nearest, isAnimated: true)
  }
}
