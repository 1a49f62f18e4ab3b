import ArgumentParser
import Foundation
import Testing

@testable import GIFStage
@testable import GallopCLI

@Suite("Texts about keys")
struct KeyTextTests {
  private static let articles = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().appending(path: "../../../../Sources/Engine/Gallop/Gallop.docc")

  private func article(_ name: String) throws -> String {
    try String(contentsOf: Self.articles.appending(path: name), encoding: .utf8)
  }

  /// The keys that a text names as people do.
  private func keys(_ text: String) -> [StageKey] {
    text.split(separator: ",").flatMap { $0.split(separator: " or ") }.flatMap { part -> [StageKey] in
      let word = part.trimmingCharacters(in: .whitespaces)
      let names = ["comma": ",", "period": "."]
      if word == "arrows" { return [.left, .right, .up, .down] }
      return SceneKey.all.flatMap(\.keys).filter { $0.description == names[word] ?? word }
    }
  }

  @Test("The article about the terminal has all its keys, and no others")
  func terminal() throws {
    let text = try article("Terminal.md")
    let table = try #require(text.components(separatedBy: "## Keys and mouse").last)
    let rows = table.components(separatedBy: "\n\n")[1].split(separator: "\n").dropFirst(2)
    let cells = rows.compactMap { $0.split(separator: "|").first }
    #expect(Set(cells.flatMap { keys(String($0)) }) == Set(SceneKey.ofTerminal.flatMap(\.keys)))
    for cell in cells {
      let words = cell.split(separator: ",").flatMap { $0.split(separator: " or ") }
      for word in words where !word.contains("wheel") { #expect(!keys(String(word)).isEmpty, "\(word)") }
    }
  }

  @Test("The article about the window has the keys that the terminal has not")
  func window() throws {
    let text = try article("Window.md")
    for line in SceneKey.all where !line.isInTerminal { #expect(text.contains(line.names)) }
  }

  @Test("The help of gallop play has a line for each, and says which only windows have")
  func help() {
    let help = PlayCommand.helpMessage(columns: 100)
    for line in SceneKey.all {
      #expect(help.contains("  \(line.names) ") && help.contains(" \(line.action)"))
    }
    #expect(help.contains("F11        full screen (in a window)"))
  }
}
