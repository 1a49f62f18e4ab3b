public import GIFDecoding
public import GIFStage

/// A rectangle of cells; column 0, row 0 is the top left of the terminal.
public struct TerminalArea: Hashable, Sendable {
  /// The leftmost column, 0...65534.
  public let column: Int
  /// The topmost row, 0...65534.
  public let row: Int
  /// Columns, 1...65535.
  public let columns: Int
  /// Rows, 1...65535.
  public let rows: Int

  /// Creates an area; values are clamped to their ranges.
  public init(column: Int, row: Int, columns: Int, rows: Int) {
    self.column = min(max(column, 0), 65534)
    self.row = min(max(row, 0), 65534)
    self.columns = min(max(columns, 1), 65535)
    self.rows = min(max(rows, 1), 65535)
  }

  /// The area without its last rows; at least one row stays.
  public func leaving(rows count: Int) -> TerminalArea {
    TerminalArea(column: column, row: row, columns: columns, rows: rows - max(count, 0))
  }
}

/// The placement of a picture: its cells, its visible part and its drawn size.
///
/// It uses integers only, so that equal input gives equal placements on every machine.
public struct TerminalPlacement: Hashable, Sendable {
  /// The cells the picture covers.
  public let area: TerminalArea
  /// The picture the placement is for.
  public let picture: PixelSize
  /// The part of it that is drawn.
  let part: PixelRect
  /// The width of the part when drawn, in terminal pixels. With `symbols` it counts the pixels of assumed
  /// cells.
  public let drawnWidth: Int
  /// The height of the part when drawn, as ``drawnWidth``.
  public let drawnHeight: Int
  /// The cells' size in pixels.
  public let cell: TerminalCell
  /// How many pixels high the image for these cells is: all they have, save for `sixel`.
  let imageHeight: Int

  /// Fits a picture into an area.
  ///
  /// A contained picture is centred. With `symbols` it is rounded to whole cells, a distortion of at most
  /// half a cell. The pixel protocols keep the shape and leave the rest of the outermost cells transparent.
  ///
  /// - Parameters:
  ///   - picture: the picture's size.
  ///   - area: the available area.
  ///   - cell: the size of a cell.
  ///   - graphics: how it will be drawn.
  ///   - mode: how the picture is fitted if the proportions differ.
  ///   - maximumScale: the largest enlargement of a contained picture, at least 1. Nil means no limit with
  ///     `symbols`, whose cells are large, and 3 with the pixel protocols, as larger images only cost bytes.
  public static func place(
    _ picture: PixelSize, into area: TerminalArea, cell: TerminalCell, graphics: TerminalGraphics,
    mode: ResizeMode = .contain, maximumScale: Int? = nil
  ) -> TerminalPlacement {
    let cell = graphics == .sixel ? TerminalCell(width: cell.width, height: max(cell.height, 6)) : cell
    guard mode != .contain else {
      return contain(picture, into: area, cell: cell, graphics: graphics, maximumScale: maximumScale)
    }
    let (width, height) = (area.columns * cell.width, imageHeight(area.rows, cell, graphics))
    let part =
      mode == .cover ? middle(of: picture, shapedLike: width, height) : PixelRect(picture)
    return TerminalPlacement(
      area: area, picture: picture, part: part, drawnWidth: width, drawnHeight: height, cell: cell,
      imageHeight: height)
  }

  /// The largest part of a picture with the proportions `width` to `height`, to the nearest pixel.
  private static func middle(
    of picture: PixelSize, shapedLike width: Int, _ height: Int
  ) -> PixelRect {
    var part = PixelRect(picture)
    if picture.width * height >= picture.height * width {
      part.width = min(picture.width, max(1, rounded(picture.height * width, over: height)))
    } else {
      part.height = min(picture.height, max(1, rounded(picture.width * height, over: width)))
    }
    part.x = (picture.width - part.width) / 2
    part.y = (picture.height - part.height) / 2
    return part
  }

  private static func contain(
    _ picture: PixelSize, into area: TerminalArea, cell: TerminalCell, graphics: TerminalGraphics,
    maximumScale: Int?
  ) -> TerminalPlacement {
    // Sides are at most 131070, cells at most 256 and areas at most 65535: no product exceeds 2^58.
    let scale = min(max(maximumScale ?? (graphics.isPixelExact ? 3 : 65535), 1), 65535)
    let width = min(area.columns * cell.width, picture.width * scale)
    let height = min(imageHeight(area.rows, cell, graphics), picture.height * scale)

    let isWidthBound = picture.height * width <= picture.width * height
    let drawnWidth = isWidthBound ? width : max(1, rounded(picture.width * height, over: picture.height))
    let drawnHeight = isWidthBound ? max(1, rounded(picture.height * width, over: picture.width)) : height

    let round = graphics.isPixelExact ? roundedUp : rounded
    let columns = min(max(round(drawnWidth, cell.width), 1), area.columns)
    var rows = min(max(round(drawnHeight, cell.height), 1), area.rows)
    if graphics.isPixelExact && imageHeight(rows, cell, graphics) < drawnHeight { rows += 1 }
    return TerminalPlacement(
      area: TerminalArea(
        column: area.column + (area.columns - columns) / 2, row: area.row + (area.rows - rows) / 2,
        columns: columns, rows: rows),
      picture: picture, part: PixelRect(picture), drawnWidth: drawnWidth, drawnHeight: drawnHeight,
      cell: cell,
      imageHeight: imageHeight(rows, cell, graphics))
  }

  /// The height of an image for a number of rows. Sixels come in bands of six pixels, and chafa leaves out a
  /// last band that would not be full.
  private static func imageHeight(_ rows: Int, _ cell: TerminalCell, _ graphics: TerminalGraphics) -> Int {
    let height = rows * cell.height
    return graphics == .sixel ? height - height % 6 : height
  }

  /// The size of the part with the margin that fills its cells up, in the picture's own pixels.
  var padded: PixelSize {
    PixelSize(
      clampingWidth: max(part.width, rounded(part.width * area.columns * cell.width, over: drawnWidth)),
      height: max(part.height, rounded(part.height * imageHeight, over: drawnHeight)))
  }

  /// The size of the image for these cells in terminal pixels.
  var imageSize: PixelSize { PixelSize(clampingWidth: area.columns * cell.width, height: imageHeight) }
}

/// `dividend / divisor`, to the nearest, halves up.
private func rounded(_ dividend: Int, over divisor: Int) -> Int { (dividend + divisor / 2) / divisor }

/// `dividend / divisor`, never less.
private func roundedUp(_ dividend: Int, over divisor: Int) -> Int { (dividend + divisor - 1) / divisor }
