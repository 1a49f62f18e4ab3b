internal import GIFDecoding
internal import GIFPlayback

/// A cell of a grid: an image view with a caption. It is reused for other items.
final class GridCell: View {
  static let captionHeight = 20

  let imageView: AnimatedImageView
  /// The number of the item shown; nil while the cell is unused.
  var item: Int?
  var caption = "" {
    didSet { if caption != oldValue { invalidate(captionRect) } }
  }
  var isSelected = false {
    didSet { if isSelected != oldValue { invalidate() } }
  }

  private var tap = TapRecognizer()

  init(services: StageServices) {
    imageView = AnimatedImageView(services: services)
    super.init()
    add(imageView)
  }

  private var captionRect: PixelRect {
    let height = min(frame.height, Self.captionHeight * scale)
    return PixelRect(x: 0, y: frame.height - height, width: frame.width, height: height)
  }

  override func layout() {
    imageView.frame = PixelRect(x: 0, y: 0, width: frame.width, height: frame.height - captionRect.height)
  }

  /// A tap on the caption counts as one on the image.
  override func pointer(_ event: PointerEvent) -> Bool {
    guard imageView.togglesOnTap else { return false }
    if tap.take(event, scale: scale) { imageView.tapped() }
    return true
  }

  override func draw(on surface: inout Surface) {
    surface.fill(bounds, Theme.panel)
    let area = captionRect
    if isSelected {
      surface.fill(
        PixelRect(x: 0, y: area.y, width: area.width, height: 2 * scale), Theme.accent)
    }
    let text = text
    text.draw(
      text.fitted(caption, width: area.width - 12 * scale), on: &surface, x: area.x + 6 * scale,
      y: area.y + (area.height - text.height) / 2 + scale / 2, isSelected ? Theme.text : Theme.faintText)
  }
}
