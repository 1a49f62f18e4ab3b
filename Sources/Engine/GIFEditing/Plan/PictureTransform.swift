internal import GIFDecoding

/// Where the pixels of an image stand in the output: a part of it or more, mirrored, turned.
struct PictureTransform: Equatable {
  /// The part that is shown, in the image's coordinates; what is beyond the image is transparent.
  let part: PixelRect
  var mirrorsColumns = false
  var mirrorsRows = false
  /// Quarter turns, clockwise, after mirroring: 0 to 3.
  var quarterTurns = 0

  init(part: PixelRect) { self.part = part }

  /// The size of the output.
  var size: PixelSize {
    quarterTurns % 2 == 0
      ? PixelSize(clampingWidth: part.width, height: part.height)
      : PixelSize(clampingWidth: part.height, height: part.width)
  }

  /// Whether pixels keep their order, so that a frame within the part can stay as it is compressed.
  var keepsOrder: Bool { !mirrorsColumns && !mirrorsRows && quarterTurns == 0 }

  /// Whether the image stays as it is.
  func isIdentity(for image: PixelSize) -> Bool {
    keepsOrder && part == PixelRect(x: 0, y: 0, width: image.width, height: image.height)
  }

  /// The pixel of the image that stands at a place of the output.
  @inline(__always)
  func source(ofColumn column: Int, row: Int) -> (column: Int, row: Int) {
    var (x, y) = (column, row)
    switch quarterTurns {
    case 1: (x, y) = (row, part.height - 1 - column)
    case 2: (x, y) = (part.width - 1 - column, part.height - 1 - row)
    case 3: (x, y) = (part.width - 1 - row, column)
    default: break
    }
    if mirrorsColumns { x = part.width - 1 - x }
    if mirrorsRows { y = part.height - 1 - y }
    return (x + part.x, y + part.y)
  }

  /// Where the visible part of a rectangle of the image stands in the output.
  func target(of rect: PixelRect) -> PixelRect {
    let visible = rect.intersection(part)
    guard !visible.isEmpty else { return .empty }
    var (x, y) = (visible.x - part.x, visible.y - part.y)
    if mirrorsColumns { x = part.width - x - visible.width }
    if mirrorsRows { y = part.height - y - visible.height }
    let (width, height) = (visible.width, visible.height)
    return switch quarterTurns {
    case 1: PixelRect(x: part.height - y - height, y: x, width: height, height: width)
    case 2: PixelRect(x: part.width - x - width, y: part.height - y - height, width: width, height: height)
    case 3: PixelRect(x: y, y: part.width - x - width, width: height, height: width)
    default: PixelRect(x: x, y: y, width: width, height: height)
    }
  }

  /// A picture of the image as it stands in the output.
  ///
  /// - Throws: ``GIFError/Code/outOfMemory``.
  func applied(to picture: Span<UInt32>, width: Int) throws(GIFError) -> PixelMemory {
    let (size, height) = (size, picture.count / max(1, width))
    var memory = try PixelMemory(count: size.width * size.height)
    var words = memory.mutableSpan
    for row in 0..<size.height {
      for column in 0..<size.width {
        let place = source(ofColumn: column, row: row)
        guard place.column >= 0, place.column < width, place.row >= 0, place.row < height else { continue }
        words[row * size.width + column] = picture[place.row * width + place.column]
      }
    }
    return memory
  }
}
