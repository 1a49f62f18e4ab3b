import GIFDecoding

/// A file that is not in memory for the engine: bytes that are read piece by piece, and that a test can
/// change.
final class StoredBytes: ByteSource, @unchecked Sendable {
  /// Changed between reads only.
  var bytes: [UInt8]
  let count: Int
  /// The largest piece that was asked for.
  private(set) var largestRead = 0
  /// The sum of all pieces.
  private(set) var readBytes = 0

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    count = bytes.count
  }

  func read(at offset: Int, into target: UnsafeMutableRawBufferPointer) throws(GIFError) {
    largestRead = max(largestRead, target.count)
    readBytes += target.count
    guard offset + target.count <= bytes.count else { throw GIFError(.fileChanged, offset: bytes.count) }
    unsafe target.copyBytes(from: bytes[offset..<offset + target.count])
  }
}
