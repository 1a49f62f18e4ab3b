import Testing

@Suite("Inputs of the same name", .serialized, .timeLimit(.minutes(20)))
struct SameNameTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    for name in ["a", "b"] {
      try folder.makeFolder(name)
      try folder.write(Fixture.finite.bytes, to: name + "/x.gif")
    }
  }

  @Test(
    "are refused before anything is written, with --force or without",
    arguments: [("png", "x-0000.png"), ("rgba", "x.rgba"), ("y4m", "x.y4m"), ("sheet", "x-sheet.png")],
    [true, false])
  func refused(format: (name: String, file: String), isForced: Bool) async throws {
    let run = try await folder.gallop(
      ["decode", "--format", format.name, "--output", "out/"] + (isForced ? ["--force"] : []) + [
        "a/x.gif", "b/x.gif",
      ])
    #expect(run.status == 64)
    #expect(
      run.errors.contains("Error: 'a/x.gif' and 'b/x.gif' would both become out/\(format.file); {index}"))
    #expect(try folder.names() == ["a", "b"])
  }

  @Test("are accepted if no output is named after them", arguments: ["null", "rgba", "png", "sheet"])
  func harmless(format: String) async throws {
    let run = try await folder.gallop("decode", "--format", format, "--output", "-", "a/x.gif", "b/x.gif")
    #expect(run.status == 0)
    #expect(try folder.names() == ["a", "b"])
  }
}
