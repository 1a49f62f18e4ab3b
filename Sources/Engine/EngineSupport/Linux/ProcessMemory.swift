internal import Glibc

/// The resident memory of this process, as the kernel counts it.
package enum ProcessMemory {
  /// The bytes; nil where `/proc` cannot be read.
  package static var residentBytes: Int64? {
    let descriptor = unsafe open("/proc/self/statm", O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var text = [UInt8](repeating: 0, count: 128)
    let count = unsafe text.withUnsafeMutableBytes { unsafe read(descriptor, $0.baseAddress, $0.count) }
    guard count > 0 else { return nil }
    // The second number is the resident pages.
    let numbers = text.prefix(count).split(separator: UInt8(ascii: " "))
    guard numbers.count > 1, let pages = Int64(String(decoding: numbers[1], as: UTF8.self)) else {
      return nil
    }
    return pages * Int64(sysconf(Int32(_SC_PAGESIZE)))
  }
}
