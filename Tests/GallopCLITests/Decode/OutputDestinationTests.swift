import Testing

@testable import GallopCLI

@Suite("Places of output")
struct OutputPlaceTests {
  private static let formats = DecodeCommand.Format.allCases.filter { $0 != .null }

  @Test("Standard output is a dash, and null goes nowhere")
  func streams() {
    for format in Self.formats {
      #expect(OutputPlace(format: format, output: "-", input: "a.gif") == .standardOutput)
    }
    for output in [nil, "-", "folder", "a.png"] {
      #expect(OutputPlace(format: .null, output: output, input: "a.gif") == .nowhere)
    }
  }

  @Test(
    "Without an output files are named after the GIF, in the current folder",
    arguments: [
      (DecodeCommand.Format.png, OutputPlace.numberedFiles("x")), (.rgba, .file("x.rgba")),
      (.bgra, .file("x.bgra")), (.y4m, .file("x.y4m")), (.sheet, .file("x-sheet.png")),
    ])
  func current(format: DecodeCommand.Format, expected: OutputPlace) {
    for input in ["x.gif", "some/where/x.GIF", "https://example.org/a/x.gif?b=c"] {
      #expect(OutputPlace(format: format, output: nil, input: input) == expected)
    }
  }

  @Test(
    "A folder that is there, or that ends in a slash, takes files",
    arguments: [("new/", "new/"), ("/tmp", "/tmp/"), ("/tmp/", "/tmp/"), ("p.png/", "p.png/")])
  func folders(output: String, prefix: String) {
    #expect(OutputPlace(format: .png, output: output, input: "x.gif") == .numberedFiles(prefix + "x"))
    #expect(OutputPlace(format: .y4m, output: output, input: "x.gif") == .file(prefix + "x.y4m"))
    #expect(OutputPlace(format: .sheet, output: output, input: "x.gif") == .file(prefix + "x-sheet.png"))
  }

  @Test("Streams go into any other path; pictures only into one that says so, or a device")
  func oneFile() {
    for format in [DecodeCommand.Format.rgba, .bgra, .y4m] {
      #expect(OutputPlace(format: format, output: "new", input: "x.gif") == .file("new"))
    }
    for format in [DecodeCommand.Format.png, .sheet] {
      #expect(OutputPlace(format: format, output: "new.PNG", input: "x.gif") == .file("new.PNG"))
    }
    #expect(OutputPlace(format: .png, output: "new", input: "x.gif") == .numberedFiles("new/x"))
    #expect(OutputPlace(format: .sheet, output: "new", input: "x.gif") == .file("new/x-sheet.png"))
    #expect(OutputPlace(format: .sheet, output: "/dev/null", input: "x.gif") == .file("/dev/null"))
  }

  @Test("Outputs that would take each other's place are refused, others not")
  func collisions() throws {
    let twins = ["a/x.gif", "b/x.gif"]
    for format in Self.formats {
      #expect(throws: (any Error).self) {
        try OutputPlace.check(format: format, output: nil, inputs: twins)
      }
      #expect(throws: (any Error).self) {
        try OutputPlace.check(format: format, output: "new.png", inputs: ["x.gif", "y.gif"])
      }
      try OutputPlace.check(format: format, output: "/tmp", inputs: ["a/x.gif", "b/y.gif"])
      try OutputPlace.check(format: format, output: "-", inputs: ["a/x.gif"])
    }
    try OutputPlace.check(format: .null, output: nil, inputs: twins)
    try OutputPlace.check(format: .rgba, output: "-", inputs: twins)
    #expect(throws: (any Error).self) { try OutputPlace.check(format: .y4m, output: "-", inputs: twins) }
  }
}
