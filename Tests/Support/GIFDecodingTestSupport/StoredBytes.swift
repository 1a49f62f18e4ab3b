package import GIFDecoding

/// A file that is not in memory for the engine: bytes that are read piece by piece, and that a test can
/// change.
package final class StoredBytes: ByteSource, @unchecked Sendable {
  /// Changed between reads only.
  package var bytes: [UInt8]
  private let wholeCount: Int
  /// Whether it is known where the file ends.
  private var hasEnd: Bool
  /// The largest piece that was asked for.
  package private(set) var largestRead = 0
  /// The sum of all pieces.
  package private(set) var readBytes = 0

  /// - Parameter isGrowing: whether the file is still written: its end is known once a read has gone there,
  ///   or the count was asked for.
  package init(_ bytes: [UInt8], isGrowing: Bool = false) {
    self.bytes = bytes
    wholeCount = bytes.count
    hasEnd = !isGrowing
  }

  package var count: Int {
    hasEnd = true
    return wholeCount
  }

  package var knownEnd: Int { hasEnd ? wholeCount : .max }

  package func read(at offset: Int, into target: UnsafeMutableRawBufferPointer) throws(GIFError) {
    largestRead = max(largestRead, target.count)
    readBytes += target.count
    guard offset + target.count <= bytes.count else {
      hasEnd = true
      throw GIFError(.fileChanged, offset: bytes.count)
    }
    unsafe target.copyBytes(from: bytes[offset..<offset + target.count])
  }
}
