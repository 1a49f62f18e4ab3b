import Foundation
import Testing

@testable import GallopCLI

/// Output that cannot be written: one clear line, exit status 1, and nothing half-done is left.
@Suite("Failing output", .serialized, .timeLimit(.minutes(20)))
struct OutputFailureTests {
  private let folder: TemporaryFolder
  private static let old = Array("what was here before".utf8)

  init() throws {
    folder = try TemporaryFolder()
    try folder.write(Fixture.finite.bytes, to: "a.gif")
  }

  /// What a format's output for a GIF is called.
  private static func file(of name: String, _ format: String) -> String {
    switch format {
    case "sheet": "\(name)-sheet.png"
    default: "\(name).\(format)"
    }
  }

  private func expectFailure(_ run: CommandRun, _ line: String) {
    #expect(run.status == 1)
    #expect(run.errors == line + "\n")
  }

  // MARK: Existing files

  @Test(
    "An existing file is kept without --force, and replaced with it",
    arguments: ["rgba", "bgra", "png", "y4m", "sheet"])
  func existing(format: String) async throws {
    let file = Self.file(of: "a", format)
    let command = ["decode", "--format", format, "--frames", "1", "a.gif"]
    try folder.write(Self.old, to: file)
    expectFailure(try await folder.gallop(command), "gallop: \(file): exists already; --force overwrites it")
    #expect(try folder.read(file) == Self.old)

    let forced = try await folder.gallop(command + ["--force"])
    #expect(forced.status == 0)
    #expect(forced.errors.isEmpty)
    let bytes = try folder.read(file)
    #expect(bytes != Self.old)
    switch format {
    case "png": #expect(try PNGPicture(bytes).pixels == Fixture.canvas(1))
    case "sheet": #expect(try PNGPicture(bytes).width > 2)
    case "y4m": #expect(try Y4MPictures(bytes).pictures.count == 1)
    default: #expect(bytes.count == 16)
    }
    #expect(Set(try folder.names()) == ["a.gif", file])
  }

  @Test("A folder in the place of a file is not replaced, even with --force")
  func folderInPlace() async throws {
    try folder.makeFolder("a.rgba")
    let run = try await folder.gallop("decode", "--format", "rgba", "--force", "a.gif")
    expectFailure(run, "gallop: a.rgba: is a directory")
  }

  // MARK: Places that cannot be written

  @Test("A folder that cannot be made is named", arguments: ["png", "rgba"])
  func impossibleFolder(format: String) async throws {
    try folder.write(Self.old, to: "file")
    let run = try await folder.gallop("decode", "--format", format, "--output", "file/inner/", "a.gif")
    #expect(run.status == 1)
    #expect(run.errorLines.count == 1)
    #expect(run.errors.hasPrefix("gallop: file"))
    #expect(try folder.read("file") == Self.old)
    #expect(try folder.names() == ["a.gif", "file"])
  }

  @Test("A folder without permission is named", .enabled(if: geteuid() != 0, "root may write everywhere"))
  func forbiddenFolder() async throws {
    try folder.makeFolder("locked")
    let path = folder.url.appending(path: "locked").path
    try FileManager.default.setAttributes([.posixPermissions: 0o500], ofItemAtPath: path)
    let run = try await folder.gallop("decode", "--frames", "0", "--output", "locked", "a.gif")
    expectFailure(run, "gallop: locked/a.png: cannot be written: Permission denied")
    #expect(try folder.names(in: "locked").isEmpty)
  }

  @Test("A file in a folder that is not there is named")
  func missingFolder() async throws {
    let run = try await folder.gallop("decode", "--format", "rgba", "--output", "none/a.rgba", "a.gif")
    expectFailure(run, "gallop: none/a.rgba: cannot be written: No such file or directory")
    #expect(try folder.names() == ["a.gif"])
  }

  // MARK: Full disks

  @Test("A full device is reported", arguments: ["rgba", "bgra", "y4m", "sheet"])
  func fullDevice(format: String) async throws {
    let run = try await folder.gallop("decode", "--format", format, "--output", "/dev/full", "a.gif")
    expectFailure(run, "gallop: /dev/full: cannot be written: No space left on device")
    #expect(try folder.names() == ["a.gif"])
  }

  @Test(
    "A full standard output is reported by every command",
    arguments: [
      "info a.gif", "info --json a.gif", "decode --format y4m --output - a.gif",
      "decode --format sheet --output - a.gif", "bench playback --seconds 0.05 --count 1,2 a.gif",
      "decode --format rgba --output - a.gif", "decode --output - a.gif",
      "play --headless --events a.gif", "bench decode a.gif", "bench decode --json a.gif",
      "bench playback --seconds 0.05 a.gif", "bench playback --seconds 0.05 --json a.gif",
    ])
  func fullStandardOutput(command: String) async throws {
    let run = try await folder.shell("\"$0\" \(command) >/dev/full")
    expectFailure(run, "gallop: standard output: cannot be written: No space left on device")
  }

  @Test("A closed standard output is reported")
  func closedStandardOutput() async throws {
    let run = try await folder.shell("\"$0\" info a.gif >&-")
    expectFailure(run, "gallop: standard output: cannot be written: Bad file descriptor")
  }

  @Test(
    "Help and versions that cannot be written are reported",
    arguments: ["--help", "info --help", "--version", "help --man", "--generate-completion-script bash"])
  func fullHelp(command: String) async throws {
    let run = try await folder.shell("\"$0\" \(command) >/dev/full")
    expectFailure(run, "gallop: standard output: cannot be written: No space left on device")
  }

  @Test("A reader that leaves in the middle of the help ends it silently")
  func closedHelpPipe() async throws {
    let run = try await folder.shell(
      "{ trap '' PIPE; sleep 0.1; \"$0\" help --man; echo $? >status; } | true; while ! test -s status; do sleep 0.05; done"
    )
    #expect(run.errors.isEmpty)
    #expect(try folder.read("status") == Array("141\n".utf8))
  }

  // MARK: Closed descriptors

  @Test("A closed descriptor is not confused with the files that are opened")
  func closedDescriptors() async throws {
    let input = try await folder.shell("\"$0\" info - a.gif <&-")
    #expect(input.status == 1 && input.lines.first == "a.gif")
    #expect(input.errors == "gallop: standard input: cannot be read: Bad file descriptor\n")
    // Warnings must not end up in an output file that gets the number of standard error.
    try folder.write(Fixture.finite.truncatedBytes, to: "cut.gif")
    let errors = try await folder.shell("\"$0\" decode --format rgba cut.gif <&- >&- 2>&-; cat cut.rgba")
    let expected = try await folder.gallop("decode", "--quiet", "--format", "rgba", "-o", "-", "cut.gif")
    #expect(errors.output == expected.output && expected.output.count == 64)
    // Standard output must not be the GIF, which would then be an input and an output.
    let output = try await folder.shell("\"$0\" decode --format rgba -o - a.gif >&-")
    expectFailure(output, "gallop: standard output: cannot be written: Bad file descriptor")
    #expect(try folder.read("a.gif") == Fixture.finite.bytes)
  }

  @Test("A file that may not grow leaves nothing behind", arguments: ["rgba", "png", "y4m", "sheet"])
  func fileLimit(format: String) async throws {
    try folder.write(LargeFixture.bytes(frames: 1), to: "large.gif")
    let file = Self.file(of: "large", format)
    let run = try await folder.shell("ulimit -f 8; \"$0\" decode --format \(format) large.gif")
    expectFailure(run, "gallop: \(file): cannot be written: File too large")
    #expect(try folder.names() == ["a.gif", "large.gif"])
  }

  @Test(
    "What was there before outlives an overwriting that fails", arguments: ["rgba", "png", "y4m", "sheet"])
  func failedOverwriting(format: String) async throws {
    try folder.write(LargeFixture.bytes(frames: 1), to: "large.gif")
    let file = Self.file(of: "large", format)
    try folder.write(Self.old, to: file)
    let run = try await folder.shell("ulimit -f 8; \"$0\" decode --format \(format) --force large.gif")
    #expect(run.status == 1)
    #expect(run.errorLines.count == 1)
    #expect(try folder.read(file) == Self.old)
    #expect(Set(try folder.names()) == ["a.gif", "large.gif", file])
  }

  @Test("An existing PNG file is found before the first one is written", arguments: [1, 8])
  func existingInTheMiddle(jobs: Int) async throws {
    try folder.write(LargeFixture.bytes(frames: 12), to: "large.gif")
    try folder.write(Self.old, to: "large-0005.png")
    let run = try await folder.gallop("decode", "--jobs", "\(jobs)", "large.gif")
    expectFailure(run, "gallop: large-0005.png: exists already; --force overwrites it")
    #expect(try folder.read("large-0005.png") == Self.old)
    #expect(try folder.names() == ["a.gif", "large-0005.png", "large.gif"])
  }

  // MARK: Closed readers

  /// Runs a command whose output is read only for one byte; `output` is the command's own exit status.
  private func withLeavingReader(_ command: String) async throws -> CommandRun {
    let run = try await folder.shell("{ \"$0\" \(command); echo $? >status; } | head -c 1 >/dev/null")
    #expect(run.errors == "gallop: standard output: cannot be written: Broken pipe\n")
    return run
  }

  @Test("decode reports a closed reader", arguments: ["rgba", "png", "y4m"])
  func closedPipe(format: String) async throws {
    // Far more than a pipe holds, so that some of it is written after the reader has left.
    try folder.write(LargeFixture.bytes(frames: 24), to: "large.gif")
    _ = try await withLeavingReader("decode --format \(format) --output - large.gif")
    #expect(try folder.read("status") == Array("1\n".utf8))
  }

  @Test("info ends silently when its reader has left", arguments: ["", "--json"])
  func closedInfoPipe(option: String) async throws {
    try folder.write(Fixture(delays: [Int](repeating: 2, count: 4000), loop: nil).bytes, to: "long.gif")
    let run = try await folder.shell(
      "{ \"$0\" info --frames \(option) long.gif long.gif; echo $? >status; } | head -c 1 >/dev/null")
    #expect(run.errors.isEmpty)
    #expect(try folder.read("status") == Array("141\n".utf8))
  }

  @Test("play reports a closed reader")
  func closedEventPipe() async throws {
    try folder.write(Fixture.endless.bytes, to: "endless.gif")
    _ = try await withLeavingReader("play --headless --quiet --events endless.gif")
    #expect(try folder.read("status") == Array("1\n".utf8))
  }

  // MARK: Signals

  @Test("A signal ends a decoding that waits for its reader", arguments: [SIGINT, SIGTERM])
  func interrupted(signal: Int32) async throws {
    try folder.write(LargeFixture.bytes(frames: 40), to: "large.gif")
    let run = try await folder.gallop(
      ["decode", "--format", "rgba", "--output", "-", "large.gif"], interruptedBy: signal)
    #expect(run.status == 128 + signal)
  }

  /// As the tool does at its start; tests run on threads that block signals.
  private static func watch() {
    Interruption.watch()
    var signals = sigset_t()
    unsafe sigfillset(&signals)
    unsafe pthread_sigmask(SIG_UNBLOCK, &signals, nil)
  }

  @Test("A signal that comes twice at once, as timeout sends it, is one: the program cleans up")
  func twice() async {
    await #expect(processExitsWith: .success) {
      Self.watch()
      raise(SIGTERM)
      raise(SIGTERM)
      guard Interruption.signal == SIGTERM else { exit(1) }
    }
  }

  @Test("A later second signal ends the program at once")
  func later() async {
    await #expect(processExitsWith: .signal(SIGINT)) {
      Self.watch()
      Interruption.take(SIGTERM, at: 1)
      Interruption.take(SIGINT, at: 1 + Interruption.repeatWindow)
      guard Interruption.signal == SIGTERM else { exit(1) }
      Interruption.take(SIGINT, at: 2 + Interruption.repeatWindow)
    }
  }

  @Test("A signal ends a command that waits for standard input", arguments: ["decode", "bench decode"])
  func interruptedInput(command: String) async throws {
    // More than a pipe holds: once it is written, the tool has begun to read, and waits for the rest.
    let bytes = LargeFixture.bytes(frames: 40)
    #expect(bytes.count > 200_000)
    try folder.write(Array(bytes.prefix(200_000)), to: "beginning")
    let run = try await folder.shell(
      """
      mkfifo pipe
      "$0" \(command) - <pipe & tool=$!
      exec 3>pipe
      cat beginning >&3
      kill -TERM $tool
      wait $tool
      """)
    #expect(run.status == 128 + SIGTERM)
  }
}
