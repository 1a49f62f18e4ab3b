internal import ArgumentParser

/// The commands, and what people call them who come from other tools.
enum CommandNames {
  /// The names of all commands.
  static let all = GallopCommand.configuration.subcommands.map { $0._commandName } + ["help"]

  /// The command for a word of other tools; nil without one.
  static func command(for word: String) -> String? {
    guard let command = words.first(where: { $0.words.contains(word.lowercased()) })?.command else {
      return nil
    }
    return all.contains(command) ? command : nil
  }

  private static let words: [(command: String, words: Set<String>)] = [
    (
      "info",
      ["identify", "probe", "inspect", "show-info", "stat", "list", "ls", "metadata", "describe", "about"]
    ),
    (
      "decode",
      ["convert", "export", "extract", "explode", "unpack", "split", "frames", "render", "dump", "save"]
    ),
    ("play", ["show", "view", "open", "display", "watch", "run", "animate", "loop"]),
    (
      "edit",
      ["optimize", "optimise", "crop", "trim", "cut", "reverse", "merge", "resize", "write", "encode"]
    ),
    ("compare", ["diff", "cmp"]),
    ("bench", ["benchmark", "measure", "time", "perf"]),
    ("help", ["man", "manual", "usage"]),
  ]
}
