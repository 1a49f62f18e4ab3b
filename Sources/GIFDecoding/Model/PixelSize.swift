/// A width and a height in pixels, both at least 1.
public struct PixelSize: Hashable, Sendable {
  public let width: Int
  public let height: Int

  /// Nil where a side is less than 1 or more than 65,535, the largest a GIF can have.
  public init?(width: Int, height: Int) {
    guard (1...65_535).contains(width), (1...65_535).contains(height) else { return nil }
    self.width = width
    self.height = height
  }

  /// The nearest size there is.
  public init(clampingWidth width: Int, height: Int) {
    self.width = min(65_535, max(1, width))
    self.height = min(65_535, max(1, height))
  }

  public var area: Int64 { Int64(width) * Int64(height) }
}
