internal import GIFDecoding
internal import GIFPlayback

/// The bar below the picture: a play button, the slider and a status text.
final class ControlBar: View {
  static let height = 44

  let scrubber = ScrubberView()
  let button = PlayButton()
  /// The texts at the right, the most telling first: as many are shown as there is room for.
  var status: [String] = [] {
    didSet { if status != oldValue { invalidate(statusRect) } }
  }

  override init() {
    super.init()
    add(button)
    add(scrubber)
  }

  private var statusWidth: Int {
    switch frame.width / scale {
    case 560...: 232 * scale
    case 400...: 168 * scale
    default: 0
    }
  }

  private var statusRect: PixelRect {
    PixelRect(x: frame.width - statusWidth, y: 0, width: statusWidth, height: frame.height)
  }

  override func layout() {
    let side = 40 * scale
    button.frame = PixelRect(x: 4 * scale, y: (frame.height - side) / 2, width: side, height: side)
    let height = ScrubberView.height * scale
    scrubber.frame = PixelRect(
      x: side + 4 * scale, y: (frame.height - height) / 2,
      width: frame.width - side - 8 * scale - statusWidth,
      height: height)
  }

  override func draw(on surface: inout Surface) {
    surface.fill(bounds, Theme.panel)
    surface.fill(PixelRect(x: 0, y: 0, width: frame.width, height: scale), Theme.raised)
    guard statusWidth > 0 else { return }
    let text = text
    text.draw(
      Self.line(status, width: statusWidth - 16 * scale, in: text), on: &surface,
      x: frame.width - statusWidth + 4 * scale, y: (frame.height - text.height) / 2, Theme.faintText)
  }

  /// As many texts as fit, in one line; a single one that is too long is shortened.
  private static func line(_ texts: [String], width: Int, in painter: TextPainter) -> String {
    var line = texts.first ?? ""
    for text in texts.dropFirst() {
      let longer = line + "  " + text
      guard painter.width(of: longer) <= width else { break }
      line = longer
    }
    return painter.truncated(line, width: width)
  }
}

/// A button that shows its action: a triangle to play, two bars to pause.
final class PlayButton: View {
  var isPlaying = false {
    didSet { if isPlaying != oldValue { invalidate() } }
  }
  private var tap = TapRecognizer()

  override func draw(on surface: inout Surface) {
    let side = 14 * scale
    let left = (frame.width - side) / 2
    let top = (frame.height - side) / 2
    if isPlaying {
      let bar = 5 * scale
      surface.fillRounded(PixelRect(x: left, y: top, width: bar, height: side), radius: scale, Theme.text)
      surface.fillRounded(
        PixelRect(x: left + side - bar, y: top, width: bar, height: side), radius: scale, Theme.text)
      return
    }
    for row in 0..<side {
      // Widest in the middle.
      let part = row < side / 2 ? row : side - 1 - row
      let width = min(side, (2 * part + 1) * side / side)
      surface.fill(PixelRect(x: left + 2 * scale, y: top + row, width: width, height: 1), Theme.text)
    }
  }

  override func pointer(_ event: PointerEvent) -> Bool {
    if tap.take(event, scale: scale) { emit(.tapped) }
    return true
  }
}
