internal import EngineSupport
internal import Gallop

/// A surface of equal tiles, one for each player, as in a program that shows many GIFs.
final class TileWall: Sendable {
  private let tile: PixelSize
  private let columns: Int
  private let width: Int
  private let pixels: Lock<[UInt32]>

  /// Tiles in a row and in a column: about as many this way as that.
  private static func shape(_ count: Int) -> (columns: Int, rows: Int) {
    let columns = max(1, Int(Double(count).squareRoot().rounded(.up)))
    return (columns, (count + columns - 1) / columns)
  }

  /// Pixels of a wall, those of places without a player included.
  static func area(tile: PixelSize, count: Int) -> Int64 {
    let (columns, rows) = shape(count)
    return tile.area * Int64(columns) * Int64(rows)
  }

  init(tile: PixelSize, count: Int) {
    self.tile = tile
    let rows: Int
    (columns, rows) = Self.shape(count)
    width = columns * tile.width
    pixels = Lock(Array(repeating: 0, count: width * rows * tile.height))
  }

  /// Copies the changed part of a picture into its tile, clipped to the tile.
  func draw(_ change: FrameChange, at place: Int) {
    let bounds = PixelRect(x: 0, y: 0, width: tile.width, height: tile.height)
    let picture = change.frame.pixels
    let rect = change.changedRect.intersection(bounds)
      .intersection(PixelRect(x: 0, y: 0, width: picture.width, height: picture.height))
    guard !rect.isEmpty else { return }
    let corner = place / columns * tile.height * width + place % columns * tile.width
    pixels.withLock { pixels in
      let source = picture.span
      var target = pixels.mutableSpan
      for row in rect.y..<rect.maxY {
        let from = row * picture.width + rect.x
        let to = corner + row * width + rect.x
        // The bounds of every access below: checked, the loop copies a pixel at a time.
        precondition(from >= 0 && from + rect.width <= source.count)
        precondition(to >= 0 && to + rect.width <= target.count)
        for column in 0..<rect.width {
          unsafe target[unchecked: to &+ column] = source[unchecked: from &+ column]
        }
      }
    }
  }
}
