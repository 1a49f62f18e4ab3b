internal import CLinux
internal import Gallop
internal import Glibc

/// Gives up what a command does not need, before the first byte of a file is parsed: a decoder that a file
/// took over would reach no other file, start no program and open no connection.
///
/// What the kernel lacks is left out: `gallop --version` tells what it has.
enum Confinement {
  /// Returns whether all that the kernel offers is in force.
  ///
  /// - Precondition: the process has one thread, as Landlock holds for the calling thread and for those that
  ///   it starts.
  static func enter(_ rules: ConfinementRules) -> Bool {
    guard gallop_renounce_privileges() == 0 else { return !isOffered }
    let hasRules = Landlock.enter(rules)
    let hasFilter = add(rules.lastURL == nil ? .programs.and(.sockets) : .programs)
    return hasRules && hasFilter
  }

  private static var isOffered: Bool { gallop_landlock_version() > 0 || hasFilters }

  /// Gives up connections to the network, when the last URL is loaded.
  static func closeNetwork() { add(.sockets) }

  private static var hasFilters: Bool {
    gallop_seccomp_probe() == 0 && SystemCallFilter.isKnown
  }

  /// Returns false where the kernel refuses a filter although it offers them.
  @discardableResult
  private static func add(_ filter: SystemCallFilter) -> Bool {
    guard hasFilters, let program = filter.program else { return true }
    return unsafe program.withUnsafeBufferPointer {
      unsafe gallop_seccomp_add($0.baseAddress, UInt16($0.count)) == 0
    }
  }

  /// What this kernel offers, in words.
  static var offered: String {
    let version = gallop_landlock_version()
    return switch (version > 0, hasFilters) {
    case (true, true): "Landlock \(version) and seccomp"
    case (true, false): "Landlock \(version), no seccomp"
    case (false, true): "seccomp, no Landlock"
    case (false, false): "not offered by this kernel"
    }
  }
}

/// The kernel's rules for what files a process may reach.
private enum Landlock {
  /// LANDLOCK_ACCESS_FS_*: what a rule allows.
  private struct Access: OptionSet {
    let rawValue: UInt64

    static let write = Access(rawValue: 1 << 1)
    static let read = Access(rawValue: 1 << 2)
    static let list = Access(rawValue: 1 << 3)
    static let removeFile = Access(rawValue: 1 << 5)
    static let makeFolder = Access(rawValue: 1 << 7)
    static let makeFile = Access(rawValue: 1 << 8)
    static let truncate = Access(rawValue: 1 << 14)
    static let useDevice = Access(rawValue: 1 << 15)

    /// All that a version knows: what no rule allows is refused.
    static func all(version: Int32) -> Access {
      let count =
        switch version {
        case 1: 13
        case 2: 14
        case 3, 4: 15
        default: 16
        }
      return Access(rawValue: 1 << count - 1)
    }
  }

  /// Where systems keep libraries, names of hosts and certificates for connections.
  private static let networkFiles =
    ["/lib", "/lib64", "/usr", "/nix/store", "/var/lib/ca-certificates"]
    + [
      "ca-certificates", "crypto-policies", "gai.conf", "gnutls", "host.conf", "hosts", "ld.so.cache",
      "nsswitch.conf", "pki", "protocols", "resolv.conf", "services", "ssl",
    ].map { "/etc/" + $0 }

  /// Returns false where the kernel refuses the rules although it has Landlock.
  static func enter(_ rules: ConfinementRules) -> Bool {
    let version = gallop_landlock_version()
    guard version > 0, !rules.allPaths.contains(where: isOnPlan9) else { return true }
    let all = Access.all(version: version)
    let loadsURLs = rules.lastURL != nil
    // Connections and servers (version 4); sockets without a name, and signals to other processes (6).
    let handled = gallop_landlock_rules(
      file_access: all.rawValue, net_access: loadsURLs ? 0 : 3, scopes: loadsURLs ? 2 : 3)
    let size = MemoryLayout<UInt64>.size * (version < 4 ? 1 : version < 6 ? 2 : 3)
    let descriptor = unsafe withUnsafePointer(to: handled) { unsafe gallop_landlock_create($0, size) }
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    func allow(_ paths: [String], _ access: Access) {
      for path in paths { Self.allow(path, access.intersection(all), in: descriptor) }
    }
    allow(rules.readFiles, .read)
    allow(rules.listedFolders, .list)
    allow(rules.writtenFolders, [.write, .truncate, .makeFile, .removeFile, .makeFolder])
    allow(rules.writtenFiles, [.write, .truncate, .useDevice])
    if loadsURLs {
      let named = ["SSL_CERT_FILE", "SSL_CERT_DIR"].compactMap { (name: String) -> String? in
        unsafe getenv(name).map { unsafe String(cString: $0) }
      }
      allow(networkFiles + named, [.read, .list])
    }
    return gallop_landlock_restrict(descriptor) == 0
  }

  /// Whether no rule would hold for a file, as its identity changes: on shares of virtual machines.
  private static func isOnPlan9(_ path: String) -> Bool {
    unsafe gallop_is_on_plan9(NameText.system(path)) != 0
  }

  /// Adds a rule; what is not there needs none.
  private static func allow(_ path: String, _ access: Access, in rules: Int32) {
    let descriptor = unsafe open(NameText.system(path), Int32(gallop_open_path_only) | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    if gallop_landlock_allow(rules, descriptor, access.rawValue) != 0 {
      // A file has no names to list.
      _ = gallop_landlock_allow(rules, descriptor, access.subtracting(.list).rawValue)
    }
  }
}
