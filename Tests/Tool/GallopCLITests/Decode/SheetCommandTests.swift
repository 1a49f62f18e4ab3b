import GIFTestSupport
import Testing

@Suite("gallop decode --format sheet", .serialized, .timeLimit(.minutes(20)))
struct SheetCommandTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.write(Fixture.finite.bytes, to: "a.gif")
  }

  /// How many pixels of a sheet have a colour.
  private func count(_ rgb: RGB, in sheet: PNGPicture) -> Int {
    let wanted = rgb.bytes
    return stride(from: 0, to: sheet.pixels.count, by: 4).count { Array(sheet.pixels[$0..<$0 + 3]) == wanted }
  }

  @Test("The sheet holds every frame's picture")
  func pictures() async throws {
    let run = try await folder.gallop("decode", "--format", "sheet", "--size", "20x10", "a.gif")
    #expect(run.status == 0)
    #expect(run.output.isEmpty)
    #expect(run.errors.isEmpty)
    let sheet = try PNGPicture(folder.read("a-sheet.png"))
    // Red, green, blue and red again; a quarter of frame 0 is transparent.
    #expect(count(0xFF0000, in: sheet) == 150 + 200)
    #expect(count(0x00FF00, in: sheet) == 200)
    #expect(count(0x0000FF, in: sheet) == 200)
    // The two colours of the board.
    #expect(count(0xFFFFFF, in: sheet) + count(0xCCCCCC, in: sheet) == 50)
  }

  @Test("--frames chooses what is on the sheet; several threads change nothing", arguments: ["1", "8"])
  func chosen(jobs: String) async throws {
    let run = try await folder.gallop(
      "decode", "--format", "sheet", "--size", "10x10", "--frames", "1..<3", "--jobs", jobs, "--output", "-",
      "a.gif")
    #expect(run.status == 0)
    let sheet = try PNGPicture(run.output)
    #expect(count(0xFF0000, in: sheet) == 0)
    #expect(count(0x00FF00, in: sheet) == 100)
    #expect(count(0x0000FF, in: sheet) == 100)
  }

  @Test("The sheet goes into a folder, or into the file given")
  func places() async throws {
    for (output, file) in [("", "a-sheet.png"), ("new", "new/a-sheet.png"), ("X.PNG", "X.PNG")] {
      let option = output.isEmpty ? [] : ["--output", output]
      let run = try await folder.gallop(["decode", "--format", "sheet"] + option + ["a.gif"])
      #expect(run.status == 0)
      #expect(run.errors.isEmpty)
      #expect(try PNGPicture(folder.read(file)).width > 0)
    }
  }

  @Test("Too large a sheet is refused before anything is written")
  func tooLarge() async throws {
    let run = try await folder.gallop(
      "decode", "--format", "sheet", "--size", "10000x10000", "--output", "out", "a.gif")
    #expect(run.status == 1)
    #expect(
      run.errors == "gallop: a.gif: 4 thumbnails do not fit on a sheet of 33554432 pixels; "
        + "choose --frames or a smaller --size\n")
    #expect(try folder.names() == ["a.gif", "out"] && folder.names(in: "out").isEmpty)
  }

  @Test("Thousands of frames fit")
  func thousands() async throws {
    try folder.write(Fixture(delays: [Int](repeating: 65_535, count: 3000), loop: 0).bytes, to: "long.gif")
    let run = try await folder.gallop("decode", "--format", "sheet", "long.gif")
    #expect(run.status == 0)
    let sheet = try PNGPicture(folder.read("long-sheet.png"))
    #expect(sheet.width * sheet.height <= 1 << 25)
    #expect(count(0x00FF00, in: sheet) == 1000 * 4)
  }

  @Test("A file with a canvas but no frame gives no sheet")
  func noFrames() async throws {
    var gif = GIFWriter(width: 3, height: 3, palette: [0, 1])
    gif.trailer()
    try folder.write(gif.bytes, to: "none.gif")
    let run = try await folder.gallop("decode", "--format", "sheet", "--output", "-", "none.gif")
    #expect(run.status == 1 && run.output.isEmpty)
  }

  @Test("A damaged frame is on the sheet, with a warning")
  func damaged() async throws {
    try folder.write(Fixture.finite.truncatedBytes, to: "cut.gif")
    let run = try await folder.gallop("decode", "--format", "sheet", "cut.gif")
    #expect(run.status == 0)
    #expect(run.errorLines.allSatisfy { $0.hasPrefix("gallop: cut.gif: warning: ") })
    #expect(try folder.names().contains("cut-sheet.png"))
  }
}
