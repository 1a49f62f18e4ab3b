/// A width and a height in pixels, both at least 1.
public struct PixelSize: Hashable, Sendable {
  public let width: Int
  public let height: Int

  /// The largest side of a canvas: a first frame that begins at 65,535 may be as long again.
  public static let largestSide = 131_070

  /// Nil where a side is less than 1 or more than ``largestSide``.
  public init?(width: Int, height: Int) {
    guard (1...Self.largestSide).contains(width), (1...Self.largestSide).contains(height) else { return nil }
    self.width = width
    self.height = height
  }

  /// The nearest size there is.
  public init(clampingWidth width: Int, height: Int) {
    self.width = min(Self.largestSide, max(1, width))
    self.height = min(Self.largestSide, max(1, height))
  }

  public var area: Int64 { Int64(width) * Int64(height) }
}
