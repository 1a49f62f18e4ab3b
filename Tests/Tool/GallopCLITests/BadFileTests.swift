import Testing

/// What every command does with files it cannot use.
@Suite("Bad files", .serialized, .timeLimit(.minutes(20)))
struct BadFileTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private static let commands = [
    ["info"], ["info", "--json"], ["decode"], ["decode", "--format", "rgba", "--output", "-"],
    ["decode", "--format", "null"], ["play", "--headless", "--events"], ["bench", "decode", "--json"],
    ["bench", "playback", "--json"],
  ]

  /// `text` is the one line of a failure about a file.
  private func expectFailure(_ run: CommandRun, _ file: BadFile) {
    #expect(run.status == 1)
    #expect(run.errorLines.count == 1)
    #expect(run.errors.hasPrefix("gallop: \(file.name): "))
    #expect(run.errors.contains(file.reason))
  }

  @Test("One line says why a file cannot be used", arguments: commands, BadFile.all)
  func alone(command: [String], file: BadFile) async throws {
    try file.put(into: folder)
    let before = try folder.names()
    let run = try await folder.gallop(command + [file.name])
    expectFailure(run, file)
    if command == ["info", "--json"] {
      let line = try #require(try run.decoded(Contract.InfoFailure.self).first)
      #expect(run.lines.count == 1 && line.path == file.name && line.error.message.contains(file.reason))
      #expect(!line.error.code.isEmpty && run.errors == "gallop: \(file.name): \(line.error.message)\n")
    } else {
      #expect(run.output.isEmpty)
    }
    #expect(try folder.names() == before)
  }

  @Test("info describes the others", arguments: BadFile.all)
  func info(file: BadFile) async throws {
    try putAmongGood(file)
    let run = try await folder.gallop("info", "--json", "a.gif", file.name, "b.gif")
    expectFailure(run, file)
    #expect(run.lines.count == 3)
    let failures = try run.lines[1].decoded(Contract.InfoFailure.self)
    #expect(failures.path == file.name)
    #expect(
      try [run.lines[0], run.lines[2]].map { try $0.decoded(Contract.Info.self).path } == ["a.gif", "b.gif"])
  }

  @Test("decode writes the others")
  func decode() async throws {
    try putAmongGood(.missing)
    let run = try await folder.gallop("decode", "--output", "out", "a.gif", "missing.gif", "b.gif")
    expectFailure(run, .missing)
    #expect(try folder.names(in: "out") == ["a.png", "b.png"])
  }

  @Test("play plays the others; targets count all files")
  func play() async throws {
    try putAmongGood(.missing)
    let run = try await folder.gallop("play", "--headless", "--events", "a.gif", "missing.gif", "b.gif")
    expectFailure(run, .missing)
    let finished = try run.decoded(Contract.Event.self).filter {
      if case .finished = $0 { true } else { false }
    }
    #expect(finished.map(\.target).sorted() == [0, 2])
  }

  @Test("bench decode measures the others")
  func benchDecode() async throws {
    try putAmongGood(.missing)
    let run = try await folder.gallop(
      "bench", "decode", "--json", "--repeat", "1", "a.gif", "missing.gif", "b.gif")
    expectFailure(run, .missing)
    #expect(try run.decoded(Contract.BenchDecode.self).map(\.path) == ["a.gif", "b.gif"])
  }

  @Test("bench playback plays the others")
  func benchPlayback() async throws {
    try putAmongGood(.missing)
    let run = try await folder.gallop(
      "bench", "playback", "--json", "--seconds", "0.05", "a.gif", "missing.gif", "b.gif")
    expectFailure(run, .missing)
    #expect(try run.decoded(Contract.BenchPlayback.self).map(\.players) == [2])
  }

  @Test(
    "The exit status tells some from none, for every command: 1 for some and for a single file, 2 for none of several",
    arguments: commands)
  func statuses(command: [String]) async throws {
    try folder.write(Fixture.still.bytes, to: "a.gif")
    try folder.write([], to: "empty.gif")
    let seconds = command.first == "bench" && command[1] == "playback" ? ["--seconds", "0.05"] : []
    for (files, status) in [
      (["a.gif"], 0), (["empty.gif"], 1), (["a.gif", "empty.gif", "missing.gif"], 1),
      (["empty.gif", "missing.gif"], 2),
    ] as [([String], Int32)] {
      let force = command.first == "decode" ? ["--force"] : []
      let run = try await folder.gallop(command + seconds + force + files)
      #expect(run.status == status, "\(files)")
    }
  }

  @Test("Each bad file has a line of its own")
  func severalBad() async throws {
    for file in BadFile.all { try file.put(into: folder) }
    let run = try await folder.gallop(["info"] + BadFile.all.map(\.name))
    #expect(run.status == 2)
    #expect(run.errorLines.count == BadFile.all.count)
    for (line, file) in zip(run.errorLines, BadFile.all) {
      #expect(line.hasPrefix("gallop: \(file.name): "))
      #expect(line.contains(file.reason))
    }
  }

  private func putAmongGood(_ file: BadFile) throws {
    try file.put(into: folder)
    try folder.write(Fixture.still.bytes, to: "a.gif")
    try folder.write(Fixture.still.bytes, to: "b.gif")
  }
}
