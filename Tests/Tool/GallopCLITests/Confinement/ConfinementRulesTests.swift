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

  @Test("An output is written into its folder, or into the one that is there, each once")
  func folders() {
    var rules = ConfinementRules(reading: [])
    rules.write(path("one.webp"))
    rules.writeInto(folder: path("not/yet/"))
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
    "The folder of an output is that of all its pictures",
    arguments: [
      (OutputFormat.png, "x/{name}/{frame}.png", "x/film/"), (.png, "x/{frame}/y.png", "x/"),
      (.png, "x/", "x/"),
      (.png, "{frame}.png", ""), (.rgba, "x/film.rgba", "x/"),
    ])
  func outputs(format: OutputFormat, output: String, expected: String) throws {
    let destination = try OutputDestination(format: format, output: output, input: "film.gif")
    guard case .files(let names) = destination else {
      Issue.record("\(destination)")
      return
    }
    #expect(names.folder == expected)
  }
}
