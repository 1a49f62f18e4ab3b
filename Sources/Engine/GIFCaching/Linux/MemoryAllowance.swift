internal import EngineSupport
internal import Glibc

/// How much memory this process may use: what the machine has, or what its control groups allow.
package enum MemoryAllowance {
  package static let bytes: Int64 = {
    let machine = Int64(sysconf(Int32(_SC_PHYS_PAGES))) * Int64(sysconf(Int32(_SC_PAGESIZE)))
    return limits(cgroups: SystemFile.ownGroups, read: { SystemFile.text($0) }).reduce(machine, min)
  }()

  /// The limits of the groups that `/proc/self/cgroup` names and of all groups above them, version 1 and 2.
  static func limits(cgroups: String, read: (String) -> String?) -> [Int64] {
    MemoryGroup.lineages(cgroups).joined().compactMap { $0.limit(read: read) }
  }
}

extension StringProtocol {
  /// Without white space at the end.
  var trimmed: String {
    String(self.reversed().drop { $0.isWhitespace }.reversed())
  }
}
