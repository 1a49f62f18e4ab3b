internal import GIFDecoding

// What the commands of keys need of a window.
extension PlayerScene: SceneDisplay {
  /// Performs the command of a key; returns whether there is one.
  @discardableResult
  public func press(_ key: StageKey) -> Bool {
    guard let command = SceneCommand(key, in: state.content) else { return false }
    perform(command)
    return true
  }

  /// Performs a command. Speed, order and resize mode apply to all images, other commands to the selected
  /// one.
  public func perform(_ command: SceneCommand) { apply(command) }

  package var memoryInUse: Int64? { readMemory() }

  package var columns: Int { grid?.gridLayout.columns ?? 1 }

  package var playbacks: [ImagePlayback] { imageViews.map(\.view.playback) }

  package func playback(of item: Int) -> ImagePlayback? { view(of: item)?.playback }

  package func name(of item: Int) -> String { items[item].caption }

  package var imageProperties: ImageProperties {
    switch content {
    case .single(let view): view.properties
    case .wall(let grid): grid.properties.image
    }
  }

  package func changeAll(_ change: (inout ImageProperties) -> Void) {
    switch content {
    case .single(let view): change(&view.properties)
    case .wall(let grid):
      change(&grid.properties.image)
      if let item = openedItem { openedView?.properties = grid.imageProperties(of: item) }
    }
  }

  package func performOnAll(_ command: ImageCommand) {
    switch content {
    case .single(let view): view.perform(command)
    case .wall(let grid): grid.perform(command)
    }
  }

  package func range(ofItem item: Int) -> Range<Int>? {
    switch content {
    case .single(let view): view.properties.range
    case .wall(let grid): grid.range(ofItem: item)
    }
  }

  package func setRange(_ range: Range<Int>?, ofItem item: Int) {
    switch content {
    case .single(let view): view.properties.range = range
    case .wall(let grid):
      grid.setRange(range, ofItem: item)
      if item == openedItem { openedView?.properties.range = range }
    }
  }

  package func arrange() {
    help.isHidden = !state.showsHelp
    overlay.isHidden = !state.showsOverlay
    layout()
  }

  package func reveal(_ item: Int, isAnimated: Bool) {
    guard isAnimated || openedItem == nil else { return }
    grid?.scrollToItem(item, at: .nearest, isAnimated: isAnimated)
  }

  package func scroll(_ amount: WallScroll) {
    guard let grid else { return }
    switch amount {
    case .rows(let rows): grid.scroll(by: Self.distance(rows, of: grid.gridLayout.cellHeight + 10 * scale))
    case .pages(let pages): grid.scroll(by: Self.distance(pages, of: contentView.frame.height * 9 / 10))
    case .start: grid.scrollToItem(0, at: .top, isAnimated: true)
    case .end: grid.scrollToItem(items.count - 1, at: .bottom, isAnimated: true)
    }
  }

  /// A multiple of a length, clamped to the range of integers.
  private static func distance(_ count: Int, of length: Int) -> Int {
    let (distance, isOverflow) = count.multipliedReportingOverflow(by: length)
    return isOverflow ? (count < 0 ? .min : .max) : distance
  }
}
