package import GIFDecoding
internal import Glibc

/// The system calls for reading.
package enum FileReading {
  /// Whether reading may wait for another program.
  static func mayBlock(_ path: String) -> Bool { type(of: Array(path.utf8CString)) == S_IFIFO }

  /// Whether a path leads to a device or a socket. Opening one may wait, or have an effect.
  static func isDevice(_ path: [CChar]) -> Bool {
    guard let type = type(of: path) else { return false }
    return ![S_IFREG, S_IFDIR, S_IFIFO].contains(type)
  }

  private static func type(of path: [CChar]) -> mode_t? {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { return nil }
    return status.st_mode & S_IFMT
  }

  /// The size of a regular file, which can be read again; nil for what is none, such as a pipe.
  package static func fileSize(_ descriptor: Int32) -> Int? {
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    return Int(status.st_size)
  }

  /// Reads from an offset until `target` is full.
  ///
  /// - Throws: ``GIFError/Code/fileChanged`` where the file ends before, ``GIFError/Code/unreadable``.
  static func fill(
    _ target: UnsafeMutableRawBufferPointer, from descriptor: Int32, at offset: Int
  ) throws(GIFError) {
    let length = try unsafe read(descriptor, at: offset, into: target)
    guard length == target.count else { throw GIFError(.fileChanged, offset: offset + length) }
  }

  /// Reads from an offset until `target` is full or the file ends; returns the number of bytes.
  package static func read(
    _ descriptor: Int32, at offset: Int, into target: UnsafeMutableRawBufferPointer
  ) throws(GIFError) -> Int {
    var count = 0
    while count < target.count {
      let missing = unsafe UnsafeMutableRawBufferPointer(rebasing: target[count...])
      let length = unsafe pread(descriptor, missing.baseAddress, missing.count, off_t(offset + count))
      if length < 0, errno == EINTR { continue }
      guard length >= 0 else { throw GIFError(.unreadable, value: Int64(errno)) }
      if length == 0 { break }
      count += length
    }
    return count
  }

  /// Reads the available bytes; returns their number, 0 at the end.
  package static func readNext(
    _ descriptor: Int32, into target: UnsafeMutableRawBufferPointer
  ) throws(GIFError) -> Int {
    while true {
      let length = unsafe Glibc.read(descriptor, target.baseAddress, target.count)
      if length >= 0 { return length }
      guard errno == EINTR else { throw GIFError(.unreadable, value: Int64(errno)) }
    }
  }
}

/// A pipe that is read without waiting for ever. A named one may have no writer yet.
struct PipeReader {
  let descriptor: Int32
  /// How long a named pipe may be without a writer, in milliseconds.
  let writerTimeout: Int
  let isCancelled: @Sendable () -> Bool

  /// How often a wait looks for a cancellation, in milliseconds.
  private static let slice: Int32 = 100

  /// Reads the available bytes, and waits for the first of them; returns their number, 0 at the end.
  ///
  /// A pipe with a writer is awaited without a limit, as in other programs.
  func readNext(into target: UnsafeMutableRawBufferPointer) throws(GIFError) -> Int {
    var left = writerTimeout
    while true {
      if isCancelled() { throw GIFError(.cancelled) }
      let length = unsafe Glibc.read(descriptor, target.baseAddress, target.count)
      if length > 0 { return length }
      if length < 0, errno != EAGAIN, errno != EINTR { throw GIFError(.unreadable, value: Int64(errno)) }
      let isWithoutWriter = length == 0
      // The end shows as a hang-up; a named pipe that no writer has opened shows nothing.
      if isWithoutWriter, wait(milliseconds: 0) & Int16(POLLHUP) != 0 { return 0 }
      guard !isWithoutWriter || left > 0 else { throw GIFError(.noWriter, limit: Int64(writerTimeout)) }
      let time = isWithoutWriter ? Int32(min(Int(Self.slice), left)) : Self.slice
      if wait(milliseconds: time) == 0, isWithoutWriter { left -= Int(time) }
    }
  }

  /// Waits until there is something to read or the last writer is gone; returns the events, 0 if there are
  /// none.
  private func wait(milliseconds: Int32) -> Int16 {
    var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return unsafe poll(&request, 1, milliseconds) > 0 ? request.revents : 0
  }
}
