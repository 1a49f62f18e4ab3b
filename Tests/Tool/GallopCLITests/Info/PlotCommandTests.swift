import Testing

@Suite("gallop info --plot", .serialized, .timeLimit(.minutes(20)))
struct PlotCommandTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.write(Fixture.finite.bytes, to: "a.gif")
  }

  @Test("The chart is written beside the report", arguments: ["plot.svg", "plot.png"])
  func written(file: String) async throws {
    let plain = try await folder.gallop("info", "a.gif")
    let run = try await folder.gallop("info", "--plot", file, "a.gif")
    #expect(run.status == 0)
    #expect(run.errors.isEmpty)
    #expect(run.output == plain.output)
    let bytes = try folder.read(file)
    if file.hasSuffix("png") {
      #expect(try PNGPicture(bytes).width == 1200)
    } else {
      let text = String(decoding: bytes, as: UTF8.self)
      #expect(text.hasPrefix("<svg "))
      #expect(text.contains(">a  2 x 2, 4 frames, 0.300 s</text>"))
      #expect(text.contains(">delay, ms</text>") && text.contains(">compressed size, bytes</text>"))
    }
  }

  @Test("An existing file is kept without --force, and replaced with it")
  func existing() async throws {
    try folder.write([1, 2, 3], to: "plot.svg")
    let run = try await folder.gallop("info", "--plot", "plot.svg", "a.gif")
    #expect(run.status == 1)
    #expect(run.errors == "gallop: plot.svg: exists already; --force overwrites it\n")
    #expect(try folder.read("plot.svg") == [1, 2, 3])
    let forced = try await folder.gallop("info", "--json", "--force", "--plot", "plot.svg", "a.gif")
    #expect(forced.status == 0)
    #expect(try forced.decoded(Contract.Info.self).count == 1)
    #expect(try folder.read("plot.svg").count > 1000)
    #expect(try folder.names() == ["a.gif", "plot.svg"])
  }

  @Test("A file that cannot be written is named")
  func failing() async throws {
    let run = try await folder.gallop("info", "--plot", "none/plot.svg", "a.gif")
    #expect(run.status == 1)
    #expect(run.errors == "gallop: none/plot.svg: cannot be written: No such file or directory\n")
  }

  @Test("A bad file leaves no chart")
  func badFile() async throws {
    let run = try await folder.gallop("info", "--plot", "plot.svg", "missing.gif")
    #expect(run.status == 1)
    #expect(run.errorLines.count == 1)
    #expect(try folder.names() == ["a.gif"])
  }
}
