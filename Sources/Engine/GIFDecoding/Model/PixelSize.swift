/// A width and a height in pixels, both at least 1.
public struct PixelSize: Hashable, Sendable {
  /// 1 to 131,070 pixels.
  public let width: Int
  /// 1 to 131,070 pixels.
  public let height: Int

  /// The largest side of a canvas: a first frame that begins at 65,535 may be as long again.
  package static let largestSide = 131_070

  /// Makes a size; nil if a side is less than 1 or more than 131,070.
  public init?(width: Int, height: Int) {
    guard (1...Self.largestSide).contains(width), (1...Self.largestSide).contains(height) else { return nil }
    self.width = width
    self.height = height
  }

  /// Makes the nearest valid size.
  package init(clampingWidth width: Int, height: Int) {
    self.width = min(Self.largestSide, max(1, width))
    self.height = min(Self.largestSide, max(1, height))
  }

  /// The largest size of the same shape within `bounds`, never larger than this one.
  ///
  /// Sides are rounded, and at least 1.
  public func fitting(_ bounds: PixelSize) -> PixelSize {
    guard width > bounds.width || height > bounds.height else { return self }
    let (ownWidth, ownHeight) = (Int64(width), Int64(height))
    let (boundWidth, boundHeight) = (Int64(bounds.width), Int64(bounds.height))
    let isLimitedByWidth = ownWidth * boundHeight >= ownHeight * boundWidth
    return isLimitedByWidth
      ? PixelSize(
        clampingWidth: bounds.width, height: Int((ownHeight * boundWidth + ownWidth / 2) / ownWidth))
      : PixelSize(
        clampingWidth: Int((ownWidth * boundHeight + ownHeight / 2) / ownHeight), height: bounds.height)
  }

  /// The number of pixels.
  package var area: Int64 { Int64.product(width, height) }
}
