internal import GIFStage
internal import Gallop

/// The layout of a contact sheet: a title, and thumbnails with captions.
struct SheetLayout: Equatable {
  let thumbnail: PixelSize
  let columns: Int
  let width: Int
  let height: Int
  private let pitchX: Int
  private let pitchY: Int

  static let margin = 12
  static let titleSize = 2
  /// The sheet's pixels at the most: 128 MiB of memory.
  static let areaLimit: Int64 = 1 << 25
  private static let sideLimit = 16_384
  private static let gap = 8
  private static let captionHeight = 4 + BitmapFont.height
  private static let gridTop = margin + titleSize * (BitmapFont.height + BitmapFont.descent) + gap
  /// The default boxes of thumbnails; the first with which the sheet is small enough is used.
  private static let boxes = [(160, 120), (128, 96), (96, 72), (64, 48), (48, 36), (32, 24), (16, 12)]

  /// - Parameters:
  ///   - size: of thumbnails; nil for one that fits the number of frames, never larger than the canvas.
  ///   - captionWidth: what the widest caption takes.
  ///   - titleWidth: what the title takes; the sheet is at least so wide, up to 640 pixels.
  /// - Returns: nil if the sheet is too large.
  init?(canvas: PixelSize, count: Int, size: PixelSize?, captionWidth: Int, titleWidth: Int) {
    let boxes = Self.boxes.map { PixelSize(clampingWidth: $0.0, height: $0.1) }
    let sizes = size.map { [$0] } ?? boxes.map(canvas.fitting)
    for size in sizes {
      self.init(thumbnail: size, count: count, captionWidth: captionWidth, titleWidth: titleWidth)
      if width <= Self.sideLimit, height <= Self.sideLimit, Int64(width) * Int64(height) <= Self.areaLimit {
        return
      }
    }
    return nil
  }

  private init(thumbnail: PixelSize, count: Int, captionWidth: Int, titleWidth: Int) {
    self.thumbnail = thumbnail
    pitchX = max(thumbnail.width, captionWidth) + Self.gap
    pitchY = thumbnail.height + Self.captionHeight + Self.gap
    // About as wide as a screen: four to three.
    let ideal = (Double(count) * Double(pitchY) / Double(pitchX) * 4 / 3).squareRoot().rounded(.up)
    columns = max(1, min(count, Int(ideal), (Self.sideLimit - 2 * Self.margin) / pitchX))
    let rows = (count + columns - 1) / columns
    let cells = count == 0 ? 0 : columns * pitchX - Self.gap
    width = 2 * Self.margin + max(cells, min(titleWidth, 640))
    height = Self.gridTop + rows * pitchY + Self.margin - Self.gap
  }

  /// Where the `position`-th thumbnail goes.
  func picture(_ position: Int) -> PixelRect {
    PixelRect(
      x: Self.margin + position % columns * pitchX, y: Self.gridTop + position / columns * pitchY,
      width: thumbnail.width, height: thumbnail.height)
  }

  /// Where its caption goes, which may be wider than the picture.
  func caption(_ position: Int) -> PixelRect {
    let picture = picture(position)
    return PixelRect(x: picture.x, y: picture.maxY + 4, width: pitchX - Self.gap, height: BitmapFont.height)
  }
}
