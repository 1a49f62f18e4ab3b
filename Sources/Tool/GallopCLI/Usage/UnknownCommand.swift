internal import ArgumentParser

/// The refusal of a file whose name begins with a dash: as options, its letters may mean anything, such as
/// help.
enum DashedName {
  static func check(_ arguments: [String]) throws {
    for argument in arguments.prefix(while: { $0 != "--" }) where isDashedName(argument) {
      throw ValidationError(
        "'\(argument)' begins with a dash, as options do; './\(argument)' names the file.")
    }
  }

  private static func isDashedName(_ argument: String) -> Bool {
    PlayShorthand.isOption(argument) && !argument.hasPrefix("--") && argument.lowercased().hasSuffix(".gif")
  }
}

/// The refusal of a first argument that is neither a command nor a file.
enum UnknownCommand {
  static func check(_ arguments: [String]) throws {
    let words = arguments.first == "help" ? arguments.dropFirst() : arguments[...]
    guard let first = words.first, !PlayShorthand.isOption(first), !CommandNames.all.contains(first) else {
      return
    }
    throw ValidationError(message(for: first))
  }

  /// What is wrong, and what may be meant.
  static func message(for word: String) -> String {
    // A name that looks like a file's, or a URL that cannot be read.
    if word.contains(".") || word.contains("/") {
      return
        "'\(word)' is neither a command nor a file. gallop play FILE plays a GIF, gallop info FILE describes it."
    }
    guard
      let meant = CommandNames.command(for: word)
        ?? Spelling.nearest(to: word.lowercased(), in: CommandNames.all)
    else {
      return
        "'\(word)' is neither a command nor a file. The commands are \(CommandNames.all.joined(separator: ", "))."
    }
    return "Unknown command '\(word)'. Did you mean '\(meant)'?"
  }
}
