internal import Glibc

/// The resident memory of this process, as the kernel counts it.
package enum ProcessMemory {
  /// The bytes; nil where `/proc` cannot be read.
  package static var residentBytes: Int64? {
    // The second number is the resident pages.
    guard let numbers = SystemFile.text("/proc/self/statm")?.split(separator: " "), numbers.count > 1,
      let pages = Int64(numbers[1])
    else { return nil }
    return pages * Int64(sysconf(Int32(_SC_PAGESIZE)))
  }
}
