internal import Glibc

/// How much memory this process may use: what the machine has, or what its control groups allow.
package enum MemoryAllowance {
  package static let bytes: Int64 = {
    let machine = Int64(sysconf(Int32(_SC_PHYS_PAGES))) * Int64(sysconf(Int32(_SC_PAGESIZE)))
    return limits(cgroups: SystemFile.ownGroups, read: { SystemFile.text($0) }).reduce(machine, min)
  }()

  /// The limits of the groups that `/proc/self/cgroup` names and of all groups above them, version 1 and 2.
  /// Pure but for `read`.
  static func limits(cgroups: String, read: (String) -> String?) -> [Int64] {
    MemoryGroup.lineages(cgroups).joined().compactMap { $0.limit(read: read) }
  }
}

/// Reads small files of the system.
package enum SystemFile {
  /// The control groups of this process.
  static var ownGroups: String { text("/proc/self/cgroup") ?? "" }

  /// The text of a file of at most 8 KiB; nil where it cannot be read.
  package static func text(_ path: String) -> String? {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    return text(of: descriptor)
  }

  /// The text of an open file, from its beginning.
  static func text(of descriptor: Int32) -> String? {
    var bytes = [UInt8](repeating: 0, count: 1 << 13)
    let count = unsafe bytes.withUnsafeMutableBytes {
      unsafe pread(descriptor, $0.baseAddress, $0.count, 0)
    }
    guard count >= 0 else { return nil }
    return String(decoding: bytes[..<count], as: UTF8.self)
  }
}

extension StringProtocol {
  /// Without white space at the end.
  var trimmed: String {
    String(self.reversed().drop { $0.isWhitespace }.reversed())
  }
}
