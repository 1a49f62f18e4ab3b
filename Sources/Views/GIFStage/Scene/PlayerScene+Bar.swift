internal import GIFDecoding
internal import GIFPlayback
internal import GIFTimeline

/// What the control bar shows of an item.
struct BarContent {
  let item: Int
  let model: ScrubberModel
  let hasRange: Bool
  let status: [String]
  /// The instant of each frame in the file, and its end, in milliseconds.
  let starts: [Int]

  var isStill: Bool { model.maximum == 0 }
}

// The control bar and the labels above it.
extension PlayerScene {
  func updateBar() {
    let item = draggedItem ?? selectedItem
    let view = view(of: item)
    if let view, let image = view.image {
      barContent = content(of: item, view, image)
    } else if view != nil || barContent?.item != item {
      barContent = nil
    }
    let isPlaying = view?.isPlaying ?? (grid?.snapshot(ofItem: item)?.state == .playing)
    bar.button.isPlaying = isPlaying && view?.playback.isHeld != true
    let isStill = barContent?.isStill == true && view?.playback.progress == nil
    // A still alone needs no bar at all.
    setBarHidden(isStill && (grid == nil || openedItem != nil))
    bar.button.isHidden = isStill
    bar.scrubber.isHidden = barContent == nil || isStill
    bar.status = barContent?.status ?? []
    if let barContent { show(barContent) }
    updateTooltip()
  }

  private func setBarHidden(_ isHidden: Bool) {
    guard bar.isHidden != isHidden else { return }
    bar.isHidden = isHidden
    layout()
  }

  private func show(_ content: BarContent) {
    let (scrubber, model) = (bar.scrubber, content.model)
    if scrubber.model.maximum != model.maximum, !scrubber.isDragging {
      scrubber.reset(to: ScrubberModel(maximum: model.maximum))
    }
    scrubber.setRange(model.start, model.end)
    scrubber.set(.playhead, to: model.value)
    scrubber.hasRange = content.hasRange
  }

  private func content(of item: Int, _ view: AnimatedImageView, _ image: GIFImage) -> BarContent {
    let last = image.frameCount - 1
    var model = ScrubberModel(maximum: last)
    let range = (view.properties.range ?? 0..<last + 1).clamped(to: 0..<last + 1)
    if !range.isEmpty { model.setRange(range.lowerBound, range.upperBound - 1) }
    // Without a frame yet, the playhead stays where it is.
    model.set(.playhead, to: view.shown?.index ?? bar.scrubber.model.value)
    let starts = starts(of: image, item: item, view.properties.delayPolicy)
    return BarContent(
      item: item, model: model, hasRange: view.properties.range != nil,
      status: statusText(view, starts: starts), starts: starts)
  }

  private func starts(of image: GIFImage, item: Int, _ policy: DelayPolicy) -> [Int] {
    // Delays never change while an item is shown; frames may be added.
    if let barContent, barContent.item == item, barContent.starts.count == image.frameCount + 1 {
      return barContent.starts
    }
    return image.frames.reduce(into: [0]) { $0.append($0[$0.count - 1] + $1.delayMilliseconds(policy)) }
  }

  private func statusText(_ view: AnimatedImageView, starts: [Int]) -> [String] {
    let count = starts.count - 1
    let index = view.shown?.index
    var parts: [String]
    if let loading = view.playback.progress {
      // How long it takes is not known yet.
      parts = [FrameText.place(index, of: count, isComplete: false), loading]
    } else if view.playback.awaitsVerdict {
      // The time stands until then.
      parts = [FrameText.place(index, of: count), FlashText.checking]
    } else {
      let time = index.map { NumberFormat.time(milliseconds: starts[min($0, count - 1)]) } ?? "-"
      parts = [
        FrameText.place(index, of: count), "\(time) / \(NumberFormat.time(milliseconds: starts[count]))",
      ]
    }
    let properties = view.properties
    if properties.rate != 1 { parts.append(NumberFormat.decimal(properties.rate, places: 2) + "x") }
    if let flashes = FlashText.state(view.flashState) { parts.append(flashes) }
    if properties.mode != .forward { parts.append(properties.mode.rawValue) }
    if properties.resizeMode != .contain { parts.append(properties.resizeMode.rawValue) }
    return parts
  }

  // MARK: Labels

  /// Shows the time and the frame under the pointer while it is over the slider or drags its playhead.
  private func updateTooltip() {
    let scrubber = bar.scrubber
    guard !bar.isHidden, !scrubber.isHidden, let barContent, let pointed = scrubber.pointed,
      pointed.value < barContent.starts.count - 1
    else {
      tooltip.isHidden = true
      return
    }
    let time = NumberFormat.time(milliseconds: barContent.starts[pointed.value])
    tooltip.show("\(time)  \(FrameText.number(pointed.value))")
    let size = tooltip.wantedSize
    let x = scrubber.frame.x + pointed.x - size.width / 2
    tooltip.frame = PixelRect(
      x: max(0, min(x, frame.width - size.width)), y: bar.frame.y - size.height - 2 * scale,
      width: size.width, height: size.height)
    tooltip.isHidden = false
  }

  /// Shows the message or hides it; returns the instant at which it disappears.
  func updateMessage(at now: PlaybackInstant) -> PlaybackInstant? {
    let message = state.message(at: now)
    messageLabel.isHidden = message == nil
    guard let message else { return nil }
    messageLabel.show(message)
    let size = messageLabel.wantedSize
    let width = min(size.width, frame.width)
    messageLabel.frame = PixelRect(
      x: (frame.width - width) / 2, y: bar.frame.y - 2 * size.height, width: width, height: size.height)
    return state.messageEnd
  }
}
