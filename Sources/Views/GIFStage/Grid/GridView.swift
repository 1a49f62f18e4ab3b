internal import GIFDecoding
internal import GIFPlayback
public import GIFTimeline

/// A scrolling grid of animated images.
///
/// Visible items play, near ones decode their first frames, and the others only keep their playback position.
/// Cells are reused. A cell is an image with a caption, or a view of the user's own; see ``GridCell``.
public final class GridView: View {
  /// The items and how they are laid out. A change keeps what plays of the items that stay.
  public var properties: GridProperties {
    didSet { if properties != oldValue { propertiesChanged(from: oldValue) } }
  }
  /// The selected item; nil for none.
  public var selectedItem: Int? {
    didSet { for cell in cells.values { cell.isSelected = cell.index == selectedItem } }
  }
  /// Called for each event of an item's image view, direct events included.
  public var onItemEvent: ((_ item: Int, _ event: ViewEvent) -> Void)?
  /// The items of which any part is visible.
  public private(set) var visibleItems: Range<Int> = 0..<0

  /// The state of an item that outlives its cell.
  private struct ItemState {
    var snapshot: PlaybackSnapshot?
    /// The item's own range, whose inner nil means all frames; nil if the grid's range applies.
    var range: Range<Int>??
  }

  private let services: StageServices
  private let makeCell: (StageServices) -> GridCell
  private var cells: [Int: GridCell] = [:]
  private var reusableCells: [GridCell] = []
  private var states: [Int: ItemState] = [:]
  private var motion = ScrollMotion()
  private let scrollBar = ScrollBar()

  /// Creates a grid. Its cells come from `makeCell`, or show images with captions without one.
  public init(
    _ properties: GridProperties = GridProperties(), services: StageServices,
    makeCell: ((StageServices) -> GridCell)? = nil
  ) {
    self.properties = properties
    self.services = services
    self.makeCell = makeCell ?? { CaptionCell(services: $0) }
    super.init()
    add(scrollBar)
  }

  // MARK: Commands

  /// Scrolls to an item.
  public func scrollToItem(
    _ item: Int, at position: GridLayout.ScrollPosition = .center, isAnimated: Bool = false
  ) {
    let layout = gridLayout
    scroll(
      to: layout.offset(showing: item, at: position, from: motion.target, height: frame.height),
      isAnimated: isAnimated)
  }

  /// Scrolls by pixels, down if positive, within the content.
  public func scroll(by pixels: Int, isAnimated: Bool = true) {
    let sum = motion.target.addingReportingOverflow(pixels)
    scroll(to: sum.overflow ? (pixels < 0 ? 0 : .max) : sum.partialValue, isAnimated: isAnimated)
  }

  private func scroll(to offset: Int, isAnimated: Bool) {
    let offset = gridLayout.clamped(offset, height: frame.height)
    if isAnimated {
      motion.move(to: offset)
    } else if motion.offset != offset || motion.isMoving {
      motion.jump(to: offset)
      placeCells()
    }
  }

  /// Performs a command on every item, visible or not.
  public func perform(_ command: ImageCommand) {
    for item in properties.items.indices { perform(command, ofItem: item) }
    guard command == .play || command == .pause else { return }
    properties.image.autoplays = command == .play
  }

  /// Performs a command on one item. For an item without a cell only play and pause take effect, when it is
  /// shown again.
  public func perform(_ command: ImageCommand, ofItem item: Int) {
    guard properties.items.indices.contains(item) else { return }
    if let cell = cells[item] { return cell.imageView.perform(command) }
    guard command == .play || command == .pause else { return }
    let id = properties.items[item].id
    let snapshot = states[id]?.snapshot?.commanded(plays: command == .play)
    states[id]?.snapshot = snapshot
  }

  /// Limits an item to a range of frames; nil for all.
  public func setRange(_ range: Range<Int>?, ofItem item: Int) {
    guard properties.items.indices.contains(item) else { return }
    states[properties.items[item].id, default: ItemState()].range = .some(range)
    cells[item]?.imageView.properties.range = range
  }

  /// The range of frames that an item plays; nil for all.
  public func range(ofItem item: Int) -> Range<Int>? {
    guard properties.items.indices.contains(item) else { return nil }
    if let range = states[properties.items[item].id]?.range { return range }
    return properties.image.range
  }

  /// The view of an item; nil while it has no cell.
  public func imageView(of item: Int) -> AnimatedImageView? { cells[item]?.imageView }

  /// The item of a cell of this grid, or of a view in one.
  public func item(of view: View) -> Int? {
    var ancestor: View? = view
    while let view = ancestor {
      if let cell = view as? GridCell, cell.parent === self { return cell.index }
      ancestor = view.parent
    }
    return nil
  }

  /// The cell of an item; nil while it has none.
  public func cell(of item: Int) -> GridCell? { cells[item] }

  /// The playback position of an item; nil without one.
  func snapshot(ofItem item: Int) -> PlaybackSnapshot? {
    guard properties.items.indices.contains(item) else { return nil }
    return cells[item].map(\.imageView.snapshot) ?? states[properties.items[item].id]?.snapshot
  }

  /// Resumes an item from a playback position, at once or when it is shown again.
  func restore(_ snapshot: PlaybackSnapshot, ofItem item: Int) {
    guard properties.items.indices.contains(item) else { return }
    states[properties.items[item].id, default: ItemState()].snapshot = snapshot
    cells[item]?.imageView.playback.resume(from: snapshot)
  }

  /// The properties of an item's image.
  func imageProperties(of item: Int) -> ImageProperties {
    var image = properties.image
    image.source = properties.items[item].source
    image.range = range(ofItem: item)
    return image
  }

  /// The views of all items with a cell, by item number.
  public var imageViews: [(item: Int, view: AnimatedImageView)] {
    cells.sorted { $0.key < $1.key }.map { ($0.key, $0.value.imageView) }
  }

  /// Pixels of the content above the view's top.
  public var scrollOffset: Int { motion.offset }

  /// The places of the items at the view's present size.
  public var gridLayout: GridLayout {
    GridLayout(
      itemCount: properties.items.count, width: frame.width, height: frame.height, columns: scaledColumns,
      spacing: scaled(properties.spacing), padding: scaled(properties.padding),
      captionHeight: scaled(CaptionCell.captionHeight),
      cellHeight: properties.cellHeight.map { max(1, scaled($0)) })
  }

  private var scaledColumns: GridLayout.Columns {
    switch properties.columns {
    case .count: properties.columns
    case .fitting(let width): .fitting(width: scaled(width))
    case .largest(let width): .largest(width: scaled(width))
    }
  }

  /// A length in pixels, bounded by the largest layout.
  private func scaled(_ length: Int) -> Int { min(16_384, max(0, length)) * scale }

  // MARK: Cells

  private func propertiesChanged(from old: GridProperties) {
    if properties.items != old.items {
      // Items that remain keep their playback position under their new number.
      for item in Array(cells.keys) { release(item, items: old.items) }
      let ids = Set(properties.items.map(\.id))
      states = states.filter { ids.contains($0.key) }
    }
    for (item, cell) in cells where properties.image != old.image {
      cell.imageView.properties = imageProperties(of: item)
    }
    if properties.items != old.items || properties.columns != old.columns
      || properties.spacing != old.spacing || properties.padding != old.padding
      || properties.nearRows != old.nearRows || properties.cellHeight != old.cellHeight
    {
      layout()
    }
  }

  public override func layout() {
    // The first visible item keeps its position.
    let first = visibleItems.first
    let isAtTop = motion.offset == 0
    motion.jump(to: gridLayout.clamped(motion.offset, height: frame.height))
    if let first, !isAtTop, first < properties.items.count {
      motion.jump(to: gridLayout.offset(showing: first, at: .top, from: motion.offset, height: frame.height))
    }
    placeCells()
  }

  /// The height of the near rows, with the caption below the last image.
  override var nearMargin: Int? {
    let layout = gridLayout
    let (height, overflows) = (layout.cellHeight + scaled(properties.spacing))
      .multipliedReportingOverflow(by: min(layout.rowCount, max(0, properties.nearRows)))
    return overflows ? 1 << 30 : height + scaled(CaptionCell.captionHeight)
  }

  /// Places a cell for each visible or near item and releases the other cells.
  private func placeCells() {
    invalidate()
    // The near rows depend on the layout.
    updateVisibility()
    let visible = gridLayout.items(from: motion.offset, height: frame.height)
    if visible != visibleItems {
      visibleItems = visible
      // This event precedes the first frame of an item that becomes visible.
      emit(.scrolled(visible: visible))
    }
    // A handler may have scrolled further.
    let layout = gridLayout
    let wanted = layout.widened(visibleItems, rows: properties.nearRows)
    for item in Array(cells.keys) where !wanted.contains(item) { release(item, items: properties.items) }
    for item in wanted {
      let place = layout.rect(of: item).offset(x: 0, y: -motion.offset)
      if let cell = cells[item] { cell.frame = place } else { addCell(for: item, at: place) }
    }
    scrollBar.frame = PixelRect(x: frame.width - 6 * scale, y: 0, width: 4 * scale, height: frame.height)
    scrollBar.show(offset: motion.offset, content: layout.contentHeight)
  }

  private func addCell(for item: Int, at place: PixelRect) {
    let cell = reusableCells.popLast() ?? newCell()
    let entry = properties.items[item]
    cell.show(entry, index: item, isSelected: item == selectedItem)
    cells[item] = cell
    cell.frame = place
    cell.imageView.show(imageProperties(of: item), resuming: states[entry.id]?.snapshot)
    add(cell)
  }

  private func newCell() -> GridCell {
    let cell = makeCell(services)
    cell.imageView.sharesField = true
    cell.imageView.on { [weak self, weak cell] event in
      guard let self, let item = cell?.index else { return }
      self.onItemEvent?(item, event)
    }
    return cell
  }

  private func release(_ item: Int, items: [GridItem]) {
    guard let cell = cells.removeValue(forKey: item) else { return }
    states[items[item].id, default: ItemState()].snapshot = cell.imageView.snapshot
    cell.removeFromParent()
    cell.imageView.show(ImageProperties())
    cell.show(nil, index: nil, isSelected: false)
    reusableCells.append(cell)
  }

  // MARK: Time and input

  public override func update(at now: PlaybackInstant) -> PlaybackInstant? {
    if motion.advance(to: now) { placeCells() }
    return motion.isMoving ? now + Fade.step : nil
  }

  public override func wheel(_ pixels: Int) -> Bool {
    scroll(by: pixels)
    return true
  }
}
