internal import Gallop
internal import Glibc

/// Reads a file as if it came over a network: piece by piece, each read by the engine before the next one
/// comes.
///
/// Standard input, and files whose names are not UTF-8, are read so in any case.
enum PiecewiseReading {
  /// The size of the pieces of a file; nil for a file that the engine opens by its name.
  static func pieceSize(of path: String, asked: Int?) -> Int? {
    asked ?? (path == InputFiles.standardInput || !NameText.isUTF8(path) ? 1 << 16 : nil)
  }

  /// The image of a file that was fed to the engine in pieces of at most `size` bytes.
  ///
  /// The result equals that of ``GIFImage`` for the whole file; conformance runs compare the two.
  static func image(of path: String, size: Int, limits: DecodingLimits) throws(GIFError) -> GIFImage {
    var stream = GIFStream(limits: limits)
    try forEachPiece(of: path, size: size, limits: limits) { piece throws(GIFError) in
      try stream.append(piece)
      return true
    }
    return try stream.finish()
  }

  /// Reads a file into a sink.
  static func read(_ path: String, size: Int, limits: DecodingLimits, into sink: LoadingSink) {
    do throws(GIFError) {
      try forEachPiece(of: path, size: size, limits: limits) { piece throws(GIFError) in sink.receive(piece) }
      sink.finish()
    } catch {
      sink.fail(GIFLoadingError(error, source: sink.source))
    }
  }

  /// The bytes of a file, or of standard input, at most those that the limits allow.
  static func bytes(of path: String, limits: DecodingLimits) throws(GIFError) -> [UInt8] {
    var bytes: [UInt8] = []
    try forEachPiece(of: path, size: 1 << 20, limits: limits) { piece throws(GIFError) in
      let count = bytes.count + piece.count
      guard count <= limits.streamBytes else {
        throw GIFError(.inputTooLarge, value: Int64(count), limit: Int64(limits.streamBytes))
      }
      unsafe piece.withUnsafeBufferPointer { unsafe bytes.append(contentsOf: $0) }
      return true
    }
    return bytes
  }

  /// - Parameter body: returns whether to read more.
  private static func forEachPiece(
    of path: String, size: Int, limits: DecodingLimits, _ body: (Span<UInt8>) throws(GIFError) -> Bool
  ) throws(GIFError) {
    let descriptor = try descriptor(path)
    defer { if descriptor != STDIN_FILENO { close(descriptor) } }
    try checkSize(of: descriptor, limits)
    var piece = [UInt8](repeating: 0, count: size)
    while true {
      try waitForBytes(descriptor)
      let count = unsafe piece.withUnsafeMutableBytes {
        unsafe Glibc.read(descriptor, $0.baseAddress, $0.count)
      }
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw failure() }
      guard count > 0, try body(piece.span.extracting(first: count)) else { return }
    }
  }

  /// Waits until a read does not wait, or a signal is to end the command.
  private static func waitForBytes(_ descriptor: Int32) throws(GIFError) {
    var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    // The wait is short: a signal may come just before it, or on another thread.
    while Interruption.signal == nil {
      let count = unsafe poll(&request, 1, 50)
      // What cannot be awaited is left to the read.
      if count > 0 || count < 0 && errno != EINTR { return }
    }
    throw GIFError(.cancelled)
  }

  /// Refuses a regular file that is too large before anything is read of it.
  private static func checkSize(of descriptor: Int32, _ limits: DecodingLimits) throws(GIFError) {
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return }
    let left = Int(status.st_size) - max(0, Int(lseek(descriptor, 0, SEEK_CUR)))
    guard left <= limits.streamBytes else {
      throw GIFError(.inputTooLarge, value: Int64(left), limit: Int64(limits.streamBytes))
    }
  }

  private static func descriptor(_ path: String) throws(GIFError) -> Int32 {
    if path == InputFiles.standardInput { return STDIN_FILENO }
    let descriptor = unsafe open(NameText.system(path), O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw failure() }
    return descriptor
  }

  private static func failure() -> GIFError { GIFError(.unreadable, value: Int64(errno)) }
}
