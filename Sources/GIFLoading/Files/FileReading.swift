internal import GIFDecoding
internal import Glibc

/// The system calls for reading.
enum FileReading {
  /// Whether opening or reading may wait for another program, as with a pipe or a device.
  static func mayBlock(_ path: String) -> Bool {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { return false }
    let type = status.st_mode & S_IFMT
    return type != S_IFREG && type != S_IFDIR
  }

  /// Reads from an offset until `target` is full or the file ends; returns the number of bytes.
  static func read(
    _ descriptor: Int32, at offset: Int, into target: UnsafeMutableRawBufferPointer
  ) throws(GIFError) -> Int {
    var count = 0
    while count < target.count {
      let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: target[count...])
      let length = unsafe pread(descriptor, rest.baseAddress, rest.count, off_t(offset + count))
      if length < 0, errno == EINTR { continue }
      guard length >= 0 else { throw GIFError(.unreadable, value: Int64(errno)) }
      if length == 0 { break }
      count += length
    }
    return count
  }

  /// Reads the available bytes; returns their number, 0 at the end.
  static func readNext(
    _ descriptor: Int32, into target: UnsafeMutableRawBufferPointer
  ) throws(GIFError) -> Int {
    while true {
      let length = unsafe Glibc.read(descriptor, target.baseAddress, target.count)
      if length >= 0 { return length }
      guard errno == EINTR else { throw GIFError(.unreadable, value: Int64(errno)) }
    }
  }
}
