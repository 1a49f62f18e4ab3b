internal import ArgumentParser

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
