internal import GIFDecoding
internal import GIFLoading
internal import Glibc

/// Reads a file as if it came over a network: piece by piece, each read by the engine before the next one comes.
enum PiecewiseReading {
  /// The image of a file that was fed to the engine in pieces of at most `size` bytes.
  ///
  /// What it gives is what ``GIFImage`` gives of the whole file; conformance runs compare the two.
  static func image(of path: String, size: Int, limits: DecodingLimits) throws -> GIFImage {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw failure() }
    defer { close(descriptor) }
    var stream = GIFStream(limits: limits)
    var piece = [UInt8](repeating: 0, count: size)
    while true {
      let count = unsafe piece.withUnsafeMutableBytes { unsafe read(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw failure() }
      if count == 0 { return try stream.finish() }
      try stream.append(piece.span.extracting(first: count))
    }
  }

  private static func failure() -> GIFError { GIFError(.unreadable, value: Int64(errno)) }
}
