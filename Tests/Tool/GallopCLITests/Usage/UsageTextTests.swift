import ArgumentParser
import Testing

@testable import GallopCLI

@Suite("Words of the usage")
struct UsageTextTests {
  // MARK: Spelling

  @Test(
    "A mistyped word is known by its letters, or by its beginning",
    arguments: [
      ("ifno", "info"), ("infos", "info"), ("decod", "decode"), ("dceode", "decode"), ("paly", "play"),
      ("dec", "decode"), ("bnch", "bench"), ("zzzz", nil), ("", nil), ("i", nil), ("folder", nil),
    ])
  func nearest(word: String, expected: String?) {
    #expect(Spelling.nearest(to: word, in: ["info", "decode", "play", "bench", "help"]) == expected)
  }

  @Test(
    "A distance counts letters that are added, removed, replaced or swapped",
    arguments: [
      ("", "", 0), ("a", "", 1), ("ab", "ba", 1), ("abc", "axc", 1), ("abcd", "badc", 2),
      ("kitten", "sitting", 3),
    ])
  func distance(first: String, second: String, expected: Int) {
    #expect(Spelling.distance(Array(first), Array(second)) == expected)
    #expect(Spelling.distance(Array(second), Array(first)) == expected)
  }

  @Test(
    "A line break of an argument never begins a line of a message",
    arguments: ["a\nb", "--speed=a\nb", "--a\nb", "a\nb=c"])
  func lineBreaks(argument: String) {
    let quoted = argument.hasPrefix("--speed=") ? "a\nb" : argument
    let message = UsageMessage.text(
      "Error: The value '\(quoted)' is invalid\nUsage: gallop", arguments: ["play", argument])
    #expect(message.split(separator: "\n").count == 2)
    #expect(message.contains("a\\nb"))
  }

  @Test("A file whose name begins with a dash is no set of options")
  func dashedNames() throws {
    for name in ["-dash.gif", "-h.GIF"] {
      #expect(throws: ValidationError.self) { try DashedName.check(["info", name]) }
      try DashedName.check(["info", "--", name])
      try DashedName.check(["info", "./" + name])
    }
    try DashedName.check(["-", "--output=a.gif", "-o", "a.gif", "x.gif"])
  }

  // MARK: A file without a command

  @Test(
    "What can be played needs no command",
    arguments: [
      ["film.gif"], ["film.gif", "--window"], ["--window", "film.gif"], ["--speed", "2", "film.gif"], ["-"],
      ["http://host/film.gif"], ["data:image/gif;base64,x"],
    ])
  func playable(arguments: [String]) {
    #expect(PlayShorthand.completed(arguments) { $0 == "film.gif" } == ["play"] + arguments)
  }

  @Test(
    "Commands, mistyped ones, help and nothing stay as they are",
    arguments: [
      [], ["info", "film.gif"], ["ifno", "film.gif"], ["--help"], ["-h", "film.gif"], ["--version"],
      ["missing.gif"],
      ["--window"], ["--unknown", "missing.gif"], ["help", "film.gif"],
      ["--generate-completion-script=zsh", "film.gif"],
    ])
  func others(arguments: [String]) {
    #expect(PlayShorthand.completed(arguments) { $0 == "film.gif" } == arguments)
  }

  // MARK: Help

  @Test("Explanations and then titled sections come behind the options, limits last")
  func arranged() {
    let help = """
      OVERVIEW: Shows files.

      First words.

      Second words:
      with two lines.

      USAGE: tool show

      ARGUMENTS:
        <file>

      LIMITS:
        --most

      READING:
        --how

      OPTIONS:
        --force

      """
    #expect(
      HelpText.arranged(help) == """
        Shows files.

        USAGE: tool show

        ARGUMENTS:
          <file>

        OPTIONS:
          --force

        NOTES:
        First words.

        Second words:
        with two lines.

        READING:
          --how

        LIMITS:
          --most
        """)
  }

  @Test("Every command has examples, which it understands")
  func examples() throws {
    let tool = try #require(ToolHelp.standard)
    #expect(UsageExamples.all.map(\.command) == tool.command.leaves.map { $0.names.joined(separator: " ") })
    for (command, examples) in UsageExamples.all {
      let section = try #require(UsageExamples.section(for: "\(command) [<options>] <files> ..."))
      for (line, meaning) in examples {
        #expect(section.contains("  \(line)   ") && section.contains(meaning))
        // Quotes hold the only spaces inside words.
        let parts = line.split(separator: "'", omittingEmptySubsequences: false).enumerated()
        let words = parts.flatMap { place, part in
          place.isMultiple(of: 2) ? part.split(separator: " ").map(String.init) : [String(part)]
        }
        #expect(words.first == "gallop" && line.hasPrefix(command + " "))
        _ = try GallopCommand.parseAsRoot(Array(words.dropFirst()))
      }
    }
  }

  @Test("Other text stays as it is", arguments: ["0.1.0", "", "#compdef gallop\n\nUSAGE: x"])
  func otherText(text: String) { #expect(HelpText.arranged(text) == text) }

  @Test("Every name in the tables of suggestions is an option or command of the tool")
  func tables() throws {
    let tool = try #require(ToolHelp.standard)
    #expect(tool.command.leaves.map { $0.names.joined(separator: " ") }.contains("gallop bench decode"))
    for (command, options, hint) in OptionSuggestion.words {
      let help = tool.command(of: [command])
      #expect(help.commandName == command)
      for option in options { #expect(!help.optionNames.contains(option), "\(command) \(option)") }
      guard let start = hint.firstIndex(of: "'") else { continue }
      let name = hint[hint.index(after: start)...].prefix { $0 != "'" && $0 != " " }
      #expect(help.optionNames.contains(String(name)), "\(command): \(name)")
    }
  }

  // MARK: The manual page

  private static func page() -> ManualPage {
    let show = CommandHelp(
      commandName: "show", abstract: "Shows a file.", discussion: "First.\n\n.Second.\n\n  a  b\n  c  d",
      arguments: [
        ArgumentHelpText(kind: "option", sectionTitle: "Limits", names: [.init(kind: "long", name: "most")]),
        ArgumentHelpText(
          kind: "option", names: [.init(kind: "long", name: "mode"), .init(kind: "short", name: "m")],
          valueName: "mode", defaultValue: "a", allValues: ["a", "b"], abstract: "The mode."),
        ArgumentHelpText(kind: "flag", shouldDisplay: false, names: [.init(kind: "long", name: "secret")]),
        ArgumentHelpText(kind: "positional", valueName: "files", isRepeating: true, abstract: "Files."),
      ])
    let help = CommandHelp(commandName: "help", abstract: "Helps.")
    let tool = ToolHelp(command: CommandHelp(commandName: "tool", subcommands: [show, help]))
    return ManualPage(tool: tool, version: "1.2", date: "1970-01-02")
  }

  @Test("A page has each command with its operands, options and values; limits come last")
  func manualPage() {
    let text = Self.page().text
    #expect(text.hasPrefix(".TH GALLOP 1 \"1970-01-02\" \"gallop 1.2\""))
    #expect(text.contains(".B tool show\n[options] \\fIFILES\\fR...\n"))
    #expect(
      text.contains(
        ".TP\n\\fB\\-\\-mode\\fR, \\fB\\-m\\fR \\fImode\\fR\nThe mode. (values: a, b; default: a)\n"))
    #expect(text.contains(".PP\nFirst.\n.PP\n\\&.Second.\n.PP\n.nf\n  a  b\n  c  d\n.fi\n"))
    #expect(!text.contains("secret") && !text.contains("Helps."))
    let places = ["\\fIfiles\\fR\nFiles", "\\-\\-mode", "\\-\\-most"].compactMap {
      text.firstRange(of: $0)?.lowerBound
    }
    #expect(places.count == 3 && places == places.sorted())
  }

  @Test("Text has no meaning for troff")
  func escapes() {
    #expect(ManualPage.escaped("a\\b -c 'd' `e` ~f") == "a\\eb \\-c \\(aqd\\(aq \\(gae\\(ga \\(tif")
    #expect(ManualPage.escaped(".x") == "\\&.x")
  }
}
