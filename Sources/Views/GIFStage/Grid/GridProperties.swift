/// An item of a grid: an image with a caption.
public struct GridItem: Sendable, Hashable {
  /// Identifies the item within its grid, also after it moves.
  public var id: Int
  /// The image's path or URL.
  public var source: String
  /// The text below the image; empty for none.
  public var caption: String

  /// Creates an item.
  public init(id: Int, source: String, caption: String = "") {
    self.id = id
    self.source = source
    self.caption = caption
  }
}

/// The properties of a ``GridView``.
public struct GridProperties: Sendable, Hashable {
  /// The items, in the order in which they are shown.
  public var items: [GridItem] = []
  /// How the number of columns is found; widths are those at scale 1.
  public var columns = GridLayout.Columns.fitting(width: 180)
  /// The space between cells, at scale 1.
  public var spacing = 10
  /// The space around all cells, at scale 1.
  public var padding = 12
  /// The height of all cells, at scale 1; nil for images of 3:2 with a caption.
  public var cellHeight: Int?
  /// The properties of all images, except the source.
  public var image = ImageProperties()
  /// The number of near rows before and after the visible ones, whose first frames are decoded.
  public var nearRows = 1

  /// Creates the standard properties without items.
  public init() {}
}

extension GridItem: CustomStringConvertible {
  public var description: String { caption.isEmpty ? "\(id): \(source)" : "\(id): \(caption) (\(source))" }
}
