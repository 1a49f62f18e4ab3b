public import GIFDecoding

/// How a picture is fitted into a view of other proportions.
public enum ResizeMode: String, Sendable, Hashable, CaseIterable {
  /// Exactly as large as the view; proportions change.
  case stretch
  /// As large as fits whole into the view, centred.
  case contain
  /// As small as fills the view, centred; the parts outside are cut off.
  case cover

  /// The next mode; after the last comes the first.
  public var next: ResizeMode {
    switch self {
    case .stretch: .contain
    case .contain: .cover
    case .cover: .stretch
    }
  }

  /// Where a picture goes in a view, in the view's pixels. With ``cover`` the rectangle reaches beyond the
  /// view.
  ///
  /// Sides are rounded to the nearest pixel and are at least 1. An empty view gives an empty rectangle.
  public func place(_ picture: PixelSize, inWidth width: Int, height: Int) -> PixelRect {
    let view = PixelRect(x: 0, y: 0, width: width, height: height).bounded
    guard !view.isEmpty else { return .empty }
    guard self != .stretch else { return view }
    // A picture that is flatter than the view is limited by its width if all of it is shown.
    let isFlatter = picture.width * view.height >= picture.height * view.width
    let size =
      isFlatter == (self == .contain)
      ? (view.width, Self.scaled(picture.height, view.width, picture.width))
      : (Self.scaled(picture.width, view.height, picture.height), view.height)
    return PixelRect(
      x: (view.width - size.0) >> 1, y: (view.height - size.1) >> 1, width: size.0, height: size.1)
  }

  private static func scaled(_ length: Int, _ numerator: Int, _ denominator: Int) -> Int {
    max(1, (2 * length * numerator + denominator) / (2 * denominator))
  }
}

/// Geometry of a picture and its destination rectangle.
enum PictureLayout {
  /// How a picture is resampled to fill a destination.
  static func sampling(of picture: PixelSize, in destination: PixelRect) -> Sampling {
    if destination.width < picture.width, destination.height < picture.height { return .area }
    let isWhole =
      destination.width.isMultiple(of: picture.width) && destination.height.isMultiple(of: picture.height)
    return isWhole ? .nearest : .bilinear
  }

  /// The part of a destination that shows a part of a picture, rounded outwards.
  static func shown(_ part: PixelRect, of picture: PixelSize, in destination: PixelRect) -> PixelRect {
    let all = PixelRect(x: 0, y: 0, width: picture.width, height: picture.height)
    var part = part.bounded.intersection(all)
    guard !part.isEmpty else { return .empty }
    // Pixels between two of the picture depend on both.
    if sampling(of: picture, in: destination) == .bilinear { part = part.inset(-1).intersection(all) }
    let left = part.x * destination.width / picture.width
    let top = part.y * destination.height / picture.height
    let right = (part.maxX * destination.width + picture.width - 1) / picture.width
    let bottom = (part.maxY * destination.height + picture.height - 1) / picture.height
    return PixelRect(
      x: destination.x + left, y: destination.y + top, width: right - left, height: bottom - top)
  }

  /// The size at which to decode a picture for a rectangle; nil for its own size, which it never exceeds.
  ///
  /// If a side is enlarged, only drawing scales: two scaling steps would be visible.
  static func decodeSize(of picture: PixelSize, shownIn destination: PixelRect) -> PixelSize? {
    guard destination.width <= picture.width, destination.height <= picture.height else { return nil }
    let size = PixelSize(width: destination.width, height: destination.height)
    return size == picture ? nil : size
  }
}

extension ResizeMode: CustomStringConvertible {
  public var description: String { rawValue }
}
