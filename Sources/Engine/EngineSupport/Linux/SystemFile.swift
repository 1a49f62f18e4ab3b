internal import Glibc

/// Reads small files of the system.
package enum SystemFile {
  /// The control groups of this process.
  package static var ownGroups: String { text("/proc/self/cgroup") ?? "" }

  /// The text of a file of at most 8 KiB; nil where it cannot be read.
  package static func text(_ path: String) -> String? {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    return text(of: descriptor)
  }

  /// The text of an open file, from its beginning.
  package static func text(of descriptor: Int32) -> String? {
    var bytes = [UInt8](repeating: 0, count: 1 << 13)
    let count = unsafe bytes.withUnsafeMutableBytes {
      unsafe pread(descriptor, $0.baseAddress, $0.count, 0)
    }
    guard count >= 0 else { return nil }
    return String(decoding: bytes[..<count], as: UTF8.self)
  }
}
