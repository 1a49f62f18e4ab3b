import Foundation
import Testing

/// What a FILE argument may be, and what its name may hold.
@Suite("Inputs", .serialized, .timeLimit(.minutes(20)))
struct InputTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.write(Fixture.finite.bytes, to: "a.gif")
  }

  // MARK: Standard input

  @Test("- is standard input, for every command")
  func standardInput() async throws {
    let info = try await folder.shell("cat a.gif | \"$0\" info --json -")
    let described = try #require(try info.decoded(Contract.Info.self).first)
    #expect(info.status == 0 && described.path == "-" && described.frameCount == 4)
    let rgba = try await folder.shell("\"$0\" decode --format rgba -o - - < a.gif")
    #expect(rgba.output == Fixture.canvases(0..<4))
    let png = try await folder.shell("cat a.gif | \"$0\" decode --frames 2 -")
    #expect(png.status == 0)
    #expect(try folder.names() == ["a.gif", "stdin.png"])
    let play = try await folder.shell("cat a.gif | \"$0\" play --headless --events -")
    #expect(play.status == 0 && !play.lines.isEmpty)
    let bench = try await folder.shell("cat a.gif | \"$0\" bench decode --json --repeat 1 -")
    #expect(try bench.decoded(Contract.BenchDecode.self).map(\.frames) == [4])
  }

  @Test("Standard input is refused at the limit of its bytes; a file before anything is read of it")
  func tooLarge() async throws {
    let limit = Fixture.finite.bytes.count - 1
    for command in ["cat a.gif | \"$0\"", "(cat a.gif; yes) | \"$0\"", "< a.gif \"$0\""] {
      let run = try await folder.shell("\(command) info --max-bytes \(limit) -")
      #expect(run.status == 1, "\(command)")
      #expect(run.errors.hasPrefix("gallop: standard input: has "), "\(run.errors)")
    }
  }

  @Test("A bad standard input is named in words")
  func badStandardInput() async throws {
    let run = try await folder.shell("echo text | \"$0\" info -")
    #expect(run.status == 1)
    #expect(run.errors.hasPrefix("gallop: standard input: is not a GIF"))
  }

  // MARK: Folders

  @Test("A folder stands for its GIFs, sorted by name")
  func folders() async throws {
    try folder.makeFolder("d")
    try folder.makeFolder("d/inner.gif")
    for name in ["d/b.GIF", "d/a.gif", "d/c.gif", "d/.hidden.gif", "d/text.txt"] {
      try folder.write(Fixture.still.bytes, to: name)
    }
    let run = try await folder.gallop("info", "--json", "d", "a.gif", "d/")
    #expect(run.status == 0)
    let inFolder = ["d/a.gif", "d/b.GIF", "d/c.gif"]
    #expect(try run.decoded(Contract.Info.self).map(\.path) == inFolder + ["a.gif"] + inFolder)
    let decode = try await folder.gallop("decode", "-o", "out/", "d")
    #expect(decode.status == 0)
    #expect(try folder.names(in: "out") == ["a.png", "b.png", "c.png"])
  }

  // MARK: Names

  @Test("A name that is not UTF-8 is opened, and outputs are named after it")
  func invalidName() async throws {
    let script = HostileName.shell + "cp a.gif \"$N.gif\"; "
    let info = try await folder.shell(script + "\"$0\" info --json \"$N.gif\"")
    #expect(info.status == 0 && info.errors.isEmpty)
    #expect(info.text.contains("\"pathHex\":\"62ff1b5b33316d642e676966\""))
    #expect(try info.decoded(Contract.Info.self).map(\.path) == ["b\u{FFFD}\u{1B}[31md.gif"])
    for command in [
      "decode --frames 1", "decode --format rgba", "play --headless", "bench decode --repeat 1",
    ] {
      let run = try await folder.shell(script + "\"$0\" \(command) \"$N.gif\"")
      #expect(run.status == 0, "\(command): \(run.errors)")
    }
    let found = try await folder.shell(
      HostileName.shell + "cmp \"$N.rgba\" \"$N.rgba\" && test -s \"$N.png\"")
    #expect(found.status == 0)
    let inFolder = try await folder.shell(
      "mkdir d; " + HostileName.shell + "cp a.gif \"d/$N.gif\"; \"$0\" info d")
    #expect(inFolder.lines.first == "d/\(HostileName.shown).gif")
  }

  @Test("A name cannot command the terminal: not in tables, warnings, failures or wrong usage")
  func escapedNames() async throws {
    try folder.write(Fixture.finite.truncatedBytes, to: "cut.gif")
    let script = HostileName.shell + "cp cut.gif \"$N.gif\"; "
    for command in [
      "info", "info --json", "decode --format null", "decode --format rgba --force -o \"$N.gif\"",
      "play --headless",
      "bench decode --repeat 1", "info --unknown", "info missing", "decode -o \"$N.mp4\"", "\"$N\"",
      "decode -o out/ cut.gif \"$N\"/x.gif",
    ] {
      let run = try await folder.shell(script + "\"$0\" \(command) \"$N.gif\" \"$N\"")
      #expect(!run.output.contains(0x1B) && !run.errors.contains("\u{1B}"), "\(command)")
    }
    let run = try await folder.shell(script + "\"$0\" decode --format null \"$N.gif\"")
    #expect(run.errors.hasPrefix("gallop: \(HostileName.shown).gif: warning: "))
  }

  // MARK: Messages

  @Test("--quiet leaves warnings and notes out, not failures")
  func quiet() async throws {
    try folder.write(Fixture.finite.truncatedBytes, to: "cut.gif")
    let run = try await folder.gallop("decode", "--quiet", "--format", "null", "cut.gif", "missing.gif")
    #expect(run.status == 1)
    #expect(run.errorLines.count == 1 && run.errors.hasPrefix("gallop: missing.gif: "))
  }

  @Test("Many damaged files give a line for each kind of fault")
  func groupedWarnings() async throws {
    try folder.makeFolder("d")
    for number in 10..<60 { try folder.write(Fixture.finite.truncatedBytes, to: "d/\(number).gif") }
    let run = try await folder.gallop("decode", "--format", "null", "d")
    #expect(run.status == 0)
    #expect((1...3).contains(run.errorLines.count))
    #expect(run.errors.hasPrefix("gallop: warning: in 50 of 50 files: "))
    #expect(run.errors.contains(": d/10.gif, d/11.gif, d/12.gif and 47 more\n"))
  }

  @Test("Endless playback without a display says so once, unless it is ended by an option")
  func endless() async throws {
    try folder.write(Fixture.endless.bytes, to: "endless.gif")
    let run = try await folder.gallop(
      ["play", "--headless", "--events", "endless.gif", "endless.gif"], interruptedBy: SIGTERM)
    #expect(run.errors == "gallop: playback is endless; Ctrl-C ends it, as do --seconds and --loops\n")
    for option in [["--seconds", "0.05"], ["--loops", "1"]] {
      #expect(try await folder.gallop(["play", "--headless"] + option + ["endless.gif"]).errors.isEmpty)
    }
  }
}
