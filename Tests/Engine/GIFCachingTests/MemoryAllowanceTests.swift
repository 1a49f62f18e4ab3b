import Testing

@testable import GIFCaching

@Suite("MemoryAllowance")
struct MemoryAllowanceTests {
  @Test("Version 2 gives the limits of the group and of all groups above it")
  func unified() {
    var asked: [String] = []
    let files = [
      "/sys/fs/cgroup/memory.max": "max\n", "/sys/fs/cgroup/user/memory.max": "8000000\n",
      "/sys/fs/cgroup/user/app/memory.max": "500000\n",
    ]
    let limits = MemoryAllowance.limits(cgroups: "0::/user/app\n") { path in
      asked.append(path)
      return files[path]
    }
    #expect(limits == [8_000_000, 500_000])
    #expect(asked.count == 3)
  }

  @Test("Version 1 gives the limits of the memory group alone")
  func versionOne() {
    let text = "12:cpu,cpuacct:/a\n5:memory,hugetlb:/docker/x\n3:memory_fake:/b\n1:name=systemd:/c\n"
    let limits = MemoryAllowance.limits(cgroups: text) { path in
      switch path {
      case "/sys/fs/cgroup/memory/memory.limit_in_bytes": "9223372036854771712\n"
      case "/sys/fs/cgroup/memory/docker/x/memory.limit_in_bytes": "64000000\n"
      default: nil
      }
    }
    #expect(limits == [9_223_372_036_854_771_712, 64_000_000])
  }

  @Test(
    "Nonsense is no limit",
    arguments: ["", "::", "0::", "x", "0::/a\n\n", "5:memory", "5:memory:/a:b:c", "0:cpu:/a"])
  func nonsense(text: String) {
    #expect(MemoryAllowance.limits(cgroups: text) { _ in nil } == [])
    for content in ["", "max", "-5", "0", "99999999999999999999999", "12 34", "1e9"] {
      #expect(MemoryAllowance.limits(cgroups: text) { _ in content } == [])
    }
  }

  @Test("The groups above a path come from the root down")
  func ancestry() {
    #expect(MemoryGroup.ancestry(of: "/") == [""])
    #expect(MemoryGroup.ancestry(of: "/a/b") == ["", "/a", "/a/b"])
    #expect(MemoryGroup.ancestry(of: "//a//") == ["", "/a"])
  }

  @Test("The default limit is at most 256 MiB and an eighth of what this process may use")
  func here() {
    #expect(MemoryAllowance.bytes > 1 << 20)
    #expect(FrameBudget.defaultLimit <= 256 << 20)
    #expect(FrameBudget.defaultLimit <= MemoryAllowance.bytes / 8)
    #expect(FrameBudget.defaultLimit > 0)
  }

  @Test("White space at the end of a file counts for nothing")
  func trimming() {
    #expect("12 \n\t".trimmed == "12")
    #expect(" \n".trimmed == "")
  }
}
