import Glibc

@testable import GIFDecoding

/// A file that is not in memory for the engine: bytes that are read piece by piece, and that a test can change.
final class StoredBytes: ByteSource, @unchecked Sendable {
  /// Changed between reads only.
  var bytes: [UInt8]
  let count: Int
  /// The largest piece that was asked for.
  private(set) var largestRead = 0

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    count = bytes.count
  }

  func read(at offset: Int, into target: UnsafeMutableRawBufferPointer) throws(GIFError) {
    largestRead = max(largestRead, target.count)
    guard offset + target.count <= bytes.count else { throw GIFError(.fileChanged, offset: bytes.count) }
    unsafe target.copyBytes(from: bytes[offset..<offset + target.count])
  }
}

extension TemporaryFiles {
  /// Overwrites a file in place: cut to nothing first, as most programs do, or not.
  func overwrite(_ path: String, with bytes: [UInt8], at offset: Int = 0, isCut: Bool = true) {
    let descriptor = unsafe open(path, O_WRONLY | (isCut ? O_TRUNC : 0))
    defer { close(descriptor) }
    let count = unsafe bytes.withUnsafeBytes { unsafe pwrite(descriptor, $0.baseAddress, $0.count, offset) }
    precondition(count == bytes.count)
  }
}

extension FileOpening {
  /// Leaves every regular file where it is, with files of its own.
  static func onDisk(limit: Int = 100) -> FileOpening {
    FileOpening(files: OpenFiles(limit: { limit }), memoryThreshold: 0)
  }
}
