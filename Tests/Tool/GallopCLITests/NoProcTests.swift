import Foundation
import Testing

/// A system without `/proc`, as in a bare chroot.
@Suite("Without /proc", .serialized, .timeLimit(.minutes(20)))
struct NoProcTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Whether this process may make a system without `/proc`.
  private static let canHide: Bool = {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = ["-c", "unshare -m sh -c 'umount -l /proc && test ! -e /proc/self' 2>/dev/null"]
    guard (try? process.run()) != nil else { return false }
    process.waitUntilExit()
    return process.terminationStatus == 0
  }()

  @Test("Arguments are read all the same, also names that are not UTF-8", .enabled(if: canHide, "needs root"))
  func arguments() async throws {
    try folder.write(Fixture.finite.bytes, to: "a.gif")
    let script =
      HostileName.shell + "cp a.gif \"$N.gif\"; export N; export G=\"$0\"; "
      + "unshare -m sh -c 'umount -l /proc; \"$G\" info --json a.gif \"$N.gif\"'"
    let run = try await folder.shell(script)
    #expect(run.status == 0 && run.errors.isEmpty)
    #expect(try run.decoded(Contract.Info.self).map(\.path) == ["a.gif", "b\u{FFFD}\u{1B}[31md.gif"])
    let wrong = try await folder.shell(
      "export G=\"$0\"; unshare -m sh -c 'umount -l /proc; \"$G\" info --zzz a.gif'")
    #expect(wrong.status == 64 && wrong.errors.contains("'--zzz'"))
  }
}
