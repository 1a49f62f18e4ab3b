/// Gathers a frame's code blocks into one run of bytes, so that the code loop meets no block border.
///
/// Reused from frame to frame; holds at most the compressed bytes of one frame.
struct CodeStream: Sendable {
  /// Bytes readable past the end, zero, so that eight can always be loaded at once.
  static let padding = 8

  private(set) var bytes: [UInt8] = []
  /// Number of code bytes, without the padding.
  private(set) var count = 0

  /// Reads the blocks in `range`, which may break off anywhere.
  mutating func gather(_ range: Range<Int>, of file: Span<UInt8>) {
    bytes.removeAll(keepingCapacity: true)
    bytes.reserveCapacity(range.count + Self.padding)
    var blocks = SubBlocks(range)
    while let block = blocks.next(in: file) {
      unsafe file.extracting(block).withUnsafeBufferPointer { unsafe bytes.append(contentsOf: $0) }
    }
    count = bytes.count
    for _ in 0..<Self.padding { bytes.append(0) }
  }

  /// The most indices that so many bytes of codes can stand for: n codes give at most 1 + 2 + ... + n, and no code more
  /// than 4,096.
  static func mostIndices(codeBytes: Int, codeSize: UInt8) -> Int64 {
    let codes = Int64(codeBytes) * 8 / (Int64(codeSize) + 1)
    return codes * min(codes, 4096)
  }
}
