internal import ArgumentParser

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// What the argument parser knows of the tool, in the form in which it dumps its help.
struct ToolHelp: Decodable {
  var command: CommandHelp

  /// The tool's own; nil if the parser has changed its form.
  static let standard: ToolHelp? = try? JSONDecoder().decode(
    ToolHelp.self, from: Data(GallopCommand._dumpHelp().utf8))

  /// The command that the first arguments name.
  func command(of arguments: [String]) -> CommandHelp {
    var found = command
    for argument in arguments {
      guard let next = found.subcommands?.first(where: { $0.commandName == argument }) else { break }
      found = next
    }
    return found
  }

  /// The names of the commands that have an option, such as `gallop info`.
  func commands(with option: String) -> [String] {
    command.leaves.filter { $0.command.optionNames.contains(option) }.map { $0.names.joined(separator: " ") }
  }
}

/// A command's help.
struct CommandHelp: Decodable {
  var commandName: String
  var abstract: String?
  var discussion: String?
  var subcommands: [CommandHelp]?
  var arguments: [ArgumentHelpText]?

  /// The commands without commands below them, each with its whole name.
  var leaves: [(names: [String], command: CommandHelp)] {
    let below = (subcommands ?? []).filter { $0.commandName != "help" }
    guard !below.isEmpty else { return [([commandName], self)] }
    return below.flatMap(\.leaves).map { ([commandName] + $0.names, $0.command) }
  }

  /// The names of all options, with their dashes.
  var optionNames: [String] { (arguments ?? []).filter { $0.shouldDisplay != false }.flatMap(\.optionNames) }
}

/// The help of an option or operand.
struct ArgumentHelpText: Decodable {
  struct Name: Decodable {
    var kind: String
    var name: String
  }

  /// `positional`, `option` or `flag`.
  var kind: String
  var shouldDisplay: Bool?
  var sectionTitle: String?
  var names: [Name]?
  var valueName: String?
  var isRepeating: Bool?
  var defaultValue: String?
  var allValues: [String]?
  var abstract: String?

  var optionNames: [String] { (names ?? []).map { ($0.kind == "long" ? "--" : "-") + $0.name } }
}
