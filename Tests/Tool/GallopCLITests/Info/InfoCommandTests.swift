import GIFTestSupport
import Testing

@Suite("gallop info", .serialized, .timeLimit(.minutes(20)))
struct InfoCommandTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test("The table names the canvas, the frames, the plays and the duration")
  func table() async throws {
    try folder.write(Fixture.finite.bytes, to: "a.gif")
    let run = try await folder.gallop("info", "a.gif")
    #expect(run.status == 0)
    #expect(run.errors.isEmpty)
    #expect(run.lines.first == "a.gif")
    #expect(run.lines.contains("  canvas    2 x 2"))
    #expect(run.lines.contains("  frames    4, plays 3 times"))
    #expect(run.lines.contains("  duration  0.300 s a loop (30 - 100 ms)"))
    #expect(!run.text.contains("warning"))
  }

  @Test("A still has neither plays nor a duration in the table")
  func stillTable() async throws {
    try folder.write(Fixture.still.bytes, to: "a.gif")
    let run = try await folder.gallop("info", "a.gif")
    #expect(run.lines.contains("  frames    1"))
    #expect(!run.text.contains("duration"))
  }

  @Test("--frames adds a line for each frame")
  func frameLines() async throws {
    try folder.write(Fixture.finite.bytes, to: "a.gif")
    let plain = try await folder.gallop("info", "a.gif")
    let run = try await folder.gallop("info", "--frames", "a.gif")
    #expect(run.status == 0)
    #expect(run.text.hasPrefix(plain.text))
    let added = run.lines.dropFirst(plain.lines.count).map { $0.split(separator: " ").map(String.init) }
    #expect(added.count == 1 + 4 + 1)
    #expect(
      added[0] == [
        "frame", "delay", "ms", "stored", "x", "y", "width", "height", "disposal", "flags", "status",
      ])
    #expect(added[1] == ["0", "100", "0", "0", "0", "2", "2", "1", "kt--", "complete"])
    #expect(added[2].prefix(3) == ["1", "30", "30"])
  }

  @Test("A file fed in pieces tells the same", arguments: [1, 7, 100_000])
  func pieces(size: Int) async throws {
    try folder.write(Fixture.finite.bytes, to: "a.gif")
    try folder.write(Array(Fixture.finite.bytes.dropLast(9)), to: "cut.gif")
    try folder.write([], to: "empty.gif")
    for file in ["a.gif", "cut.gif", "empty.gif", "absent.gif"] {
      let whole = try await folder.gallop("info", "--json", file)
      let run = try await folder.gallop("info", "--json", "--piece-bytes", "\(size)", file)
      #expect(run.status == whole.status)
      #expect(run.text == whole.text)
      #expect(run.errors.isEmpty == whole.errors.isEmpty)
    }
  }

  @Test("Pieces have at least a byte")
  func noPieces() async throws {
    #expect(try await folder.gallop("info", "--piece-bytes", "0", "a.gif").status == 64)
  }

  @Test("A comment cannot command the terminal")
  func comment() async throws {
    var gif = GIFWriter(width: 1, height: 1, palette: [0xFF0000])
    gif.comment("a\u{1B}[31m\nb")
    gif.image(width: 1, height: 1, indices: [0])
    gif.trailer()
    try folder.write(gif.bytes, to: "a.gif")
    let run = try await folder.gallop("info", "a.gif")
    #expect(run.lines.contains("  comment   a [31m b"))
  }

  @Test("--json has every field of the contract")
  func json() async throws {
    try folder.write(Fixture.finite.bytes, to: "a.gif")
    let run = try await folder.gallop("info", "--json", "a.gif")
    #expect(run.status == 0)
    #expect(run.errors.isEmpty)
    let info = try #require(try run.decoded(Contract.Info.self).first)
    #expect(run.lines.count == 1)
    #expect(info.path == "a.gif")
    #expect((info.width, info.height) == (2, 2))
    #expect(info.frameCount == 4)
    #expect(info.plays == .times(3))
    #expect(info.durationMs == 300)
    #expect(info.isComplete)
    #expect(info.diagnostics.isEmpty)
    #expect(info.frames.map(\.index) == [0, 1, 2, 3])
    #expect(info.frames.map(\.rawDelayMs) == [0, 30, 70, 10])
    #expect(info.frames.map(\.delayMs) == [100, 30, 70, 100])
    #expect(info.frames.map(\.transparent) == [true, false, false, false])
    #expect(info.frames.allSatisfy { $0.status == "complete" && $0.disposal == 1 })
  }

  @Test("--json describes a frame as it is stored")
  func jsonFrame() async throws {
    var gif = GIFWriter(width: 8, height: 6, palette: [0x000000, 0xFF0000])
    gif.image(width: 8, height: 6, indices: [UInt8](repeating: 1, count: 48))
    gif.graphicsControl(disposal: 3, delay: 1, transparent: 1)
    gif.image(
      x: 2, y: 1, width: 3, height: 4, indices: [UInt8](repeating: 1, count: 12), palette: [0, 0xFF],
      interlaced: true)
    gif.trailer()
    try folder.write(gif.bytes, to: "a.gif")
    let info = try #require(
      try await folder.gallop("info", "--json", "a.gif").decoded(Contract.Info.self).first)
    let expected = Contract.Info.Frame(
      index: 1, delayMs: 100, rawDelayMs: 10, x: 2, y: 1, width: 3, height: 4, disposal: 3, interlaced: true,
      transparent: true, localPalette: true, keyframe: false, status: "complete")
    #expect(info.frames.count == 2)
    #expect(info.frames.last == expected)
    #expect(info.frames.first?.keyframe == true)
  }

  @Test(
    "--json gives plays as a number or as forever",
    arguments: [(nil, Contract.Plays.times(1)), (0, .forever), (1, .times(2)), (65535, .times(65536))])
  func plays(loop: Int?, expected: Contract.Plays) async throws {
    try folder.write(Fixture(delays: [5, 5], loop: loop).bytes, to: "a.gif")
    let info = try #require(
      try await folder.gallop("info", "--json", "a.gif").decoded(Contract.Info.self).first)
    #expect(info.plays == expected)
    #expect(info.loopsForever == (expected == .forever))
  }

  @Test("--index-only leaves the frames' status open")
  func indexOnly() async throws {
    try folder.write(Fixture.finite.bytes, to: "a.gif")
    let run = try await folder.gallop("info", "--json", "--index-only", "a.gif")
    let info = try #require(try run.decoded(Contract.Info.self).first)
    #expect(info.frames.count == 4)
    #expect(info.frames.allSatisfy { $0.status == nil })
  }

  @Test("Several files give a line each, in order")
  func severalFiles() async throws {
    try folder.write(Fixture.finite.bytes, to: "a.gif")
    try folder.write(Fixture.still.bytes, to: "b.gif")
    let run = try await folder.gallop("info", "--json", "b.gif", "a.gif", "b.gif")
    #expect(run.status == 0)
    #expect(try run.decoded(Contract.Info.self).map(\.path) == ["b.gif", "a.gif", "b.gif"])
  }

  @Test("A name with quotes, spaces and letters from afar stays what it is")
  func names() async throws {
    let name = "a \"horse\" größer 馬.gif"
    try folder.write(Fixture.still.bytes, to: name)
    let info = try #require(try await folder.gallop("info", "--json", name).decoded(Contract.Info.self).first)
    #expect(info.path == name)
  }

  @Test("--strict fails for what is odd, and only for that", arguments: [true, false])
  func strict(isOdd: Bool) async throws {
    let fixture = Fixture.finite
    try folder.write(isOdd ? fixture.truncatedBytes : fixture.bytes, to: "a.gif")
    let run = try await folder.gallop("info", "--strict", "--json", "a.gif")
    #expect(run.status == (isOdd ? 1 : 0))
    #expect(run.lines.count == 1)
    #expect(run.errors.isEmpty)
  }

  @Test(
    "--strict does its work and fails for damage in every command, and --quiet hides only the words",
    arguments: [
      ["decode", "--format", "rgba", "-o", "out.rgba", "--force"], ["play", "--headless"],
      ["bench", "decode", "--repeat", "1"], ["bench", "playback", "--seconds", "0.05"],
    ])
  func strictEverywhere(command: [String]) async throws {
    try folder.write(Fixture.finite.truncatedBytes, to: "cut.gif")
    try folder.write(Fixture.finite.bytes, to: "whole.gif")
    #expect(try await folder.gallop(command + ["cut.gif"]).status == 0)
    let strict = try await folder.gallop(command + ["--strict", "cut.gif"])
    #expect(strict.status == 1 && strict.errors.contains("gallop: cut.gif: warning: "))
    let quiet = try await folder.gallop(command + ["--strict", "--quiet", "cut.gif"])
    #expect(quiet.status == 1 && quiet.errors.isEmpty)
    #expect(try await folder.gallop(command + ["--strict", "whole.gif"]).status == 0)
    if command[0] == "decode" { #expect(try folder.read("out.rgba") == Fixture.canvases(0..<4)) }
  }

  @Test("What a format does not tell of, --strict names")
  func strictFormat() async throws {
    try folder.write(Fixture.finite.truncatedBytes, to: "a.gif")
    let run = try await folder.gallop("info", "--strict", "--format", "{path}", "a.gif")
    #expect(run.status == 1 && run.text == "a.gif\n")
    #expect(run.errors.hasPrefix("gallop: a.gif: ") && run.errors.contains("gallop info shows"))
  }

  @Test("A canvas that decoding refuses is described, with a warning that --strict counts")
  func refused() async throws {
    try folder.write(Fixture.finite.bytes, to: "a.gif")
    let run = try await folder.gallop("info", "--json", "--max-canvas-pixels", "2", "a.gif")
    #expect(run.status == 0 && run.lines.count == 1)
    #expect(run.errors.contains("gallop: a.gif: warning: no frame can be decoded: "))
    #expect(run.errors.contains("the limit is 2"))
    let strict = try await folder.gallop(
      "info", "--strict", "--index-only", "--max-canvas-pixels", "2", "a.gif")
    #expect(strict.status == 1)
  }

  @Test("--strict still describes every file")
  func strictSeveral() async throws {
    try folder.write(Fixture.finite.truncatedBytes, to: "a.gif")
    try folder.write(Fixture.finite.bytes, to: "b.gif")
    let run = try await folder.gallop("info", "--strict", "--json", "a.gif", "b.gif")
    #expect(run.status == 1)
    #expect(run.lines.count == 2)
  }

  @Test("A truncated animation is described, with a warning")
  func truncated() async throws {
    try folder.write(Fixture.finite.truncatedBytes, to: "a.gif")
    let table = try await folder.gallop("info", "a.gif")
    #expect(table.status == 0)
    #expect(table.text.contains("file incomplete"))
    #expect(table.text.contains("  warning   frame #3: "))
    let run = try await folder.gallop("info", "--json", "a.gif")
    #expect(run.status == 0)
    let info = try #require(try run.decoded(Contract.Info.self).first)
    #expect(!info.isComplete)
    #expect(info.frameCount == 4)
    #expect(info.diagnostics.contains { $0.code == "truncatedFrame" && $0.frame == 3 && !$0.message.isEmpty })
    #expect(info.frames.prefix(3).allSatisfy { $0.status == "complete" })
  }
}
