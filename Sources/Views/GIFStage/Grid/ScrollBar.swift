internal import GIFDecoding

/// A scroll bar: the visible part of the content.
final class ScrollBar: View {
  private var offset = 0
  private var content = 0

  func show(offset: Int, content: Int) {
    guard (offset, content) != (self.offset, self.content) else { return }
    (self.offset, self.content) = (offset, content)
    invalidate()
  }

  override func draw(on surface: inout Surface) {
    guard content > frame.height, frame.height > 0 else { return }
    let length = max(24 * scale, frame.height * frame.height / content)
    let distance = max(1, content - frame.height)
    let top = (frame.height - length) * min(offset, distance) / distance
    surface.fillRounded(
      PixelRect(x: 0, y: top, width: frame.width, height: length), radius: frame.width / 2, Theme.line)
  }
}
