/// A control group that counts this process's memory.
struct MemoryGroup: Sendable, Hashable {
  /// Its folder.
  let path: String
  /// Whether it is one of version 2.
  let isUnified: Bool
  /// Whether it is the root, which has neither limit nor pressure of its own.
  let isRoot: Bool

  /// The groups that a text like `/proc/self/cgroup` names, each with those above it, the root first.
  static func lineages(_ text: String) -> [[MemoryGroup]] {
    text.split(separator: "\n").compactMap { line in
      let fields = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
      guard fields.count == 3 else { return nil }
      let isUnified = fields[0] == "0" && fields[1].isEmpty
      guard isUnified || fields[1].split(separator: ",").contains("memory") else { return nil }
      let root = isUnified ? "/sys/fs/cgroup" : "/sys/fs/cgroup/memory"
      return ancestry(of: fields[2]).map {
        MemoryGroup(path: root + $0, isUnified: isUnified, isRoot: $0.isEmpty)
      }
    }
  }

  /// A path and all above it, up to the root as the empty one.
  static func ancestry(of path: Substring) -> [String] {
    let parts = path.split(separator: "/")
    return (0...parts.count).map { parts.prefix($0).map { "/" + $0 }.joined() }
  }

  /// The bytes that it may use; nil where it sets no limit, as "max". Version 1's number near 2^63 passes any
  /// machine's memory anyway.
  func limit(read: (String) -> String?) -> Int64? {
    number(isUnified ? "memory.max" : "memory.limit_in_bytes", read).flatMap { $0 > 0 ? $0 : nil }
  }

  /// How hard it is to get memory in this group, by what it uses of its limit.
  ///
  /// Pages of files that were not used lately are in the count but can be had back at no cost. They are taken
  /// off, as container managers do.
  func level(read: (String) -> String?) -> MemoryPressure.Level {
    guard let limit = limit(read: read),
      let used = number(isUnified ? "memory.current" : "memory.usage_in_bytes", read)
    else { return .normal }
    let idle = read(path + "/memory.stat").map(idleFileBytes) ?? 0
    // In parts of a thousand; the limit may be near the end of the numbers.
    let share = Double(max(0, used) - min(max(0, used), idle)) / Double(limit)
    return share >= 0.97 ? .critical : share >= 0.9 ? .warning : .normal
  }

  private func idleFileBytes(_ statistics: String) -> Int64 {
    let name = isUnified ? "inactive_file " : "total_inactive_file "
    let line = statistics.split(separator: "\n").first { $0.hasPrefix(name) }
    return max(0, line.flatMap { Int64($0.dropFirst(name.utf8.count)) } ?? 0)
  }

  private func number(_ file: String, _ read: (String) -> String?) -> Int64? {
    read(path + "/" + file).flatMap { Int64($0.trimmed) }
  }
}

/// What a control group of version 2 has counted in `memory.events`.
struct MemoryEvents: Sendable, Hashable {
  /// How often its processes were slowed down because it was above its high mark.
  var high: Int64 = 0
  /// How often it stood at its limit, or ran out of memory.
  var max: Int64 = 0

  /// Reads lines as `high 0`; what is not there counts as none.
  init(_ text: String) {
    for line in text.split(separator: "\n") {
      let words = line.split(separator: " ")
      guard words.count == 2, let count = Int64(words[1]), count >= 0 else { continue }
      switch words[0] {
      case "high": high = count
      case "max", "oom": max = Swift.max(max, count)
      default: break
      }
    }
  }

  /// What has happened since an earlier look.
  func level(since earlier: MemoryEvents) -> MemoryPressure.Level {
    max > earlier.max ? .critical : high > earlier.high ? .warning : .normal
  }
}
