internal import Glibc

/// How much memory this process may use: what the machine has, or what its control groups allow.
enum MemoryAllowance {
  static let bytes: Int64 = {
    let machine = Int64(sysconf(Int32(_SC_PHYS_PAGES))) * Int64(sysconf(Int32(_SC_PAGESIZE)))
    let own = SystemFile.text("/proc/self/cgroup") ?? ""
    return limits(cgroups: own, read: { SystemFile.text($0) }).reduce(machine, min)
  }()

  /// The limits of the groups that `/proc/self/cgroup` names and of all groups above them, version 1 and 2. Pure but
  /// for `read`.
  static func limits(cgroups: String, read: (String) -> String?) -> [Int64] {
    var limits: [Int64] = []
    for line in cgroups.split(separator: "\n") {
      let fields = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
      guard fields.count == 3 else { continue }
      let isUnified = fields[0] == "0" && fields[1].isEmpty
      guard isUnified || fields[1].split(separator: ",").contains("memory") else { continue }
      let root = isUnified ? "/sys/fs/cgroup" : "/sys/fs/cgroup/memory"
      let file = isUnified ? "memory.max" : "memory.limit_in_bytes"
      for group in ancestry(of: fields[2]) {
        // "max", and version 1's number near 2^63, are no limits; the latter passes any machine's memory anyway.
        guard let text = read(root + group + "/" + file), let value = Int64(text.trimmed) else { continue }
        if value > 0 { limits.append(value) }
      }
    }
    return limits
  }

  /// A path and all above it, up to the root as the empty one.
  static func ancestry(of path: Substring) -> [String] {
    let parts = path.split(separator: "/")
    return (0...parts.count).map { parts.prefix($0).map { "/" + $0 }.joined() }
  }
}

/// Small files of the system's.
enum SystemFile {
  /// The text of a file of at most 64 KiB; nil where it cannot be read.
  static func text(_ path: String) -> String? {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: 1 << 16)
    let count = unsafe bytes.withUnsafeMutableBytes { unsafe read(descriptor, $0.baseAddress, $0.count) }
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
