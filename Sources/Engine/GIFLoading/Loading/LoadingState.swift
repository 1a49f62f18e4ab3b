public import GIFDecoding

/// The progress of a load at one instant.
public struct LoadingState: Sendable {
  /// The number of bytes received.
  public let byteCount: Int64
  /// The number of bytes of the whole file; nil if it is unknown or disproved by the bytes received.
  public let expectedByteCount: Int64?
  /// The image so far; nil before its size is known.
  public internal(set) var image: GIFImage?
  /// Whether all frames are known; true for the last state.
  public let isComplete: Bool

  /// The part of the file that has arrived, 0 - 1; nil if its size is unknown.
  public var fractionCompleted: Double? {
    guard let expectedByteCount, expectedByteCount > 0 else { return nil }
    return Double(byteCount) / Double(expectedByteCount)
  }
}

extension LoadingState: CustomStringConvertible {
  /// The bytes received, of how many, and the number of frames.
  public var description: String {
    let bytes = expectedByteCount.map { "\(byteCount) of \($0) bytes" } ?? "\(byteCount) bytes"
    return "\(bytes), \(image?.frameCount ?? 0) frames\(isComplete ? ", complete" : "")"
  }
}
