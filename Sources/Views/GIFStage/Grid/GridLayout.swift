public import GIFDecoding

/// The layout of a grid's items. Positions are pixels of the content, whose top is 0.
public struct GridLayout: Sendable, Hashable {
  /// How the number of columns is found.
  public enum Columns: Sendable, Hashable {
    /// A fixed number, at least 1.
    case count(Int)
    /// As many as fit with at least this width each.
    case fitting(width: Int)
    /// The number with the largest pictures if all items fit without scrolling, with at least this width
    /// each.
    ///
    /// Otherwise as many as fit.
    case largest(width: Int)
  }

  /// The position of an item after scrolling to it.
  public enum ScrollPosition: Sendable, Hashable {
    /// Its top at the top of the visible area.
    case top
    /// In the middle of the visible area.
    case center
    /// Its bottom at the bottom of the visible area.
    case bottom
    /// The nearest position at which all of it is visible.
    case nearest
  }

  /// The number of items.
  public let itemCount: Int
  /// The number of columns, at least 1.
  public let columns: Int
  /// The width of every cell.
  public let cellWidth: Int
  /// The height of every cell.
  public let cellHeight: Int
  private let spacing: Int
  private let left: Int
  private let top: Int

  /// Lays out this many items in a grid of a width.
  ///
  /// - Parameters:
  ///   - itemCount: the number of items.
  ///   - width: the width of the grid with its padding.
  ///   - height: the height that all items should fit, for ``Columns/largest(width:)``.
  ///   - rule: how the number of columns is found.
  ///   - spacing: the space between cells.
  ///   - padding: the space around all cells.
  ///   - aspect: width and height that a cell's picture is in proportion to.
  ///   - captionHeight: what a cell has below its picture.
  ///   - cellHeight: the height of every cell, whatever its picture; nil for one that follows from the width.
  public init(
    itemCount: Int, width: Int, height: Int = 0, columns rule: Columns, spacing: Int, padding: Int,
    aspect: (width: Int, height: Int) = (3, 2), captionHeight: Int = 0, cellHeight: Int? = nil
  ) {
    // Bounded, so that no product below overflows.
    self.itemCount = min(1 << 31, max(0, itemCount))
    self.spacing = Self.length(spacing)
    top = Self.length(padding)
    let room = max(1, Self.length(width) - 2 * top)
    let aspect = (width: max(1, Self.length(aspect.width)), height: max(1, Self.length(aspect.height)))
    let filling: (columns: Int, pictureHeight: Int)?
    if case .largest(let least) = rule, cellHeight == nil {
      let area = (width: room, height: Self.length(height) - 2 * top)
      filling = Self.filling(
        area, itemCount: self.itemCount, least: Self.length(least), spacing: self.spacing, aspect: aspect,
        captionHeight: Self.length(captionHeight))
    } else {
      filling = nil
    }
    switch rule {
    case .count(let count): columns = min(room, max(1, count))
    case .fitting(let width), .largest(let width):
      let most = max(1, (room + self.spacing) / (max(1, Self.length(width)) + self.spacing))
      columns = filling?.columns ?? most
    }
    cellWidth = max(1, (room - (columns - 1) * self.spacing) / columns)
    let used = columns * cellWidth + (columns - 1) * self.spacing
    left = top + max(0, (room - used) / 2)
    let picture = filling?.pictureHeight ?? cellWidth * aspect.height / aspect.width
    self.cellHeight =
      cellHeight.map { max(1, Self.length($0)) } ?? min(1 << 20, max(1, picture)) + Self.length(captionHeight)
  }

  /// The columns and the height of pictures with which the items fill an area, their pictures as large as
  /// possible.
  ///
  /// - Returns: nil if pictures of the least width do not fit.
  private static func filling(
    _ area: (width: Int, height: Int), itemCount: Int, least: Int, spacing: Int,
    aspect: (width: Int, height: Int), captionHeight: Int
  ) -> (columns: Int, pictureHeight: Int)? {
    var best: (size: Int, columns: Int, pictureHeight: Int)?
    for columns in 1...max(1, min(itemCount, area.width)) {
      let rows = max(1, (itemCount + columns - 1) / columns)
      let width = (area.width - (columns - 1) * spacing) / columns
      let height = (area.height - (rows - 1) * spacing) / rows - captionHeight
      guard width >= max(1, least) else { break }
      guard height >= max(1, least * aspect.height / aspect.width) else { continue }
      // The width of the contained picture, in units that both sides share.
      let size = min(width * aspect.height, height * aspect.width)
      if size > best?.size ?? 0 { best = (size, columns, height) }
    }
    return best.map { ($0.columns, $0.pictureHeight) }
  }

  private static func length(_ value: Int) -> Int { min(16_384, max(0, value)) }

  /// The number of rows.
  public var rowCount: Int { (itemCount + columns - 1) / columns }

  private var pitch: Int { cellHeight + spacing }

  /// The height of all rows with the padding.
  public var contentHeight: Int { rowCount == 0 ? 2 * top : 2 * top + rowCount * pitch - spacing }

  /// The place of an item; its number must be that of an item.
  public func rect(of item: Int) -> PixelRect {
    PixelRect(
      x: left + item % columns * (cellWidth + spacing), y: top + item / columns * pitch, width: cellWidth,
      height: cellHeight)
  }

  /// The items of which any part is visible in a window on the content.
  public func items(from offset: Int, height: Int) -> Range<Int> {
    guard height > 0, itemCount > 0 else { return 0..<0 }
    // A row spans its cells only; the gaps between rows show no item.
    let first = max(0, (offset - top - cellHeight) / pitch + (offset - top - cellHeight >= 0 ? 1 : 0))
    let last = (offset + height - 1 - top) / pitch
    guard offset + height > top, first <= last, first < rowCount else { return 0..<0 }
    return min(itemCount, first * columns)..<min(itemCount, (last + 1) * columns)
  }

  /// A range of items, extended by whole rows before and after.
  public func widened(_ items: Range<Int>, rows: Int) -> Range<Int> {
    let items = items.clamped(to: 0..<itemCount)
    guard !items.isEmpty else { return items }
    // The bound keeps the product from overflowing.
    let extra = min(rowCount, max(0, rows)) * columns
    return max(0, items.lowerBound - extra)..<min(itemCount, items.upperBound + extra)
  }

  /// The item at a point of the content.
  public func item(atX x: Int, y: Int) -> Int? {
    guard x >= left, y >= top else { return nil }
    let (column, row) = ((x - left) / (cellWidth + spacing), (y - top) / pitch)
    let item = row * columns + column
    guard column < columns, item < itemCount, rect(of: item).contains(x: x, y: y) else { return nil }
    return item
  }

  /// The nearest offset within the content.
  public func clamped(_ offset: Int, height: Int) -> Int {
    max(0, min(offset, contentHeight - max(0, height)))
  }

  /// The offset that scrolls an item to a position; its number is clamped to the items.
  public func offset(
    showing item: Int, at position: ScrollPosition, from offset: Int, height: Int
  ) -> Int {
    guard itemCount > 0 else { return 0 }
    let rect = rect(of: min(itemCount - 1, max(0, item)))
    // The padding is shown, too, if the window has room for it.
    let (highest, lowest) = (rect.y - top, rect.maxY + top - height)
    let wanted =
      switch position {
      case .top: highest
      case .bottom: lowest
      case .center: rect.y - (height - rect.height) / 2
      case .nearest: min(highest, max(lowest, offset))
      }
    return clamped(wanted, height: height)
  }
}
