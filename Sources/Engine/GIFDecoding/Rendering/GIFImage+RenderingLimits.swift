extension GIFImage {
  /// Throws where the limits allow no renderer of frames of a size; nil for the size of the canvas.
  ///
  /// The size may come from outside the program, and a frame costs as much as a canvas of that size.
  package func checkRenderer(size: PixelSize?) throws(GIFError) {
    try Self.check(pixels: pixelCount, against: limits)
    if let size { try Self.check(pixels: size.area, against: limits) }
    if damagePolicy == .chromium { try Self.checkChromium(pixelCount) }
  }

  private static func check(pixels: Int64, against limits: DecodingLimits) throws(GIFError) {
    guard pixels <= limits.canvasPixels else {
      throw GIFError(.canvasTooLarge, value: pixels, limit: limits.canvasPixels)
    }
    let bytes = min(limits.decodedBytes, addressableBytes)
    guard pixels * 4 <= bytes else {
      throw GIFError(.tooManyDecodedBytes, value: pixels * 4, limit: bytes)
    }
  }

  /// Chromium refuses canvases whose bytes do not fit in 31 bits, whatever the caller's limits allow (row
  /// 52).
  private static func checkChromium(_ pixels: Int64) throws(GIFError) {
    let limit = Int64(Int32.max) / 4
    guard pixels <= limit else { throw GIFError(.canvasTooLarge, value: pixels, limit: limit) }
  }
}
