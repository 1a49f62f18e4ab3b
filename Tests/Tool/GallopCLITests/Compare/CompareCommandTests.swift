import GIFTestSupport
import Testing

@Suite("gallop compare", .serialized, .timeLimit(.minutes(20)))
struct CompareCommandTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.write(Fixture.finite.bytes, to: "a.gif")
  }

  /// Three frames of 8 x 4 pixels in grey; frame 1 has a pixel of another grey at 5,2, and frame 2 two of
  /// them.
  private static func grey(_ grey: UInt8, delay: Int = 10) -> [UInt8] {
    let color = UInt32(grey) << 16 | UInt32(grey) << 8 | UInt32(grey)
    var gif = GIFWriter(width: 8, height: 4, palette: [0x808080, RGB(color)])
    for frame in 0..<3 {
      var indices = [UInt8](repeating: 0, count: 32)
      if frame > 0 { indices[2 * 8 + 5] = 1 }
      if frame > 1 { indices[0] = 1 }
      gif.graphicsControl(disposal: 1, delay: frame == 2 ? delay : 10)
      gif.image(width: 8, height: 4, indices: indices)
    }
    gif.trailer()
    return gif.bytes
  }

  private func expect(_ arguments: String..., status: Int32, text: String = "") async throws {
    let run = try await folder.gallop(["compare"] + arguments)
    #expect(run.status == status)
    #expect(run.text == text)
    #expect(run.errors.isEmpty)
  }

  @Test("Equal GIFs end with 0 and say nothing, whatever their bytes")
  func equal() async throws {
    try await expect("a.gif", "a.gif", status: 0)
    // The same pictures with a comment, and delays that play alike.
    var other = Fixture.finite
    other.delays[0] = 1
    try folder.write(other.bytes, to: "b.gif")
    try await expect("a.gif", "b.gif", status: 0)
    let piped = try await folder.shell("\"$0\" compare a.gif - < b.gif")
    #expect(piped.status == 0 && piped.errors.isEmpty)
  }

  @Test("The first picture that differs is named, with its rectangle and the largest difference")
  func pictures() async throws {
    try folder.write(Self.grey(0x80), to: "b.gif")
    try folder.write(Self.grey(0x8A), to: "c.gif")
    let line = "frame #1: picture differs in 1 x 1 pixels at 5,2, by 10 at the most (2 of 3 frames differ)\n"
    try await expect("b.gif", "c.gif", status: 1, text: line)
    try await expect("--tolerance", "9", "b.gif", "c.gif", status: 1, text: line)
    try await expect("--tolerance", "10", "b.gif", "c.gif", status: 0)
  }

  @Test("Delays, plays and the number of frames are compared, too")
  func times() async throws {
    try folder.write(Self.grey(0x80), to: "b.gif")
    try folder.write(Self.grey(0x80, delay: 20), to: "c.gif")
    try await expect("b.gif", "c.gif", status: 1, text: "frame #2: delay 100 ms, 200 ms\n")
    // The fixture's frame 1 is green for 30 ms; here it lasts 20 ms, and two frames are all.
    try folder.write(Fixture(delays: [0, 2], loop: 0).bytes, to: "d.gif")
    try await expect(
      "a.gif", "d.gif", status: 1,
      text: "frames: 4, 2\nplays: 3 times, forever\nframe #1: delay 30 ms, 20 ms\n")
  }

  @Test("GIFs of other canvases differ, without a comparison of pictures")
  func canvases() async throws {
    try folder.write(Self.grey(0x80), to: "b.gif")
    let run = try await folder.gallop("compare", "--tolerance", "255", "a.gif", "b.gif")
    #expect(run.status == 1)
    #expect(run.lines.first == "canvas: 2 x 2, 8 x 4")
    #expect(!run.text.contains("picture"))
  }

  @Test("What cannot be compared ends with 2 and the reason", arguments: BadFile.all)
  func bad(file: BadFile) async throws {
    try file.put(into: folder)
    for arguments in [["a.gif", file.name], [file.name, "a.gif"]] {
      let run = try await folder.gallop(["compare"] + arguments)
      #expect(run.status == 2)
      #expect(run.output.isEmpty)
      #expect(run.errorLines.count == 1 && run.errors.hasPrefix("gallop: \(file.name): "))
      #expect(run.errors.contains(file.reason) || run.errors.contains("is a folder"))
    }
  }

  @Test("A canvas beyond the limit, and output that fails, end with 2")
  func trouble() async throws {
    try folder.write(HugeFixture.bytes, to: "huge.gif")
    let huge = try await folder.gallop("compare", "huge.gif", "huge.gif")
    #expect(huge.status == 2)
    #expect(huge.errors == "gallop: huge.gif and huge.gif cannot be compared: \(HugeFixture.reason)\n")
    try folder.write(Self.grey(0x80), to: "b.gif")
    let full = try await folder.shell("\"$0\" compare a.gif b.gif >/dev/full")
    #expect(full.status == 2)
    #expect(full.errors == "gallop: standard output: cannot be written: No space left on device\n")
  }

  @Test("Damage is a warning, and what it hides a difference")
  func damage() async throws {
    try folder.write(Fixture.finite.truncatedBytes, to: "cut.gif")
    let run = try await folder.gallop("compare", "a.gif", "cut.gif")
    #expect(run.status == 1)
    #expect(run.text.hasPrefix("frame #3: picture differs in "))
    #expect(!run.errorLines.isEmpty)
    #expect(run.errorLines.allSatisfy { $0.hasPrefix("gallop: cut.gif: warning: ") })
  }

  @Test(
    "Wrong usage ends with 64",
    arguments: [
      "", "a.gif", "a.gif a.gif a.gif", "--tolerance 256 a.gif a.gif", "--tolerance -1 a.gif a.gif", "- -",
    ])
  func usage(arguments: String) async throws {
    let run = try await folder.gallop(["compare"] + arguments.split(separator: " ").map(String.init))
    #expect(run.status == 64)
    #expect(run.errors.contains("Usage: gallop compare"))
  }
}
