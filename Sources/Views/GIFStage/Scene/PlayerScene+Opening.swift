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
    } else {
      // The first tap has let an image play that was held.
      view(of: item)?.playback.forbidFlashes()
      open(openedItem == nil ? item : nil)
    }
  }

  /// Shows another item of the grid large, from its present frame on, or the grid, where the former one
  /// continues.
  package func openedChanged(from former: Int?) {
    guard let grid else { return }
    if let former, let snapshot = openedView?.snapshot { grid.restore(snapshot, ofItem: former) }
    let view = openedView ?? newOpenedView()
    if let item = openedItem {
      let snapshot = grid.snapshot(ofItem: item)
      grid.isHidden = true
      view.isHidden = false
      view.frame = contentView.frame
      view.show(grid.imageProperties(of: item), resuming: snapshot)
    } else {
      view.isHidden = true
      view.show(ImageProperties())
      grid.isHidden = false
      if let former { grid.scrollToItem(former, at: .nearest) }
    }
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
