internal import GIFDecoding

extension GIFEdit {
  /// The longest side of a logical screen.
  private static let longestSide = Int(UInt16.max)

  /// Where each image stands in the output.
  ///
  /// - Parameter sizes: the canvases of the images, at least one.
  func transforms(of sizes: [PixelSize]) throws(GIFEditError) -> [PictureTransform] {
    let canvas = self.canvas ?? sizes[0]
    if self.canvas == nil {
      for size in sizes where size != canvas { throw GIFEditError(.canvasMismatch) }
    }
    let whole = PixelRect(x: 0, y: 0, width: canvas.width, height: canvas.height)
    let kept = crop ?? whole
    guard !kept.isEmpty, whole.contains(kept) else { throw GIFEditError(.cropOutsideCanvas) }
    let side = max(kept.width, kept.height)
    guard side <= Self.longestSide else {
      throw GIFEditError(.canvasTooLarge, value: Int64(side), limit: Int64(Self.longestSide))
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
