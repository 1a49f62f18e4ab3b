internal import GIFDecoding
internal import GIFLoading
internal import Gallop
internal import Glibc

/// An output that is not a file, written by way of a file without a name: that is checked, and then copied.
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
      let length = try unsafe FileReading.read(descriptor, at: offset, into: target)
      guard length == target.count else { throw GIFError(.fileChanged, offset: offset + length) }
    }
  }
}
