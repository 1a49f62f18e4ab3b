internal import GIFDecoding
internal import GIFPlayback
internal import GIFTimeline

extension PlayerScene {
  /// Performs the command of a key; returns whether there is one.
  @discardableResult
  public func press(_ key: StageKey) -> Bool {
    guard let command = command(of: key) else { return false }
    perform(command)
    return true
  }

  private func command(of key: StageKey) -> SceneCommand? {
    SceneCommand(key, in: grid == nil ? .single : openedItem == nil ? .wall : .opened)
  }

  /// Performs a command. Speed, order and resize mode apply to all images, other commands to the selected
  /// one.
  public func perform(_ command: SceneCommand) {
    switch command {
    case .togglePlayback: togglePlayback()
    case .step(let count):
      revealSelectedItem()
      selectedView?.perform(.step(by: count))
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
    case .toggleOverlay:
      overlay.isHidden.toggle()
      layout()
    case .firstFrame: seek { $0.lowerBound }
    case .lastFrame: seek { $0.upperBound - 1 }
    case .scroll(let rows):
      if let grid { grid.scroll(by: Self.way(rows, of: grid.gridLayout.cellHeight + 10 * scale)) }
    case .scrollPage(let pages): grid?.scroll(by: Self.way(pages, of: contentView.frame.height * 9 / 10))
    case .scrollToStart: grid?.scrollToItem(0, at: .top, isAnimated: true)
    case .scrollToEnd: grid?.scrollToItem(items.count - 1, at: .bottom, isAnimated: true)
    case .select(let offset): selectOther(by: offset)
    case .selectRow(let rows): selectRow(by: rows)
    case .open: open(selectedItem)
    case .saveFrame: saveFrame()
    case .toggleHelp: help.isHidden.toggle()
    case .toggleFullscreen: setFullscreen(!isFullscreen)
    case .back: goBack()
    case .quit: onQuit?()
    }
  }

  private func goBack() {
    if !help.isHidden {
      help.isHidden = true
    } else if openedItem != nil {
      closeOpenedItem()
    } else if isFullscreen {
      setFullscreen(false)
    } else {
      onQuit?()
    }
  }

  private func setFullscreen(_ isFull: Bool) {
    guard let onFullscreen, onFullscreen(isFull) else { return }
    isFullscreen = isFull
  }

  private func saveFrame() {
    guard let image = selectedView?.image, let frame = selectedView?.shown?.index,
      let text = onSave?(selectedItem, image, frame)
    else { return }
    show(message: text)
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
      case .wall(let grid):
        grid.properties.image = newValue
        if let openedItem { openedView?.properties = grid.imageProperties(of: openedItem) }
      }
    }
  }

  private func togglePlayback() {
    switch content {
    case .single(let view): view.perform(.toggle)
    case .wall(let grid):
      if let openedView { return openedView.perform(.toggle) }
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
    revealSelectedItem()
    guard let view = selectedView, let player = view.player else { return }
    view.perform(.seek(toFrame: frame(player.timeline.range)))
  }

  private func selectOther(by offset: Int) {
    guard grid != nil, !items.isEmpty else { return }
    let count = items.count
    let item = ((selectedItem + offset % count) + count) % count
    if openedItem != nil { open(item) } else { select(item) }
    grid?.scrollToItem(item, at: .nearest, isAnimated: true)
  }

  /// Selects the item above or below; at the edge the selection stays.
  private func selectRow(by rows: Int) {
    guard let grid, !items.isEmpty else { return }
    let (item, isOverflow) = selectedItem.addingReportingOverflow(Self.way(rows, of: grid.gridLayout.columns))
    guard !isOverflow, items.indices.contains(item) else { return }
    select(item)
    grid.scrollToItem(item, at: .nearest, isAnimated: true)
  }

  /// Gives the selected item a cell, to which commands and drags apply.
  func revealSelectedItem() {
    guard let grid, openedItem == nil, grid.imageView(of: selectedItem) == nil else { return }
    grid.scrollToItem(selectedItem, at: .nearest)
  }
}
