internal import GIFDecoding
internal import GIFTimeline

// What the page passes as numbers, for each module that takes such values.

/// The page's times, in milliseconds.
enum Milliseconds {
  /// Whole nanoseconds, clamped; 0 for NaN.
  static func nanoseconds(_ milliseconds: Double) -> Int64 { Int64(clamping: milliseconds * 1e6) }

  static func of(_ nanoseconds: Int64) -> Double { Double(nanoseconds) / 1e6 }
}

extension PlaybackMode {
  /// 0 forward, 1 reverse, 2 bounce; forward for others.
  init(number: Int) { self = number == 1 ? .reverse : number == 2 ? .bounce : .forward }
}

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
