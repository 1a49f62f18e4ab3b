internal import Gallop

/// `gallop film.gif` plays it: the command may be left out where the arguments name something to play.
enum PlayShorthand {
  /// The arguments with `play` before them, if they name no command but a file, a folder, a URL or standard
  /// input.
  ///
  /// - Parameter exists: whether there is something at a path.
  static func completed(
    _ arguments: [String], exists: (String) -> Bool = OutputFile.exists
  ) -> [String] {
    guard let first = arguments.first, !isOfGallop(first) else { return arguments }
    // An operand in front is a file, or else a mistyped command. Behind options the file may stand anywhere.
    let candidates = isOption(first) ? arguments[1...] : arguments[..<1]
    return candidates.contains { isPlayable($0, exists) } ? ["play"] + arguments : arguments
  }

  static func isOption(_ argument: String) -> Bool {
    argument.hasPrefix("-") && argument != InputFiles.standardInput
  }

  /// Whether an argument is a command, or an option that needs none.
  private static func isOfGallop(_ argument: String) -> Bool {
    CommandNames.all.contains(argument)
      || ["-h", "--help", "--version", "--generate-completion-script", "--experimental-dump-help"].contains {
        argument == $0 || argument.hasPrefix($0 + "=")
      }
  }

  private static func isPlayable(_ argument: String, _ exists: (String) -> Bool) -> Bool {
    guard !isOption(argument) else { return false }
    if argument == InputFiles.standardInput { return true }
    guard let source = try? GIFSource(argument) else { return false }
    return source.path.map(exists) ?? true
  }
}
