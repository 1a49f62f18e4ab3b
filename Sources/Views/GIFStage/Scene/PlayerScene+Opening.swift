public import GIFDecoding
internal import GIFPlayback
internal import GIFTimeline

// One item of the grid, shown large.
extension PlayerScene {
  /// The longest time between the taps of a double tap.
  static let doubleTapTime = Duration.milliseconds(400)

  /// Selects an item. A second tap opens it, or changes the full screen where there is no grid.
  func noteTap(on item: Int) {
    select(item)
    let now = services.clock.now
    if let lastTap, lastTap.item == item, now - lastTap.time <= Self.doubleTapTime {
      self.lastTap = nil
      // The tap still toggles playback, which then is as before the first one.
      doubleTappedItem = item
    } else {
      lastTap = (item, now)
    }
  }

  func openDoubleTappedItem() {
    guard let item = doubleTappedItem else { return }
    doubleTappedItem = nil
    if grid == nil {
      perform(.toggleFullscreen)
    } else if openedItem == nil {
      open(item)
    } else {
      closeOpenedItem()
    }
  }

  /// Shows an item of the grid large, from its present frame on.
  func open(_ item: Int) {
    guard let grid, items.indices.contains(item), item != openedItem else { return }
    select(item)
    keepPosition()
    let snapshot = grid.snapshot(ofItem: item)
    let view = openedView ?? newOpenedView()
    openedItem = item
    grid.isHidden = true
    view.isHidden = false
    view.frame = contentView.frame
    view.show(grid.imageProperties(of: item), resuming: snapshot)
    onEvent?(.opened(item: item))
  }

  private func newOpenedView() -> AnimatedImageView {
    let view = AnimatedImageView(services: services)
    openedView = view
    insert(view, above: contentView)
    observe(view) { [weak self] event in
      guard let self, let item = self.openedItem else { return }
      self.take(event, item: item)
    }
    return view
  }

  /// Goes back to the grid, where the item continues.
  func closeOpenedItem() {
    guard let grid, let view = openedView, let item = openedItem else { return }
    keepPosition()
    openedItem = nil
    view.isHidden = true
    view.show(ImageProperties())
    grid.isHidden = false
    grid.scrollToItem(item, at: .nearest)
    onEvent?(.opened(item: nil))
  }

  /// Hands the playback position of the large view to the grid.
  private func keepPosition() {
    guard let item = openedItem, let snapshot = openedView?.snapshot else { return }
    grid?.restore(snapshot, ofItem: item)
  }

  /// The size of a window that shows a picture near its own size, with the control bar below.
  ///
  /// Small pictures are enlarged by a whole factor; large ones shrink in proportion.
  /// - Parameters:
  ///   - picture: the size of the picture.
  ///   - screen: the largest window; nil if unknown.
  public static func windowSize(for picture: PixelSize, screen: PixelSize?) -> (width: Int, height: Int) {
    let least = (width: 320, height: 240)
    let factor = max(
      1,
      min(
        (least.width + picture.width - 1) / picture.width,
        (least.height + picture.height - 1) / picture.height))
    var (width, height) = (picture.width * factor, picture.height * factor)
    if let screen {
      let room = (width: max(1, screen.width), height: max(1, screen.height - ControlBar.height))
      if width > room.width || height > room.height {
        let place = ResizeMode.contain.place(
          PixelSize(clampingWidth: width, height: height), inWidth: room.width, height: room.height)
        (width, height) = (place.width, place.height)
      }
    }
    return (max(least.width, width), max(least.height / 2, height) + ControlBar.height)
  }
}
