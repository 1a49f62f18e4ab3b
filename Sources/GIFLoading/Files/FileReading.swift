internal import GIFDecoding
internal import Glibc

/// The system's calls for reading.
enum FileReading {
  /// Reads from a place in a file until `target` is full or the file ends; returns how many bytes were read.
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

  /// Reads what comes next, as much as there is; 0 at the end.
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
