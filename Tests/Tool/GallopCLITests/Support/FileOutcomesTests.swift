import Testing

@testable import GallopCLI

@Suite("Exit statuses")
struct FileOutcomesTests {
  private func status(
    used: Int = 0, failed: Int = 0, warns: Bool = false, isCutOff: Bool = false, strict: Bool = false
  ) -> Int32 {
    FileOutcomes(used: used, failed: failed, hasWarnings: warns, isCutOff: isCutOff).exitStatus(
      isStrict: strict)
  }

  @Test("All, some, none, and the only file")
  func files() {
    #expect(status(used: 3) == 0)
    #expect(status(used: 2, failed: 1) == 1)
    #expect(status(failed: 1) == 1)
    #expect(status(failed: 2) == 2)
  }

  @Test("Damage counts only where it is asked for; a transfer that was cut off has a status of its own")
  func damage() {
    #expect(status(used: 1, warns: true) == 0)
    #expect(status(used: 1, warns: true, strict: true) == 1)
    #expect(status(used: 1, isCutOff: true) == 3)
    #expect(status(used: 1, warns: true, isCutOff: true) == 3)
    #expect(status(used: 1, isCutOff: true, strict: true) == 1)
  }

  @Test("A file that cannot be used matters more than a transfer that was cut off")
  func order() {
    #expect(status(used: 1, failed: 1, isCutOff: true) == 1)
    #expect(status(failed: 2, strict: true) == 2)
  }
}
