internal import GIFDecoding
internal import Gallop
internal import Glibc

/// An output that is not a file, written by way of a file without a name: it is checked before it is passed on.
enum EditDraft {
  /// Has `body` fill a file, and then copies it to `target`.
  static func write(to target: OutputDescriptor, _ body: (OutputDescriptor) throws -> Void) throws {
    let folder = unsafe getenv("TMPDIR").map { unsafe String(cString: $0) } ?? "/tmp"
    var name = NameText.system(folder + "/gallop-XXXXXX")
    let descriptor = unsafe mkstemp(&name)
    guard descriptor >= 0 else { throw CommandFailure.system(folder, "cannot be written", error: errno) }
    unsafe _ = unlink(name)
    defer { close(descriptor) }
    try body(OutputDescriptor(descriptor, name: folder))
    var offset = 0
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = unsafe pread(descriptor, &buffer, buffer.count, offset)
      guard count >= 0 else { throw CommandFailure.system(folder, "cannot be read", error: errno) }
      if count == 0 { return }
      try target.write(Array(buffer[..<count]))
      offset += count
    }
  }

  /// Whether what was written can be read again.
  static func isFile(_ target: OutputDescriptor) -> Bool {
    var status = stat()
    return unsafe fstat(target.descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
  }

  /// The bytes of an open file.
  final class Bytes: ByteSource {
    private let descriptor: Int32
    let count: Int

    init(_ descriptor: Int32) {
      var status = stat()
      self.descriptor = descriptor
      count = unsafe fstat(descriptor, &status) == 0 ? Int(status.st_size) : 0
    }

    func read(at offset: Int, into target: UnsafeMutableRawBufferPointer) throws(GIFError) {
      var done = 0
      while done < target.count {
        let count = unsafe pread(
          descriptor, target.baseAddress?.advanced(by: done), target.count - done, offset + done)
        if count < 0, errno == EINTR { continue }
        guard count > 0 else {
          throw GIFError(count == 0 ? .fileChanged : .unreadable, offset: offset + done, value: Int64(errno))
        }
        done += count
      }
    }
  }
}
