import Testing

@testable import GallopCLI

@Suite("Output destinations")
struct OutputPlaceTests {
  private static let formats = OutputFormat.allCases.filter { $0 != .null }

  @Test("Standard output is a dash, and null writes nothing")
  func streams() {
    for format in Self.formats {
      #expect(OutputDestination(format: format, output: "-", input: "a.gif") == .standardOutput)
    }
    for output in [nil, "-", "folder", "a.png"] {
      #expect(OutputDestination(format: .null, output: output, input: "a.gif") == .discard)
    }
  }

  @Test(
    "Without an output files are named after the GIF, in the current folder",
    arguments: [
      (OutputFormat.png, OutputDestination.numberedFiles(NumberedName(stem: "x"))), (.rgba, .file("x.rgba")),
      (.bgra, .file("x.bgra")), (.y4m, .file("x.y4m")), (.sheet, .file("x-sheet.png")),
    ])
  func current(format: OutputFormat, expected: OutputDestination) {
    for input in ["x.gif", "some/where/x.GIF", "https://example.org/a/x.gif?b=c"] {
      #expect(OutputDestination(format: format, output: nil, input: input) == expected)
    }
  }

  @Test(
    "A folder that is there, or that ends in a slash, takes files",
    arguments: [("new/", "new/"), ("/tmp", "/tmp/"), ("/tmp/", "/tmp/"), ("p.png/", "p.png/")])
  func folders(output: String, prefix: String) {
    #expect(
      OutputDestination(format: .png, output: output, input: "x.gif")
        == .numberedFiles(NumberedName(stem: prefix + "x")))
    #expect(OutputDestination(format: .y4m, output: output, input: "x.gif") == .file(prefix + "x.y4m"))
    #expect(
      OutputDestination(format: .sheet, output: output, input: "x.gif") == .file(prefix + "x-sheet.png"))
  }

  @Test("Streams are written to any other path; pictures only to a path with their extension, or a device")
  func oneFile() {
    for format in [OutputFormat.rgba, .bgra, .y4m] {
      #expect(OutputDestination(format: format, output: "new", input: "x.gif") == .file("new"))
    }
    for format in [OutputFormat.png, .sheet] {
      #expect(OutputDestination(format: format, output: "new.PNG", input: "x.gif") == .file("new.PNG"))
    }
    #expect(
      OutputDestination(format: .png, output: "new", input: "x.gif")
        == .numberedFiles(NumberedName(stem: "new/x")))
    #expect(OutputDestination(format: .sheet, output: "new", input: "x.gif") == .file("new/x-sheet.png"))
    #expect(OutputDestination(format: .sheet, output: "/dev/null", input: "x.gif") == .file("/dev/null"))
  }

  @Test("Outputs that would overwrite each other are refused, others are not")
  func collisions() throws {
    let twins = ["a/x.gif", "b/x.gif"]
    for format in Self.formats {
      #expect(throws: (any Error).self) {
        try OutputDestination.check(format: format, output: nil, inputs: twins)
      }
      #expect(throws: (any Error).self) {
        try OutputDestination.check(format: format, output: "new.png", inputs: ["x.gif", "y.gif"])
      }
      try OutputDestination.check(format: format, output: "/tmp", inputs: ["a/x.gif", "b/y.gif"])
      try OutputDestination.check(format: format, output: "-", inputs: ["a/x.gif"])
    }
    try OutputDestination.check(format: .null, output: nil, inputs: twins)
    try OutputDestination.check(format: .rgba, output: "-", inputs: twins)
    #expect(throws: (any Error).self) {
      try OutputDestination.check(format: .y4m, output: "-", inputs: twins)
    }
  }
}
