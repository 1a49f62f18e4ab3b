internal import GIFDecoding

extension GIFEdit {
  /// The longest side of a logical screen.
  private static let longestSide = Int(UInt16.max)

  /// Where each image stands in the output.
  ///
  /// - Parameter images: at least one.
  func transforms(of images: [GIFImage]) throws(GIFEditError) -> [PictureTransform] {
    let sizes = images.map { $0.size }
    let canvas = self.canvas ?? sizes[0]
    if self.canvas == nil {
      for size in sizes where size != canvas { throw GIFEditError(.canvasMismatch) }
    }
    let whole = PixelRect(x: 0, y: 0, width: canvas.width, height: canvas.height)
    let kept = crop ?? whole
    // Apart, so that no sum overflows.
    guard kept.x >= 0, kept.y >= 0, kept.width > 0, kept.height > 0, kept.x < canvas.width,
      kept.y < canvas.height, kept.width <= canvas.width - kept.x, kept.height <= canvas.height - kept.y
    else { throw GIFEditError(.cropOutsideCanvas) }
    let side = max(kept.width, kept.height)
    guard side <= Self.longestSide else {
      throw GIFEditError(.canvasTooLarge, value: Int64(side), limit: Int64(Self.longestSide))
    }
    let limits = images[0].limits
    let most = min(limits.canvasPixels, limits.decodedBytes / 4)
    guard kept.area <= most else {
      throw GIFEditError(.canvasTooLarge, value: kept.area, limit: most)
    }
    return sizes.map { size in
      let (left, top) = ((canvas.width - size.width) / 2, (canvas.height - size.height) / 2)
      var transform = PictureTransform(
        part: PixelRect(x: kept.x - left, y: kept.y - top, width: kept.width, height: kept.height))
      transform.mirrorsColumns = flipsHorizontally
      transform.mirrorsRows = flipsVertically
      transform.quarterTurns = (quarterTurns % 4 + 4) % 4
      return transform
    }
  }
}
