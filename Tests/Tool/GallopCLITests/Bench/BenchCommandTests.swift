import GIFTestSupport
import Testing

@Suite("gallop bench", .serialized, .timeLimit(.minutes(20)))
struct BenchCommandTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.write(Fixture.endless.bytes, to: "a.gif")
  }

  @Test("bench decode --json counts frames and pixels")
  func decode() async throws {
    var gif = GIFWriter(width: 5, height: 4, palette: [0, 1])
    gif.image(width: 5, height: 4, indices: [UInt8](repeating: 1, count: 20))
    gif.image(x: 1, y: 1, width: 2, height: 3, indices: [UInt8](repeating: 0, count: 6))
    gif.trailer()
    try folder.write(gif.bytes, to: "b.gif")
    let run = try await folder.gallop("bench", "decode", "--json", "--repeat", "2", "a.gif", "b.gif")
    #expect(run.status == 0)
    #expect(run.errors.isEmpty)
    let lines = try run.decoded(Contract.BenchDecode.self)
    #expect(lines.map(\.path) == ["a.gif", "b.gif"])
    #expect(lines.map(\.frames) == [3, 2])
    #expect(lines.map(\.pixels) == [12, 26])
    #expect(lines.map(\.canvasPixels) == [12, 40])
    #expect(lines.allSatisfy { $0.milliseconds > 0 && $0.megapixelsPerSecond > 0 })
  }

  @Test("bench decode --indices counts the same frames and pixels, with one thread")
  func decodeIndices() async throws {
    let run = try await folder.gallop("bench", "decode", "--json", "--indices", "--repeat", "1", "a.gif")
    #expect(run.status == 0)
    #expect(try run.decoded(Contract.BenchDecode.self).map(\.pixels) == [12])
    #expect(try await folder.gallop("bench", "decode", "--indices", "--jobs", "2", "a.gif").status == 64)
  }

  @Test("bench decode prints a table without --json")
  func decodeText() async throws {
    let run = try await folder.gallop("bench", "decode", "--repeat", "1", "a.gif", "a.gif")
    #expect(run.status == 0)
    #expect(run.lines.count == 3)
    let cells = run.lines.map { $0.split(separator: " ").map(String.init) }
    #expect(cells[0] == ["frames", "pixels", "ms", "Mpx/s", "file"])
    #expect(
      cells.dropFirst().allSatisfy { $0.prefix(2) == ["3", "12"] && $0.last == "a.gif" && $0.count == 5 })
  }

  @Test("bench playback --json has every field of the contract, and they agree")
  func playback() async throws {
    try folder.write(Fixture.finite.bytes, to: "b.gif")
    let run = try await folder.gallop(
      "bench", "playback", "--json", "--seconds", "0.3", "--count", "5", "--budget", "1M", "a.gif", "b.gif")
    #expect(run.status == 0)
    #expect(run.errors.isEmpty)
    let report = try #require(try run.decoded(Contract.BenchPlayback.self).first)
    #expect(run.lines.count == 1)
    #expect(report.players == 5)
    #expect(report.seconds > 0)
    #expect(report.framesDue == report.framesShown + report.framesDropped)
    #expect(report.framesShown >= 0 && report.framesDropped >= 0)
    let lateness = report.latenessMs
    #expect([0, lateness.p50, lateness.p95, lateness.p99, lateness.max].isSorted)
    #expect(report.cpuSeconds >= 0 && report.cpuPercent >= 0 && report.wakeupsPerSecond >= 0)
    // How much is shown in the time depends on the machine. What is shown was decoded, and is held.
    #expect((0...1 << 20).contains(report.peakCacheBytes))
    #expect(report.framesShown == 0 || (report.decodedFrames > 0 && report.peakCacheBytes > 0))
    #expect(report.peakResidentBytes > 0)
  }

  @Test("A ramp gives a line of JSON for each count, and the files that are asked for")
  func ramp() async throws {
    let run = try await folder.gallop(
      "bench", "playback", "--json", "--seconds", "0.1", "--count", "1,3,2", "--markdown", "r.md", "--svg",
      "r.svg",
      "a.gif")
    #expect(run.status == 0)
    #expect(run.errors.isEmpty)
    #expect(try run.decoded(Contract.BenchPlayback.self).map(\.players) == [1, 3, 2])
    let markdown = String(decoding: try folder.read("r.md"), as: UTF8.self)
    #expect(markdown.split(separator: "\n").count { $0.hasPrefix("| ") } == 2 + 3)
    #expect(String(decoding: try folder.read("r.svg"), as: UTF8.self).hasPrefix("<svg "))
  }

  @Test("A ramp prints a table and a verdict for people")
  func rampText() async throws {
    let run = try await folder.gallop("bench", "playback", "--seconds", "0.05", "--count", "1,2", "a.gif")
    #expect(run.status == 0)
    #expect(run.lines.count == 4)
    #expect(run.lines.first?.split(separator: " ").first == "players")
    #expect(run.lines.dropFirst().prefix(2).map { $0.split(separator: " ").first } == ["1", "2"])
    #expect(run.lines.last?.hasSuffix(".") == true)
  }

  @Test("--until-saturated doubles until there is no room for more")
  func untilSaturated() async throws {
    try folder.write(Fixture.still.bytes, to: "still.gif")
    let run = try await folder.gallop(
      "bench", "playback", "--json", "--seconds", "0.05", "--until-saturated", "--tile", "5792x5792",
      "still.gif")
    #expect(run.status == 0)
    #expect(try run.decoded(Contract.BenchPlayback.self).map(\.players) == [1, 2, 4])
  }

  @Test(
    "Existing reports are kept, which is said before anything is played",
    arguments: ["--markdown", "--svg", "--trace"])
  func existingReport(option: String) async throws {
    try folder.write([1], to: "r.svg")
    let command = ["bench", "playback", "--json", "--seconds", "0.05", option, "r.svg", "a.gif"]
    let run = try await folder.gallop(command)
    #expect(run.status == 1)
    #expect(run.output.isEmpty)
    #expect(run.errors == "gallop: r.svg: exists already; --force overwrites it\n")
    #expect(try folder.read("r.svg") == [1])
    #expect(try await folder.gallop(command + ["--force"]).status == 0)
    #expect(try folder.read("r.svg").count > 1)
  }

  @Test("A file that no player can show is named once, and the status says so", arguments: [true, false])
  func failingPlayers(isJSON: Bool) async throws {
    try folder.write(HugeFixture.bytes, to: "huge.gif")
    let run = try await folder.gallop(
      ["bench", "playback", "--seconds", "0.05", "--count", "3,4"] + (isJSON ? ["--json"] : [])
        + ["huge.gif", "a.gif"])
    #expect(run.status == 1)
    #expect(run.errors == "gallop: huge.gif: \(HugeFixture.reason)\n")
    if isJSON {
      #expect(try run.decoded(Contract.BenchPlayback.self).map(\.playersFailed) == [2, 2])
    } else {
      #expect(run.lines.last == "No number tried played without failed players.")
    }
  }

  @Test("--until-saturated goes no further than players that fail")
  func saturatedByFailure() async throws {
    try folder.write(HugeFixture.bytes, to: "huge.gif")
    let run = try await folder.gallop(
      "bench", "playback", "--json", "--seconds", "0.05", "--until-saturated", "huge.gif")
    #expect(run.status == 1)
    #expect(try run.decoded(Contract.BenchPlayback.self).map(\.players) == [1])
  }

  @Test("bench playback plays each file once without --count")
  func playbackCount() async throws {
    let run = try await folder.gallop(
      "bench", "playback", "--json", "--seconds", "0.05", "a.gif", "a.gif", "a.gif")
    #expect(try run.decoded(Contract.BenchPlayback.self).map(\.players) == [3])
  }

  @Test("bench playback prints a table for people without --json")
  func playbackText() async throws {
    let run = try await folder.gallop("bench", "playback", "--seconds", "0.05", "a.gif")
    #expect(run.status == 0)
    #expect(run.lines.map { $0.prefix { $0 != " " } } == ["players", "frames", "lateness", "cpu", "memory"])
  }
}

extension [Double] {
  fileprivate var isSorted: Bool { zip(self, dropFirst()).allSatisfy { $0 <= $1 } }
}
