import EngineSupport
import Testing

@Suite("SystemFile")
struct SystemFileTests {
  @Test("Small system files are read, others are not there")
  func files() {
    #expect(SystemFile.text("/proc/self/cgroup") != nil)
    #expect(SystemFile.text("/proc/self/no-such-file") == nil)
    #expect(SystemFile.text("/proc/self") == nil)
  }

  @Test("The process has resident memory")
  func residentMemory() throws {
    #expect(try #require(ProcessMemory.residentBytes) > 1 << 20)
  }
}
