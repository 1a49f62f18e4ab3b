/// One picture of a wall.
public struct GridItem: Sendable, Hashable {
  /// Tells items of one grid apart, also when they move.
  public var id: Int
  public var source: String
  public var caption: String

  public init(id: Int, source: String, caption: String = "") {
    self.id = id
    self.source = source
    self.caption = caption
  }
}

/// What a ``GridView`` shows and how.
public struct GridProperties: Sendable, Hashable {
  public var items: [GridItem] = []
  public var columns = GridLayout.Columns.fitting(width: 180)
  /// Between cells, at scale 1.
  public var spacing = 10
  /// Around all of them, at scale 1.
  public var padding = 12
  /// How all pictures are shown; the source is each item's own.
  public var image = ImageProperties()
  /// Rows before and after the visible ones that are made ready.
  public var nearbyRows = 1

  public init() {}
}

extension GridItem: CustomStringConvertible {
  public var description: String { caption.isEmpty ? "\(id): \(source)" : "\(id): \(caption) (\(source))" }
}
