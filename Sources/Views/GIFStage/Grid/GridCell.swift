internal import GIFDecoding

/// A cell of a ``GridView``: an image, and what a subclass adds to it.
///
/// The grid makes as many cells as fit and reuses them for other items, so a cell keeps nothing of an item
/// beyond ``itemChanged()``. The grid loads, plays, and stops the image.
///
/// Give the grid a closure that makes cells of a subclass: see ``GridView/init(_:services:makeCell:)``.
open class GridCell: View {
  /// The view of the item's image.
  public final let imageView: AnimatedImageView
  /// The item shown; nil while the cell waits for reuse.
  public private(set) final var item: GridItem?
  /// Whether the item is the selected one of the grid.
  public internal(set) final var isSelected = false {
    didSet { if isSelected != oldValue { itemChanged() } }
  }
  /// The number of the item in the grid.
  final var index: Int?

  /// Creates an empty cell.
  public init(services: StageServices) {
    imageView = AnimatedImageView(services: services)
    super.init()
    add(imageView)
  }

  /// Shows another item, or none.
  final func show(_ item: GridItem?, index: Int?, isSelected: Bool) {
    self.index = index
    let isSame = item == self.item
    self.item = item
    self.isSelected = isSelected
    if !isSame { itemChanged() }
  }

  /// Takes over the values of ``item`` and ``isSelected``, one of which has changed; redraws the cell.
  open func itemChanged() { invalidate() }

  /// Places the image over the whole cell.
  open override func layout() { imageView.frame = bounds }
}

/// The standard cell: an image with a caption below.
final class CaptionCell: GridCell {
  static let captionHeight = 20

  private var tap = TapRecognizer()

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

  /// A pointer over the caption counts as one over the image.
  override func hovered(at point: (x: Int, y: Int)?) { imageView.hovered(at: point) }

  override func draw(on surface: inout Surface) {
    surface.fill(bounds, Theme.panel)
    let area = captionRect
    if isSelected {
      surface.fill(PixelRect(x: 0, y: area.y, width: area.width, height: 2 * scale), Theme.accent)
    }
    var line = area
    (line.x, line.width) = (6 * scale, area.width - 12 * scale)
    drawText(
      item?.caption ?? "", on: &surface, in: line, color: isSelected ? Theme.text : Theme.faintText)
  }
}
