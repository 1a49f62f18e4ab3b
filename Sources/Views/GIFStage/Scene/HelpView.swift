internal import GIFDecoding

/// A line of text on a panel.
final class Label: View {
  private(set) var line = ""

  func show(_ line: String) {
    guard line != self.line else { return }
    self.line = line
    invalidate()
  }

  var wantedSize: (width: Int, height: Int) {
    let text = text
    return (text.width(of: line) + 16 * scale, text.height + 14 * scale)
  }

  override func draw(on surface: inout Surface) {
    surface.fillRounded(bounds, radius: 4 * scale, Theme.raised.withAlpha(240))
    let text = text
    text.draw(
      text.truncated(line, width: frame.width - 16 * scale), on: &surface, x: 8 * scale,
      y: (frame.height - text.height) / 2, Theme.text)
  }
}

/// The keys of a scene. A click closes it, through the scene.
final class HelpView: View {
  private static let lines = SceneKey.all

  /// Centres the panel in an area.
  func place(in area: PixelRect) {
    let text = text
    let width = min(area.width, 108 * scale + widest(Self.lines.map(\.action), text))
    let height = min(area.height, (Self.lines.count + 1) * (text.lineHeight + 3 * scale))
    frame = PixelRect(
      x: area.x + (area.width - width) / 2, y: area.y + (area.height - height) / 2, width: width,
      height: height)
  }

  private func widest(_ lines: [String], _ text: TextPainter) -> Int {
    lines.map { text.width(of: $0) }.max() ?? 0
  }

  override func draw(on surface: inout Surface) {
    surface.fillRounded(bounds, radius: 6 * scale, Theme.ground.withAlpha(244))
    let text = text
    // In a low window the lines move together.
    let pitch = frame.height / (Self.lines.count + 1)
    for (row, line) in Self.lines.enumerated() {
      let y = pitch / 2 + row * pitch + (pitch - text.height) / 2
      text.draw(line.names, on: &surface, x: 16 * scale, y: y, Theme.accent)
      text.draw(line.action, on: &surface, x: 92 * scale, y: y, Theme.text)
    }
  }

  override func pointer(_ event: PointerEvent) -> Bool {
    if event.phase == .ended { emit(.tapped) }
    return true
  }
}
