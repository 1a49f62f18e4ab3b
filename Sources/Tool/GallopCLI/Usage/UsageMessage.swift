/// The parser's messages about wrong usage, with suggestions that make sense.
enum UsageMessage {
  /// A message with another suggestion for an unknown option, and without line breaks of arguments that it
  /// quotes.
  ///
  /// The parser suggests any name of about the same length.
  static func text(_ message: String, arguments: [String]) -> String {
    withSuggestion(withoutBreaks(message, quoting: arguments), arguments)
  }

  /// A message in which no argument begins a line of its own, as if the tool had written it.
  private static func withoutBreaks(_ message: String, quoting arguments: [String]) -> String {
    let quoted = arguments.flatMap { [$0[...], $0.split(separator: "=", maxSplits: 1).last ?? ""] }
      .filter { $0.unicodeScalars.contains("\n") && !$0.unicodeScalars.allSatisfy { $0 == "\n" } }
    // By scalars: a mark at the start of an argument combines with the quote before it.
    return quoted.reduce(message) { message, argument in
      let shown = Printable.text(String(argument)).unicodeScalars
      return String(
        String.UnicodeScalarView(message.unicodeScalars.replacing(argument.unicodeScalars, with: shown)))
    }
  }

  private static func withSuggestion(_ message: String, _ arguments: [String]) -> String {
    let marker = "Unknown option '"
    guard let start = message.firstRange(of: marker)?.upperBound,
      let end = message[start...].firstIndex(of: "'"),
      let command = ToolHelp.standard?.command(of: arguments)
    else { return message }
    let option = String(message[start..<end])
    let rest = message[end...]
    let lineEnd = rest.firstIndex(of: "\n") ?? rest.endIndex
    let hint = OptionSuggestion.text(for: option, of: command, in: ToolHelp.standard)
    return message[...end] + (hint.map { ". \($0)" } ?? "") + message[lineEnd...]
  }
}

/// What an unknown option may mean.
enum OptionSuggestion {
  static func text(for option: String, of command: CommandHelp, in tool: ToolHelp?) -> String? {
    let names = command.optionNames
    if let word = meaning(of: option, in: command.commandName) { return word }
    if let nearest = Spelling.nearest(to: option, in: names.filter { $0.hasPrefix("--") }) {
      return "Did you mean '\(nearest)'?"
    }
    let others = tool?.commands(with: option) ?? []
    guard !others.isEmpty else { return nil }
    return "It is an option of \(others.joined(separator: ", "))."
  }

  /// The option for a word of other tools.
  private static func meaning(of option: String, in command: String) -> String? {
    guard let words = words.first(where: { $0.command == command && $0.words.contains(option) }) else {
      return nil
    }
    return words.hint
  }

  /// Options of other tools, and hints.
  static let words: [(command: String, words: Set<String>, hint: String)] = [
    (
      "decode", ["--out", "--outdir", "--out-dir", "--output-dir", "--dest", "-d"], "Did you mean '--output'?"
    ),
    ("decode", ["--scale", "--width", "--height", "--resize", "-s"], "Did you mean '--size'?"),
    ("decode", ["--rate"], "A video (--format y4m) keeps every delay as it is."),
    ("decode", ["--overwrite", "-y", "-f"], "Did you mean '--force'?"),
    ("decode", ["--threads", "-j"], "Did you mean '--jobs'?"),
    ("decode", ["--start", "--end", "--from", "--to", "--ss"], "Did you mean '--frames'?"),
    ("play", ["--loop", "--repeat", "--count"], "Did you mean '--loops'?"),
    ("play", ["--fps", "--rate"], "Did you mean '--speed'?"),
    (
      "play", ["--fullscreen", "--full-screen", "--fs", "-f"], "F11 fills the screen, in a window (--window)."
    ),
    ("play", ["--time", "--duration", "-t"], "Did you mean '--seconds'?"),
    ("play", ["--scale", "--fit", "--zoom"], "Did you mean '--resize-mode'?"),
    ("play", ["--reverse", "--backwards"], "Did you mean '--mode reverse'?"),
    ("play", ["--stats", "--overlay"], "Did you mean '--debug'?"),
    ("info", ["--verbose", "-v", "--all", "-a", "--details"], "Did you mean '--frames'?"),
    ("info", ["--template", "--print", "-f"], "Did you mean '--format'?"),
    ("info", ["--fast", "--quick"], "Did you mean '--index-only'?"),
  ]
}
