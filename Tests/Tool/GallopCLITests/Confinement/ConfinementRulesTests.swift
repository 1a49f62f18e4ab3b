import Foundation
import Testing

@testable import GallopCLI

@Suite("What a confined command may reach")
struct ConfinementRulesTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func path(_ name: String) -> String { folder.url.path + "/" + name }

  @Test("Files are read, folders are listed, URLs are counted; standard input and data take nothing")
  func inputs() {
    let rules = ConfinementRules(reading: [
      "a.gif", "-", folder.url.path, "https://host/b.gif", "data:image/gif;base64,R0lGODlh", "file:///c.gif",
    ])
    #expect(rules.readFiles == ["a.gif", "/c.gif"])
    #expect(rules.listedFolders == [folder.url.path])
    #expect(rules.lastURL == 4)
    #expect(rules.writtenFolders.isEmpty && rules.writtenFiles.isEmpty)
    #expect(ConfinementRules(reading: ["a.gif"]).lastURL == nil)
  }

  @Test("An output is written into its folder, each once")
  func folders() {
    var rules = ConfinementRules(reading: [])
    rules.write(path("one.webp"))
    rules.write(path("two.webp"))
    rules.writeInto(folder: "")
    rules.write("two.webp")
    #expect(rules.writtenFolders == [folder.url.path + "/", "."])
  }

  @Test("A link leads to the folder of its target, and a device is written itself")
  func links() throws {
    let manager = FileManager.default
    try manager.createDirectory(atPath: path("far"), withIntermediateDirectories: false)
    try manager.createSymbolicLink(atPath: path("link"), withDestinationPath: "far/film.webp")
    var rules = ConfinementRules(reading: [])
    rules.write(path("link"))
    rules.write("/dev/null")
    #expect(rules.writtenFolders == [path("far/")])
    #expect(rules.writtenFiles == ["/dev/null"])
  }

  @Test(
    "The folder that all outputs have in common is made, and no other is written",
    arguments: [
      ("x/{name}/{frame}.png", "x/"), ("x/{frame}/y.png", "x/"), ("x/y/", "x/y/"), ("{frame}.png", ""),
      ("x-{name}/{frame}.png", ""),
    ])
  func outputs(output: String, expected: String) throws {
    var rules = ConfinementRules(reading: [])
    let inputs = ["a.gif", "b.gif"]
    try OutputDestination.allow(inputs, format: .png, output: path(output), in: &rules)
    #expect(rules.writtenFolders == [path(expected)])
    #expect(OutputFile.isDirectory(path(expected)))
    #expect(!OutputFile.exists(path("x/a")))
  }

  @Test("A path that is given in full makes no folder; links of single pictures are followed")
  func fullPaths() throws {
    var rules = ConfinementRules(reading: [])
    try OutputDestination.allow(["a.gif"], format: .png, output: path("none/one.png"), in: &rules)
    #expect(!OutputFile.exists(path("none")))
    let manager = FileManager.default
    try manager.createDirectory(atPath: path("far"), withIntermediateDirectories: false)
    try manager.createSymbolicLink(atPath: path("a.png"), withDestinationPath: "far/a.png")
    rules = ConfinementRules(reading: [])
    try OutputDestination.allow(["a.gif", "b.gif"], format: .png, output: folder.url.path, in: &rules)
    #expect(rules.writtenFolders == [folder.url.path + "/", path("far/")])
    rules = ConfinementRules(reading: [])
    for output in ["-", nil] {
      try OutputDestination.allow(
        ["a.gif"], format: output == nil ? .null : .rgba, output: output, in: &rules)
    }
    #expect(rules.allPaths.isEmpty)
  }
}
