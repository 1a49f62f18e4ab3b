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
    #expect(run.output.isEmpty)
    #expect(try folder.names() == before)
  }

  @Test("info describes the others", arguments: BadFile.all)
  func info(file: BadFile) async throws {
    try putAmongGood(file)
    let run = try await folder.gallop("info", "--json", "a.gif", file.name, "b.gif")
    expectFailure(run, file)
    #expect(try run.decoded(Contract.Info.self).map(\.path) == ["a.gif", "b.gif"])
  }

  @Test("decode writes the others")
  func decode() async throws {
    try putAmongGood(.missing)
    let run = try await folder.gallop("decode", "--output", "out", "a.gif", "missing.gif", "b.gif")
    expectFailure(run, .missing)
    #expect(try folder.names(in: "out") == ["a-0000.png", "b-0000.png"])
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

  @Test("Each bad file has a line of its own")
  func severalBad() async throws {
    for file in BadFile.all { try file.put(into: folder) }
    let run = try await folder.gallop(["info"] + BadFile.all.map(\.name))
    #expect(run.status == 1)
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
