internal import GIFDecoding

/// What becomes another colour between two pictures of one size.
struct PictureChange: Equatable {
  /// The smallest rectangle that holds all pixels that change.
  var bounds = PixelRect.empty
  /// The smallest rectangle that holds all pixels that become transparent: no frame can draw these.
  var erased = PixelRect.empty
  /// How many pixels change.
  var pixelCount = 0

  /// Compares what the canvas shows with what it is to show; words without alpha are transparent.
  init(from before: Span<UInt32>, to target: Span<UInt32>, size: PixelSize) {
    precondition(before.count == target.count && before.count == size.width * size.height)
    var (changes, erasures) = (Bounds(), Bounds())
    for row in 0..<size.height {
      let start = row * size.width
      for place in start..<start + size.width where before[place] != target[place] {
        changes.add(place - start, row)
        pixelCount += 1
        if target[place] >> 24 == 0 { erasures.add(place - start, row) }
      }
    }
    (bounds, erased) = (changes.rect, erasures.rect)
  }

  private struct Bounds {
    var (left, right, top, bottom) = (Int.max, -1, -1, -1)

    mutating func add(_ column: Int, _ row: Int) {
      if top < 0 { top = row }
      bottom = row
      if column < left { left = column }
      if column > right { right = column }
    }

    var rect: PixelRect {
      top < 0 ? .empty : PixelRect(x: left, y: top, width: right - left + 1, height: bottom - top + 1)
    }
  }
}
