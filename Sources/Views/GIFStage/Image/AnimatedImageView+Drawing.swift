internal import GIFDecoding
internal import GIFFlashes
internal import GIFLoading
internal import GIFPlayback

extension AnimatedImageView {
  /// The height of the progress bar, at scale 1.
  private static let progressHeight = 2

  func drawImage(on surface: inout Surface) {
    guard let shown, let size = PixelSize(width: shown.pixels.width, height: shown.pixels.height) else {
      return drawPlaceholder(on: &surface)
    }
    let opacity = fading.opacity
    if opacity < 255 { drawPlaceholder(on: &surface) }
    let place = imageRect
    surface.inRegion(bounds) { surface in
      switch properties.background {
      case .none: break
      case .color(let color): surface.fill(place, color.withAlpha(PixelMath.faded(color.alpha, opacity)))
      case .checker where opacity == 255: surface.fillChecker(place, side: 8 * scale)
      case .checker: break
      }
      surface.draw(
        shown.pixels.span, size: size, in: place, sampling: PictureLayout.sampling(of: size, in: place),
        opacity: opacity)
    }
    drawNotice(playback.flashState, on: &surface)
    drawRemark(FlashText.remark(playback.flashState), on: &surface)
    if let progress {
      let width = Int((Double(frame.width) * min(1, progress)).rounded())
      surface.fill(
        PixelRect(x: 0, y: progressRect.y, width: width, height: progressRect.height), Theme.accent)
    }
  }

  /// The part of the file that has arrived, 0 - 1; nil if its size is unknown or it is not loading.
  var progress: Double? {
    guard case .loading(let state) = phase else { return nil }
    return state?.fractionCompleted
  }

  private var progressRect: PixelRect {
    let height = min(frame.height, Self.progressHeight * scale)
    return PixelRect(x: 0, y: frame.height - height, width: frame.width, height: height)
  }

  /// Marks as damaged what shows the progress of loading.
  func invalidateProgress() { invalidate(shown == nil ? bounds : progressRect) }

  /// Marks as damaged what a new frame changes.
  func showFrame(_ change: FrameChange, former: Frame?, isWhole: Bool) {
    if former == nil, !isResuming { fading.start(at: services.clock.now, duration: properties.fade) }
    isResuming = false
    if isWhole {
      invalidate()
    } else if let size = PixelSize(width: change.frame.pixels.width, height: change.frame.pixels.height) {
      invalidate(PictureLayout.shown(change.changedRect, of: size, in: imageRect))
    }
  }

  private func drawPlaceholder(on surface: inout Surface) {
    if case .empty = phase { return }
    // A view that appears again shows nothing before its frame.
    if isResuming, image != nil { return }
    surface.fill(bounds, properties.placeholder)
    switch phase {
    case .failed: if let failure = playback.failure { drawError(failure, on: &surface) }
    case .loading(let state): drawProgress(state, on: &surface)
    case .empty, .waiting, .ready: break
    }
  }

  /// Draws the percentage or the bytes that have arrived; three dots before the first.
  private func drawProgress(_ state: LoadingState?, on surface: inout Surface) {
    guard let state else { return drawDots(on: &surface) }
    let label = LoadingText.amount(state)
    let text = text
    let width = text.width(of: label)
    guard width <= frame.width else { return }
    text.draw(
      label, on: &surface, x: (frame.width - width) / 2, y: (frame.height - text.height) / 2, Theme.faintText)
  }

  /// Draws why a picture is held, on a panel in its middle; the first line alone, or a mark, where there is
  /// no room.
  private func drawNotice(_ state: FlashState, on surface: inout Surface) {
    let lines = FlashText.notice(state, isAlone: !playback.sharesField)
    guard !lines.isEmpty else { return }
    let text = text
    let margin = 6 * scale
    let room = (width: frame.width - 4 * margin, height: frame.height - 2 * margin)
    let fitting = [lines, [lines[0]], [FlashText.shortNotice(state)], ["!"]].first { lines in
      lines.allSatisfy { text.width(of: $0) <= room.width } && lines.count * text.lineHeight <= room.height
    }
    guard let fitting else { return }
    let width = 2 * margin + (fitting.map { text.width(of: $0) }.max() ?? 0)
    // Below the last line there is no gap to a next one.
    let height = 2 * margin + (fitting.count - 1) * text.lineHeight + text.height
    let panel = PixelRect(
      x: (frame.width - width) / 2, y: (frame.height - height) / 2, width: width, height: height)
    surface.fill(panel, Theme.panel.withAlpha(230))
    for (row, line) in fitting.enumerated() {
      text.draw(
        line, on: &surface, x: (frame.width - text.width(of: line)) / 2,
        y: panel.y + margin + row * text.lineHeight, row == 0 ? Theme.text : Theme.faintText)
    }
  }

  /// Draws the first of some texts that fits, on a panel in the upper left corner.
  private func drawRemark(_ texts: [String], on surface: inout Surface) {
    let (text, margin) = (text, 4 * scale)
    guard text.height + 4 * margin <= frame.height,
      let line = texts.first(where: { text.width(of: $0) + 4 * margin <= frame.width })
    else { return }
    let panel = PixelRect(
      x: margin, y: margin, width: text.width(of: line) + 2 * margin, height: text.height + 2 * margin)
    surface.fill(panel, Theme.panel.withAlpha(230))
    text.draw(line, on: &surface, x: 2 * margin, y: 2 * margin, Theme.text)
  }

  private func drawDots(on surface: inout Surface) {
    let dot = 6 * scale
    guard frame.width > 8 * dot else { return }
    let left = frame.width / 2 - 2 * dot
    for place in 0..<3 {
      surface.fillDisc(
        centerX: left + place * 2 * dot, centerY: frame.height / 2, diameter: dot, Theme.line)
    }
  }

  private func drawError(_ reason: String, on surface: inout Surface) {
    let text = text
    let line = text.lineHeight
    let room = max(1, (frame.height / 2 - 8 * scale) / line)
    let lines = text.lines(reason, width: frame.width - 16 * scale, limit: min(5, room))
    let mark = BitmapFont.width(of: "!", size: 4 * scale)
    surface.draw(
      "!", x: (frame.width - mark) / 2, y: frame.height / 2 - 32 * scale, size: 4 * scale, Theme.bad)
    for (row, part) in lines.enumerated() {
      let left = (frame.width - text.width(of: part)) / 2
      text.draw(part, on: &surface, x: left, y: frame.height / 2 + 8 * scale + row * line, Theme.faintText)
    }
  }
}

extension PixelMath {
  static func faded(_ alpha: UInt8, _ opacity: UInt8) -> UInt8 {
    UInt8(divideBy255(UInt32(alpha) * UInt32(opacity)))
  }
}
