/// A rectangle of whole pixels; the origin is the top left corner of the canvas, y grows downwards.
///
/// A frame's rectangle is what the file says: it may be empty and may lie outside the canvas.
public struct PixelRect: Hashable, Sendable {
  /// The first column.
  public var x: Int
  /// The first row.
  public var y: Int
  /// The number of columns.
  public var width: Int
  /// The number of rows.
  public var height: Int

  /// Makes a rectangle.
  public init(x: Int, y: Int, width: Int, height: Int) {
    self.x = x
    self.y = y
    self.width = width
    self.height = height
  }

  /// A rectangle without area.
  package static let empty = PixelRect(x: 0, y: 0, width: 0, height: 0)

  /// Whether it has no area.
  public var isEmpty: Bool { width <= 0 || height <= 0 }

  /// One past the last column.
  package var maxX: Int { x + width }

  /// One past the last row.
  package var maxY: Int { y + height }

  /// The number of pixels, 0 for an empty rectangle.
  public var area: Int64 { isEmpty ? 0 : Int64.product(width, height) }

  /// The part that both rectangles cover; `.empty` if there is none.
  package func intersection(_ other: PixelRect) -> PixelRect {
    let left = max(x, other.x)
    let top = max(y, other.y)
    let right = min(maxX, other.maxX)
    let bottom = min(maxY, other.maxY)
    guard left < right, top < bottom else { return .empty }
    return PixelRect(x: left, y: top, width: right - left, height: bottom - top)
  }

  /// The smallest rectangle that covers both; an empty rectangle adds nothing.
  package func union(_ other: PixelRect) -> PixelRect {
    if isEmpty { return other }
    if other.isEmpty { return self }
    let left = min(x, other.x)
    let top = min(y, other.y)
    return PixelRect(
      x: left, y: top, width: max(maxX, other.maxX) - left, height: max(maxY, other.maxY) - top)
  }

  /// Whether `other` lies wholly inside.
  ///
  /// Empty rectangles neither contain nor are contained, as in Skia, where this decides which frames are
  /// independent.
  package func contains(_ other: PixelRect) -> Bool {
    !isEmpty && !other.isEmpty && x <= other.x && y <= other.y && maxX >= other.maxX && maxY >= other.maxY
  }

  /// Whether a pixel lies inside.
  package func contains(x: Int, y: Int) -> Bool { x >= self.x && x < maxX && y >= self.y && y < maxY }

  /// The rectangle at another canvas size, rounded outwards by a pixel, so that averaging stays inside.
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

  // The products pass 32 bits.

  private static func floor(_ place: Int, times size: Int, by divisor: Int) -> Int {
    Int(clamping: Int64(place) * Int64(size) / Int64(divisor))
  }

  private static func ceiling(_ place: Int, times size: Int, by divisor: Int) -> Int {
    Int(clamping: (Int64(place) * Int64(size) + Int64(divisor) - 1) / Int64(divisor))
  }
}

private let isLengthHalfAsWide = Int.bitWidth <= 32

extension Int64 {
  /// The product of two lengths.
  ///
  /// Lengths of 32 bits cannot overflow it; a check would be a call on processors of that width, for every
  /// frame.
  static func product(_ width: Int, _ height: Int) -> Int64 {
    isLengthHalfAsWide ? Int64(width) &* Int64(height) : Int64(width) * Int64(height)
  }
}
