import Testing

@testable import GIFCaching

@Suite("Control groups: use, events, polling")
struct MemoryGroupTests {
  /// Files of two groups of either version, with this many of 1,000 bytes in use.
  private static func files(used: Int, idle: Int = 0, unified: Bool) -> [String: String] {
    unified
      ? [
        "/sys/fs/cgroup/a/memory.max": "max\n", "/sys/fs/cgroup/a/b/memory.max": "1000\n",
        "/sys/fs/cgroup/a/memory.current": "99999\n", "/sys/fs/cgroup/a/b/memory.current": "\(used)\n",
        "/sys/fs/cgroup/a/b/memory.stat": "anon 5\nactive_file 900\ninactive_file \(idle)\nslab 1\n",
      ]
      : [
        "/sys/fs/cgroup/memory/memory.limit_in_bytes": "9223372036854771712\n",
        "/sys/fs/cgroup/memory/memory.usage_in_bytes": "99999\n",
        "/sys/fs/cgroup/memory/a/b/memory.limit_in_bytes": "1000\n",
        "/sys/fs/cgroup/memory/a/b/memory.usage_in_bytes": "\(used)\n",
        "/sys/fs/cgroup/memory/a/b/memory.stat": "inactive_file 7\ntotal_inactive_file \(idle)\n",
      ]
  }

  private static let unified = PressureSources(cgroups: "0::/a/b\n")
  private static let versionOne = PressureSources(cgroups: "4:memory:/a/b\n0::/\n")

  @Test(
    "The level follows what is used of the limit, less what idle files take", arguments: [true, false])
  func use(isUnified: Bool) {
    let sources = isUnified ? Self.unified : Self.versionOne
    let cases: [(used: Int, idle: Int, level: MemoryPressure.Level)] = [
      (0, 0, .normal), (899, 0, .normal), (900, 0, .warning), (969, 0, .warning), (970, 0, .critical),
      (5000, 0, .critical), (1000, 101, .normal), (1000, 100, .warning), (1000, 2000, .normal),
      (-5, 0, .normal),
    ]
    for (used, idle, level) in cases {
      let files = Self.files(used: used, idle: idle, unified: isUnified)
      #expect(sources.polledLevel { files[$0] } == level, "\(used) - \(idle)")
    }
  }

  @Test("The stall averages of the own group and of the machine count, too")
  func averages() {
    let own = ["/sys/fs/cgroup/a/b/memory.pressure": "some avg10=8.00\nfull avg10=0.00\n"]
    #expect(Self.unified.polledLevel { own[$0] } == .warning)
    let machine = ["/proc/pressure/memory": "some avg10=90.00\nfull avg10=50.00\n"]
    #expect(Self.unified.polledLevel { machine[$0] } == .critical)
    #expect(Self.unified.polledLevel { _ in nil } == .normal)
    #expect(PressureSources(cgroups: "").polledLevel { _ in "" } == .normal)
  }

  @Test("Files are polled only where nothing armed would report an own limit")
  func polling() {
    // Nothing of these groups exists here, so at the most the machine's own information is armed.
    for sources in [Self.unified, Self.versionOne] {
      let limited = Self.files(used: 0, unified: true).merging(Self.files(used: 0, unified: false)) { $1 }
      #expect(sources.needsPolling { limited[$0] })
      #expect(sources.needsPolling { _ in "max" } == sources.armed.isEmpty)
      #expect(sources.needsPolling { _ in "9223372036854771712" } == sources.armed.isEmpty)
      var bare = sources
      bare.keep { _ in false }
      #expect(bare.armed.isEmpty && bare.needsPolling { _ in nil })
    }
  }

  @Test("A group's events count only when they grow, and the limit is worse than the mark")
  func events() {
    let first = MemoryEvents("low 0\nhigh 5\nmax 2\noom 0\noom_kill 0\n")
    #expect(first.high == 5 && first.max == 2)
    #expect(first.level(since: first) == .normal)
    #expect(MemoryEvents("high 6\nmax 2\n").level(since: first) == .warning)
    #expect(MemoryEvents("high 6\nmax 3\n").level(since: first) == .critical)
    #expect(MemoryEvents("high 5\nmax 0\noom 3\n").level(since: first) == .critical)
    #expect(MemoryEvents("").level(since: first) == .normal)
    for nonsense in ["high", "high x", "high -4", "high 1 2", "max 99999999999999999999"] {
      #expect(MemoryEvents(nonsense) == MemoryEvents(""))
    }
  }

  @Test("Odd numbers of a group are no pressure")
  func nonsense() {
    let group = MemoryGroup(path: "/g", isUnified: true, isRoot: false)
    for text in ["", "max", "-1", "0", "1e9", "99999999999999999999"] {
      #expect(group.level { $0 == "/g/memory.max" ? text : "100" } == .normal)
    }
    #expect(group.level { _ in "9223372036854775807" } == .critical)
    #expect(group.level { $0 == "/g/memory.stat" ? "inactive_file -9\n" : "10" } == .critical)
  }
}
