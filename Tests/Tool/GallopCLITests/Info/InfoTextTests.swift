import Foundation
import GIFTestSupport
import Testing

/// What `gallop info` tells beyond the contract's fields, and how it looks on a terminal.
@Suite("gallop info in detail", .serialized, .timeLimit(.minutes(20)))
struct InfoTextTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private struct Details: Decodable {
    struct Frame: Decodable {
      var index: Int
      var paletteSize: Int?
    }
    struct Application: Decodable, Equatable {
      var identifier: String
    }
    var version: String
    var framesPerSecond: Double?
    var globalPaletteSize: Int?
    var backgroundIndex: Int
    var applicationExtensions: [Application]
    var frames: [Frame]
  }

  private static let hasScript = FileManager.default.isExecutableFile(atPath: "/usr/bin/script")

  @Test("The table has the average rate, palettes, version and extensions")
  func table() async throws {
    try folder.write(Fixture.finite.bytes, to: "a.gif")
    let run = try await folder.gallop("info", "a.gif")
    #expect(run.lines.contains("  rate      13.3 frames a second on average"))
    #expect(run.lines.contains("  palette   4 colours, background 0"))
    #expect(run.lines.contains("  version   GIF89a, extensions of NETSCAPE2.0"))
  }

  @Test("JSON has them too")
  func json() async throws {
    var gif = GIFWriter(width: 2, height: 1, palette: [0, 1])
    gif.image(width: 2, height: 1, indices: [1, 0])
    gif.image(width: 2, height: 1, indices: [1, 0], palette: [0, 1, 2, 3])
    gif.trailer()
    try folder.write(gif.bytes, to: "a.gif")
    let run = try await folder.gallop("info", "--json", "a.gif")
    let details = try #require(try run.decoded(Details.self).first)
    #expect(details.version == "89a" && details.framesPerSecond == 10 && details.globalPaletteSize == 2)
    #expect(details.backgroundIndex == 0 && details.applicationExtensions.isEmpty)
    #expect(details.frames.map(\.paletteSize) == [nil, 4])
    let table = try await folder.gallop("info", "a.gif")
    #expect(table.lines.contains("  palette   2 colours, background 0, 1 local with 4 colours"))
  }

  @Test("A repeated comment is shown once with its number")
  func comments() async throws {
    var gif = GIFWriter(width: 1, height: 1, palette: [0, 1])
    for text in ["again", "once", "again", "again"] { gif.comment(text) }
    gif.image(width: 1, height: 1, indices: [1])
    gif.trailer()
    try folder.write(gif.bytes, to: "a.gif")
    let run = try await folder.gallop("info", "a.gif")
    #expect(
      run.lines.filter { $0.contains("comment") } == ["  comment   again  (3 times)", "  comment   once"])
  }

  @Test("--range describes the frames that decode --range takes")
  func range() async throws {
    try folder.write(Fixture.finite.bytes, to: "a.gif")
    let all = try await folder.gallop("info", "--frames", "a.gif")
    let some = try await folder.gallop("info", "--range", "1-2", "a.gif")
    #expect(some.status == 0)
    #expect(
      some.lines.filter { $0.hasSuffix("complete") }
        == Array(all.lines.filter { $0.hasSuffix("complete") }[1...2]))
    let json = try await folder.gallop("info", "--json", "--range", "1..<3", "a.gif")
    #expect(try json.decoded(Details.self).first?.frames.map(\.index) == [1, 2])
    #expect(try await folder.gallop("info", "--range", "4", "a.gif").status == 1)
  }

  @Test("On a terminal the name is bold, unless NO_COLOR is set", .enabled(if: hasScript))
  func colour() async throws {
    try folder.write(Fixture.finite.bytes, to: "a.gif")
    let command = "script -qec \"$0 info a.gif\" /dev/null </dev/null"
    let bold = try await folder.shell("export TERM=xterm; unset NO_COLOR; \(command)")
    #expect(bold.text.contains("\u{1B}[1ma.gif\u{1B}[0m"))
    let plain = try await folder.shell("export TERM=xterm NO_COLOR=1; \(command)")
    #expect(plain.text.contains("a.gif") && !plain.text.contains("\u{1B}["))
    let dumb = try await folder.shell("export TERM=dumb; \(command)")
    #expect(!dumb.text.contains("\u{1B}["))
  }

  @Test(
    "Raw bytes are refused on a terminal, whatever it is called", .enabled(if: hasScript),
    arguments: ["-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1", "/dev/tty"])
  func rawBytes(output: String) async throws {
    try folder.write(Fixture.finite.bytes, to: "a.gif")
    let run = try await folder.shell(
      "script -qec \"$0 decode --format rgba -o \(output) a.gif\" /dev/null </dev/null")
    #expect(run.status == 64)
    #expect(run.text.contains(output == "-" ? "Standard output is a terminal" : "'\(output)' is a terminal"))
  }

  @Test(
    "Standard output that is no terminal takes raw bytes by any name",
    arguments: ["-", "/dev/stdout", "/dev/fd/1"])
  func piped(output: String) async throws {
    try folder.write(Fixture.finite.bytes, to: "a.gif")
    let run = try await folder.shell("\"$0\" decode --format rgba -o \(output) a.gif | cat")
    let whole = try await folder.shell("\"$0\" decode --format rgba -o - a.gif | cat")
    #expect(run.status == 0 && run.output == whole.output && !run.output.isEmpty)
  }
}
