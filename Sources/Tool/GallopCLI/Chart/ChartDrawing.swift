internal import GIFStage

/// A chart as shapes, in whole pixels from the top left corner; SVG and PNG are written from it.
struct ChartDrawing: Equatable {
  enum Alignment: String {
    case start, middle, end
  }

  enum Shape: Equatable {
    case bar(x: Int, y: Int, width: Int, height: Int, Color)
    /// A line of text; `y` is its baseline.
    case text(String, x: Int, y: Int, Alignment, Color)
  }

  let width: Int
  let height: Int
  var shapes: [Shape] = []

  /// Text is drawn with the bitmap font at this size.
  static let textSize = 2
  /// From one letter to the next.
  static let letterWidth = BitmapFont.advance * textSize
  /// The height of a capital letter.
  static let letterHeight = BitmapFont.height * textSize
}
