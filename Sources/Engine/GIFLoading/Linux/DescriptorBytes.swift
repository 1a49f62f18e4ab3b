package import GIFDecoding
internal import Glibc

/// The bytes of an open file. The descriptor belongs to the caller, and the file does not change meanwhile.
package final class DescriptorBytes: ByteSource {
  private let descriptor: Int32
  package let count: Int

  package init(_ descriptor: Int32) {
    var status = stat()
    self.descriptor = descriptor
    count = unsafe fstat(descriptor, &status) == 0 ? Int(status.st_size) : 0
  }

  /// Whether a descriptor is that of a file, which can be read again.
  package static func isFile(_ descriptor: Int32) -> Bool {
    var status = stat()
    return unsafe fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
  }

  package func read(at offset: Int, into target: UnsafeMutableRawBufferPointer) throws(GIFError) {
    let length = try unsafe FileReading.read(descriptor, at: offset, into: target)
    guard length == target.count else { throw GIFError(.fileChanged, offset: offset + length) }
  }
}
