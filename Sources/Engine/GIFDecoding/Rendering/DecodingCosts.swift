/// What holding and decoding the frames of an image at one size take, known before any frame is decoded. All
/// sizes are bytes.
package struct DecodingCosts: Sendable, Hashable {
  package let frameCount: Int
  /// One finished frame.
  package let frameBytes: Int64
  /// What decoding takes: canvas, indices, tables. Held while anything is decoded.
  package let rendererBytes: Int64
  /// What is left of that between turns where memory is short: a packed canvas, or none.
  package var packedBytes: Int64
  /// The palette indices of all frames.
  package let planeBytes: Int64
  /// One canvas, kept to find the way back.
  package let canvasBytes: Int64
  /// Pixels packed in a second by a renderer that is packed after each frame.
  package let packedPixelRate: Int64
  /// Why the limits allow no renderer; nil where they allow one.
  package let refusal: GIFError?

  /// - Parameter packedBytes: nil where packing gives up nothing.
  package init(
    frameCount: Int, frameBytes: Int64, rendererBytes: Int64, packedBytes: Int64? = nil, planeBytes: Int64,
    canvasBytes: Int64, packedPixelRate: Int64 = 0, refusal: GIFError? = nil
  ) {
    self.frameCount = frameCount
    self.frameBytes = frameBytes
    self.rendererBytes = rendererBytes
    self.packedBytes = min(rendererBytes, packedBytes ?? rendererBytes)
    self.planeBytes = planeBytes
    self.canvasBytes = canvasBytes
    self.packedPixelRate = packedPixelRate
    self.refusal = refusal
  }

  /// What a renderer gives up while it is packed.
  package var releasedBytes: Int64 { rendererBytes - packedBytes }
}

extension GIFImage {
  /// What the frames of a size take; nil for that of the canvas. Takes time in proportion to their number.
  package func decodingCosts(size: PixelSize?) -> DecodingCosts {
    var refusal: GIFError?
    do throws(GIFError) { try checkRenderer(size: size) } catch { refusal = error }
    let canvasBytes = pixelCount * 4
    return DecodingCosts(
      frameCount: frameCount, frameBytes: size.map { $0.area * 4 } ?? canvasBytes,
      rendererBytes: rendererBytes(size: size), packedBytes: packedRendererBytes(size: size),
      planeBytes: frames.reduce(0) { $0 + $1.rect.area }, canvasBytes: canvasBytes,
      packedPixelRate: packedPixelRate, refusal: refusal)
  }
}
