internal import GIFDecoding
internal import GIFTimeline

extension DecodingLimits {
  /// The limits that the page passes; 0 stands for the default one.
  init(
    _ streamBytes: Double, _ canvasPixels: Double, _ frames: Double, _ decodedBytes: Double,
    _ totalPixels: Double
  ) {
    self = .default
    if streamBytes > 0 { self.streamBytes = Int(clamping: Int64(clamping: streamBytes)) }
    if canvasPixels > 0 { self.canvasPixels = Int64(clamping: canvasPixels) }
    if frames > 0 { frameCount = Int(clamping: Int64(clamping: frames)) }
    if decodedBytes > 0 { self.decodedBytes = Int64(clamping: decodedBytes) }
    if totalPixels > 0 { self.totalPixels = Int64(clamping: totalPixels) }
  }
}
