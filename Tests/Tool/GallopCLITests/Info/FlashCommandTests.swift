import GIFTestSupport
import Testing

@Suite("gallop info --flashes", .serialized, .timeLimit(.minutes(20)))
struct FlashCommandTests {
  private struct Line: Decodable {
    struct Frame: Decodable { var flashes: String? }
    struct Flashes: Decodable {
      struct Peak: Decodable {
        var perSecond: Double
        var fromMs: Int
        var frames: [Int]
        var fieldShare: Double
      }
      var rule: String
      var result: String
      var general: Peak?
      var red: Peak?
      var safeRate: Double?
      var safeSize: [Int]?
      var decoded: Bool
    }
    var flashes: Flashes?
    var frames: [Frame]
  }

  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.write(Self.blinking(every: 5), to: "fast.gif")
    try folder.write(Self.blinking(every: 40), to: "slow.gif")
  }

  /// Black and white in turn, 8 x 6 pixels or a multiple of that.
  private static func blinking(every delay: Int, scale: Int = 1) -> [UInt8] {
    let (width, height) = (8 * scale, 6 * scale)
    var writer = GIFWriter(width: width, height: height, palette: [0x000000, 0xFFFFFF])
    writer.loop(0)
    for place in 0..<4 {
      writer.graphicsControl(disposal: 1, delay: delay)
      writer.image(
        width: width, height: height, indices: [UInt8](repeating: UInt8(place % 2), count: width * height))
    }
    writer.trailer()
    return writer.bytes
  }

  @Test("JSON has the worst second, and what would pass")
  func json() async throws {
    let run = try await folder.gallop("info", "--flashes", "--size", "800x", "--json", "fast.gif", "slow.gif")
    #expect(run.status == 0)
    let lines = try run.decoded(Line.self)
    let fast = try #require(lines[0].flashes)
    #expect(fast.result == "fails" && fast.rule == "wcag" && fast.decoded)
    #expect(fast.general?.perSecond == 10 && fast.general?.fieldShare == 1 && fast.red == nil)
    #expect(fast.general?.frames == [1, 0])
    #expect(fast.safeRate == 0.3 && fast.safeSize == [170, 128])
    let slow = try #require(lines[1].flashes)
    #expect(slow.result == "passes" && !slow.decoded && slow.general == nil && slow.safeRate == nil)
    #expect(lines[0].frames[0].flashes == nil)
    let without = try await folder.gallop("info", "--json", "fast.gif").decoded(Line.self)
    #expect(without[0].flashes == nil)
  }

  @Test("The table says what fails, when, and what would pass")
  func table() async throws {
    let run = try await folder.gallop("info", "--flashes", "--size", "800x600", "fast.gif")
    #expect(
      run.text.contains(
        "  flashes   fails WCAG 2.3.1: 10 general flashes in the second from 0.050 s (frames 1 - 0 of the next play), "
          + "100 % of a 10 degree field; red ones pass\n            passes at 0.3x, or at up to 170 x 128\n"))
    let small = try await folder.gallop("info", "--flashes", "fast.gif")
    #expect(small.text.contains("  flashes   passes WCAG 2.3.1 (by the number or size of its changes)\n"))
  }

  @Test("A gate fails with status 1; without --strict a verdict is no failure")
  func gate() async throws {
    let arguments = ["info", "--flashes", "--size", "800x600", "--format", "{flashes} {path}"]
    let strict = try await folder.gallop(arguments + ["--strict", "slow.gif", "fast.gif"])
    #expect(strict.status == 1)
    #expect(strict.lines == ["passes slow.gif", "fails fast.gif"])
    #expect(try await folder.gallop(arguments + ["slow.gif", "fast.gif"]).status == 0)
    #expect(try await folder.gallop(arguments + ["--strict", "slow.gif"]).status == 0)
    let twice = try await folder.gallop(arguments + ["--strict", "--rate", "3", "slow.gif"])
    #expect(twice.status == 1 && twice.lines == ["fails slow.gif"])
    let unknown = try await folder.gallop(arguments + ["--strict", "--max-frames", "2", "slow.gif"])
    #expect(unknown.status == 1 && unknown.lines == ["unknown slow.gif"])
    let iris = try await folder.gallop("info", "--flashes", "--rule", "iris", "--strict", "fast.gif")
    #expect(iris.status == 0)
  }

  @Test("The rule of IRIS has a verdict for each frame of a play")
  func iris() async throws {
    let run = try await folder.gallop("info", "--flashes", "--rule", "iris", "--json", "fast.gif")
    let line = try #require(try run.decoded(Line.self).first)
    // Three changes in one play: no warning yet.
    #expect(line.flashes?.rule == "iris" && line.flashes?.result == "passes")
    #expect(line.frames.map(\.flashes) == ["passes", "passes", "passes", "passes"])
  }

  @Test(
    "Options that need --flashes, or exclude each other, are refused",
    arguments: [
      ["--size", "320x"], ["--rate", "2"], ["--rule", "iris"], ["--flashes", "--rate", "0"],
      ["--flashes", "--rule", "iris", "--rate", "2"], ["--flashes", "--size", "0x0"],
      ["--flashes", "--framemd5"],
    ])
  func refused(options: [String]) async throws {
    let run = try await folder.gallop(["info"] + options + ["fast.gif"])
    #expect(run.status == 64)
    #expect(run.output.isEmpty)
  }

  @Test("Playback without a display is held, slowed or warned of, by size and rate; what is held fails")
  func play() async throws {
    // 176 x 132: a little more than what may flash.
    try folder.write(Self.blinking(every: 5, scale: 22), to: "large.gif")
    func states(_ options: [String]) async throws -> (status: Int32?, states: [String]) {
      let run = try await folder.gallop(["play", "--headless", "--events", "--loops", "1"] + options)
      return (run.status, try run.decoded(EventLine.self).compactMap(\.state))
    }
    let held = try await states(["--flashes", "hold", "large.gif"])
    #expect(held.status == 1 && held.states == ["judging", "held"])
    let slowed = try await states(["--flashes", "slow", "--speed", "4", "large.gif"])
    #expect(slowed.states == ["judging", "slowed"])
    let warned = try await states(["--flashes", "warn", "large.gif"])
    // It plays meanwhile, and may end before the verdict.
    #expect(warned.status == 0 && warned.states.first == "judging")
    #expect(try await states(["large.gif"]).states.isEmpty)
    #expect(try await states(["--flashes", "hold", "fast.gif", "slow.gif"]).states == ["passes", "passes"])
    let run = try await folder.gallop(
      "play", "--headless", "--loops", "1", "--flashes", "hold", "large.gif", "fast.gif")
    #expect(run.errors.contains("large.gif: held: flashes more than 3 times a second"))
  }

  private struct EventLine: Decodable {
    var state: String?
  }
}
