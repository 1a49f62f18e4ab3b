import ArgumentParser
import Foundation
import Testing

@testable import GallopCLI

@Suite("Output destinations")
struct OutputPlaceTests {
  private static let formats = OutputFormat.allCases.filter { $0 != .null }

  @Test("Standard output is a dash, and null writes nothing")
  func streams() throws {
    for format in Self.formats {
      #expect(try OutputDestination(format: format, output: "-", input: "a.gif") == .standardOutput)
    }
    for output in [nil, "-", "folder", "a.png"] {
      #expect(try OutputDestination(format: .null, output: output, input: "a.gif") == .discard)
    }
  }

  /// The paths of the frames 0 and 7 among several, and of frame 7 where it is the only one.
  private func paths(_ format: OutputFormat, _ output: String?, _ input: String = "x.gif") throws -> [String]
  {
    guard case .files(let names) = try OutputDestination(format: format, output: output, input: input) else {
      return []
    }
    return [
      names.path(frame: 0, index: 20, of: 2), names.path(frame: 7, index: 21, of: 2),
      names.path(frame: 7, index: 20, of: 1),
    ]
  }

  @Test(
    "Without an output files are named after the GIF, in the current folder; a single picture has no number",
    arguments: [
      (OutputFormat.png, ["x-0000.png", "x-0007.png", "x.png"]), (.rgba, ["x.rgba", "x.rgba", "x.rgba"]),
      (.bgra, ["x.bgra", "x.bgra", "x.bgra"]), (.y4m, ["x.y4m", "x.y4m", "x.y4m"]),
      (.sheet, ["x-sheet.png", "x-sheet.png", "x-sheet.png"]),
    ])
  func current(format: OutputFormat, expected: [String]) throws {
    for input in ["x.gif", "some/where/x.GIF", "https://example.org/a/x.gif?b=c"] {
      #expect(try paths(format, nil, input) == expected)
    }
  }

  @Test(
    "A folder that is there, or that ends in a slash, takes files",
    arguments: [("new/", "new/"), ("/tmp", "/tmp/"), ("/tmp/", "/tmp/"), ("p.png/", "p.png/")])
  func folders(output: String, prefix: String) throws {
    #expect(try paths(.png, output) == ["x-0000.png", "x-0007.png", "x.png"].map { prefix + $0 })
    #expect(try paths(.y4m, output)[0] == prefix + "x.y4m")
    #expect(try paths(.sheet, output)[0] == prefix + "x-sheet.png")
  }

  @Test("Streams are written to any other path; pictures only to a path with their extension, or a device")
  func oneFile() throws {
    for format in [OutputFormat.rgba, .bgra, .y4m] { #expect(try paths(format, "new")[0] == "new") }
    for format in [OutputFormat.png, .sheet] { #expect(try paths(format, "new.PNG")[0] == "new.PNG") }
    #expect(try paths(.png, "new")[0] == "new/x-0000.png")
    #expect(try paths(.sheet, "new")[0] == "new/x-sheet.png")
    #expect(try paths(.sheet, "/dev/null")[0] == "/dev/null")
  }

  @Test(
    "A pattern has the GIF's name, the frame's number and the picture's",
    arguments: [
      ("t/{name}.png", ["t/x.png", "t/x.png"]), ("{name}-{frame}.png", ["x-0000.png", "x-0007.png"]),
      ("{frame:1}.png", ["0.png", "7.png"]), ("{index:3}_{name}.png", ["020_x.png", "021_x.png"]),
      ("{name}/", ["x/x-0000.png", "x/x-0007.png"]), ("{name}/{frame}.png", ["x/0000.png", "x/0007.png"]),
      ("{name}", ["x/x-0000.png", "x/x-0007.png"]), ("{frame}", ["0000", "0007"]),
      ("f%03d.png", ["f000.png", "f007.png"]), ("%d", ["0", "7"]),
      ("a/%5d.png", ["a/    0.png", "a/    7.png"]),
      ("100%%-%02d.png", ["100%-00.png", "100%-07.png"]), ("{name}%02d.png", ["x00.png", "x07.png"]),
      ("100%.png", ["100%.png", "100%.png"]), ("%%.png", ["%%.png", "%%.png"]),
      ("%s.png", ["%s.png", "%s.png"]),
      ("%d%d.png", ["%d%d.png", "%d%d.png"]), ("%999d.png", ["%999d.png", "%999d.png"]),
      ("{}{1}{.png", ["{}{1}{.png", "{}{1}{.png"]), ("{{name}.png", ["{x.png", "{x.png"]),
    ])
  func patterns(pattern: String, expected: [String]) throws {
    #expect(try paths(.png, pattern).prefix(2) == expected[...])
  }

  @Test(
    "Unknown words in braces are refused, and a frame's number where one file has all",
    arguments: [
      (OutputFormat.png, "{nam}.png"), (.png, "{frame:0}.png"), (.png, "{frame:65}.png"),
      (.png, "{frame:x}.png"),
      (.png, "{name:3}.png"), (.png, "{width}.png"), (.y4m, "{frame}.y4m"), (.rgba, "{name}{frame}"),
    ])
  func wrongPatterns(format: OutputFormat, pattern: String) {
    #expect(throws: (any Error).self) { try paths(format, pattern) }
  }

  @Test("A name that would lead out of the folder does not", arguments: ["...gif", "a/..gif"])
  func dots(input: String) throws {
    #expect(try paths(.png, "out/{name}/{frame}.png", input)[0] == "out/gif/0000.png")
    #expect(try paths(.png, "out/{name}.png", "...gif")[0] == "out/...png")
  }

  @Test("Names that are too long are cut, and stay different", arguments: ["a", "é"])
  func longNames(letter: String) throws {
    let beginning = String(repeating: letter, count: 255 / letter.utf8.count - 1)
    let first = try paths(.png, "d/", beginning + "1")
    let second = try paths(.png, "d/", beginning + "2")
    for (one, other) in zip(first, second) {
      #expect(one != other)
      #expect(one.utf8.count <= 2 + 255 && one.utf8.count > 2 + 240)
      #expect(one.hasPrefix("d/" + beginning.prefix(100)) && one.hasSuffix(".png"))
    }
    let fitting = String(repeating: "a", count: 251)
    #expect(try paths(.png, nil, fitting + ".gif")[2] == fitting + ".png")
  }

  @Test("Patterns with the name or a count take several files, others do not")
  func severalFiles() throws {
    let inputs = ["a/x.gif", "b/y.gif"]
    for output in ["{name}.png", "{index}.png", "{name}/{frame}.png", "{name}/"] {
      try OutputDestination.check(format: .png, output: output, inputs: inputs)
    }
    for output in ["{frame}.png", "f%d.png"] {
      #expect(throws: (any Error).self) {
        try OutputDestination.check(format: .png, output: output, inputs: inputs)
      }
    }
    let twins = ["a/x.gif", "b/x.gif"]
    try OutputDestination.check(format: .y4m, output: "{index}.y4m", inputs: twins)
    #expect(throws: (any Error).self) {
      try OutputDestination.check(format: .y4m, output: "{name}.y4m", inputs: twins)
    }
  }

  @Test("Folders that are there have no places, even with braces and percent signs in their names")
  func existingFolders() throws {
    let folder = try TemporaryFolder()
    try folder.makeFolder("{x} %d")
    let there = folder.url.appending(path: "{x} %d").path + "/"
    #expect(try paths(.png, there + "p-{frame}.png")[1] == there + "p-0007.png")
    #expect(try paths(.png, there + "new/%d.png")[1] == there + "new/7.png")
    #expect(try paths(.png, there + "one.png")[1] == there + "one.png")
    #expect(throws: ValidationError.self) { try paths(.png, folder.url.path + "/{y}/{x}.png") }
  }

  @Test("A frame that is named twice is written once where its file is named after it")
  func twice() throws {
    let frames = [3, 1, 3, 2, 1]
    func chosen(_ output: String) throws -> [Int] {
      try OutputDestination(format: .png, output: output, input: "x.gif").frames(of: frames)
    }
    #expect(try chosen("new/") == [3, 1, 2])
    #expect(try chosen("{index}.png") == frames)
    #expect(try chosen("-") == frames)
  }

  @Test("Outputs that would overwrite each other are refused, others are not")
  func collisions() throws {
    let twins = ["a/x.gif", "b/x.gif"]
    for format in Self.formats {
      #expect(throws: (any Error).self) {
        try OutputDestination.check(format: format, output: nil, inputs: twins)
      }
      #expect(throws: (any Error).self) {
        try OutputDestination.check(
          format: format, output: "new." + (format.endings.first ?? ""), inputs: ["x.gif", "y.gif"])
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
