/// A rectangle of whole pixels; the origin is the canvas's top left corner, y grows downwards.
///
/// Rectangles come from the file as they are: they may be empty and may lie partly or wholly outside the
/// canvas. Every number fits 32 bits, so areas are given in `Int64`.
public struct PixelRect: Hashable, Sendable {
  public var x: Int
  public var y: Int
  public var width: Int
  public var height: Int

  public init(x: Int, y: Int, width: Int, height: Int) {
    self.x = x
    self.y = y
    self.width = width
    self.height = height
  }

  /// The rectangle of nothing.
  public static let empty = PixelRect(x: 0, y: 0, width: 0, height: 0)

  public var isEmpty: Bool { width <= 0 || height <= 0 }

  /// One past the last column.
  public var maxX: Int { x + width }

  /// One past the last row.
  public var maxY: Int { y + height }

  /// The number of pixels, 0 for an empty rectangle.
  public var area: Int64 { isEmpty ? 0 : Int64(width) * Int64(height) }

  /// What both rectangles cover; `.empty` where that is nothing.
  public func intersection(_ other: PixelRect) -> PixelRect {
    let left = max(x, other.x)
    let top = max(y, other.y)
    let right = min(maxX, other.maxX)
    let bottom = min(maxY, other.maxY)
    guard left < right, top < bottom else { return .empty }
    return PixelRect(x: left, y: top, width: right - left, height: bottom - top)
  }

  /// The smallest rectangle that covers both; an empty one adds nothing.
  public func union(_ other: PixelRect) -> PixelRect {
    if isEmpty { return other }
    if other.isEmpty { return self }
    let left = min(x, other.x)
    let top = min(y, other.y)
    return PixelRect(
      x: left, y: top, width: max(maxX, other.maxX) - left, height: max(maxY, other.maxY) - top)
  }

  /// Whether `other` lies wholly inside. Empty rectangles neither contain nor are contained, as in Skia,
  /// whose answer decides which frames Chromium treats as independent.
  public func contains(_ other: PixelRect) -> Bool {
    !isEmpty && !other.isEmpty && x <= other.x && y <= other.y && maxX >= other.maxX && maxY >= other.maxY
  }

  /// The rectangle in a picture of another size, rounded outwards by a pixel, so that averaging stays inside.
  package func scaled(
    fromWidth width: Int, height: Int, toWidth newWidth: Int, height newHeight: Int
  ) -> PixelRect {
    guard !isEmpty, width > 0, height > 0 else { return .empty }
    guard width != newWidth || height != newHeight else { return self }
    let left = Self.floor(x, times: newWidth, by: width) - 1
    let top = Self.floor(y, times: newHeight, by: height) - 1
    let right = Self.ceiling(maxX, times: newWidth, by: width) + 1
    let bottom = Self.ceiling(maxY, times: newHeight, by: height) + 1
    return PixelRect(x: left, y: top, width: right - left, height: bottom - top)
      .intersection(PixelRect(x: 0, y: 0, width: newWidth, height: newHeight))
  }

  /// The product passes 32 bits.
  private static func floor(_ place: Int, times size: Int, by divisor: Int) -> Int {
    Int(clamping: Int64(place) * Int64(size) / Int64(divisor))
  }

  private static func ceiling(_ place: Int, times size: Int, by divisor: Int) -> Int {
    Int(clamping: (Int64(place) * Int64(size) + Int64(divisor) - 1) / Int64(divisor))
  }
}
