import GIFDecoding
import Testing

@testable import GallopCLI

/// `info --format` and `info --sort`.
@Suite("Formats and orders of info", .serialized, .timeLimit(.minutes(20)))
struct InfoFormatTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.write(Fixture.finite.bytes, to: "b.gif")
    try folder.write(Fixture.still.bytes, to: "c.gif")
    try folder.write(Fixture.endless.bytes, to: "a.gif")
  }

  @Test("A line for each file, with its fields")
  func lines() async throws {
    let run = try await folder.gallop("info", "--format", "{width}x{height} {path}", "b.gif", "a.gif")
    #expect(run.status == 0 && run.errors.isEmpty)
    #expect(run.text == "2x2 b.gif\n2x2 a.gif\n")
  }

  @Test("Every field has a value that a reader of columns can use")
  func fields() async throws {
    let format = InfoField.allCases.map { "{\($0.rawValue)}" }.joined(separator: "\\t")
    let run = try await folder.gallop("info", "--flashes", "--format", format, "b.gif", "c.gif", "a.gif")
    let size = Fixture.finite.bytes.count
    let rows = run.lines.map { $0.split(separator: "\t", omittingEmptySubsequences: false).map(String.init) }
    #expect(
      rows.first == [
        "b.gif", "b", "2", "2", "4", "3", "false", "300", "13.333", "true", "\(size)", "89a", "0", "passes",
      ])
    #expect(rows[1][8] == "-" && rows[1][4] == "1")
    #expect(rows[2][5] == "forever" && rows[2][6] == "true")
  }

  @Test("A name goes to a program as it is, so that it can be opened")
  func names() async throws {
    let script = HostileName.shell + "cp a.gif \"$N.gif\"; \"$0\" info --format '{path}' \"$N.gif\""
    let run = try await folder.shell(script)
    #expect(run.output == [0x62, 0xFF] + Array("\u{1B}[31md.gif\n".utf8))
  }

  @Test("On a terminal nothing in a name commands it")
  func terminal() throws {
    let format = try InfoFormat(argument: "{width}")
    let report = InfoReport(
      path: "a\u{1B}.gif", image: try GIFImage(bytes: Fixture.finite.bytes), checksFrames: false)
    #expect(format.line(report, isForTerminal: true) == Array("2\n".utf8))
    let path = try InfoFormat(argument: "<{path}>")
    #expect(path.line(report, isForTerminal: true) == Array("<a\\x1B.gif>\n".utf8))
    #expect(path.line(report, isForTerminal: false) == Array("<a\u{1B}.gif>\n".utf8))
  }

  @Test(
    "Wrong formats and orders name the field that may be meant",
    arguments: [
      (["--format", "{wdith}"], "'width'"), (["--format", "{size}"], "'bytes'"),
      (["--format", "json"], "--json"),
      (["--format", "{width"], "brace"), (["--format", "plain"], "{width}x{height}"),
      (["--sort", "fps"], "'framesPerSecond'"),
      (["--sort", "zzz"], "frameCount"), (["--reverse"], "--sort"),
      (["--json", "--format", "{path}"], "--json"),
      (["--frames", "--format", "{path}"], "--frames"),
    ])
  func wrong(options: [String], word: String) async throws {
    let run = try await folder.gallop(["info"] + options + ["a.gif"])
    #expect(run.status == 64 && run.output.isEmpty)
    #expect(run.errorLines.first?.contains(word) == true, "\(run.errors)")
  }

  @Test(
    "--sort orders by a field, and keeps the order of equal files; --reverse has the largest first",
    arguments: [
      (["--sort", "path"], "a b c"), (["--sort", "path", "--reverse"], "c b a"),
      (["--sort", "frameCount"], "c a b"),
      (["--sort", "width"], "b c a"), (["--sort", "width", "--reverse"], "b c a"),
      (["--sort", "plays"], "c b a"),
      (["--sort", "framesPerSecond"], "c b a"),
    ])
  func sorted(options: [String], expected: String) async throws {
    let run = try await folder.gallop(
      ["info", "--format", "{name}"] + options + ["b.gif", "c.gif", "a.gif"])
    #expect(run.lines.joined(separator: " ") == expected)
  }

  @Test("With --sort, lines about files that cannot be used come last, and the status stays")
  func sortedFailures() async throws {
    let run = try await folder.gallop("info", "--json", "--sort", "path", "missing.gif", "b.gif", "a.gif")
    #expect(run.status == 1)
    #expect(try run.lines.prefix(2).map { try $0.decoded(Contract.Info.self).path } == ["a.gif", "b.gif"])
    #expect(try run.lines.last?.decoded(Contract.InfoFailure.self).error.code == "unreadable")
  }
}
