/// The manual page, gallop(1), written from what the tool itself says of its commands.
struct ManualPage {
  let tool: ToolHelp
  let version: String
  /// As in `2026-11-24`.
  let date: String

  /// The page in the language of `man`.
  var text: String {
    let leaves = tool.command.leaves
    var lines = [
      ".TH GALLOP 1 \"\(date)\" \"gallop \(Self.escaped(version))\" \"User Commands\"", ".SH NAME",
      "gallop \\- inspects, decodes, plays and measures animated GIFs", ".SH SYNOPSIS",
      ".B gallop", "\\fIFILE\\fR", ".br",
    ]
    for leaf in leaves {
      lines += [
        ".B \(Self.escaped(leaf.names.joined(separator: " ")))", "[options] \(Self.operands(leaf.command))",
        ".br",
      ]
    }
    lines += [".SH DESCRIPTION"] + Self.paragraphs(tool.command.abstract ?? "")
    for leaf in leaves {
      lines += [".SH \(Self.escaped(leaf.names.dropFirst().joined(separator: " ")).uppercased())"]
      lines += Self.paragraphs(leaf.command.abstract ?? "")
      lines += Self.paragraphs(leaf.command.discussion ?? "", follows: true)
      for argument in Self.arranged(leaf.command.arguments ?? []) {
        lines += [".TP", Self.term(argument)] + Self.paragraphs(Self.meaning(argument))
      }
    }
    return lines.joined(separator: "\n") + "\n" + ManualEnding.text
  }

  /// Operands and a command's own options come first, limits last.
  private static func arranged(_ arguments: [ArgumentHelpText]) -> [ArgumentHelpText] {
    let shown = arguments.filter { $0.shouldDisplay != false }
    func isLate(_ argument: ArgumentHelpText) -> Bool {
      HelpText.lateSections.contains(argument.sectionTitle?.uppercased() ?? "")
    }
    let late = HelpText.lateSections.flatMap { title in
      shown.filter { $0.sectionTitle?.uppercased() == title }
    }
    let operands = shown.filter { $0.kind == "positional" }
    return operands + shown.filter { $0.kind != "positional" && !isLate($0) } + late
  }

  private static func operands(_ command: CommandHelp) -> String {
    (command.arguments ?? []).filter { $0.kind == "positional" }.map {
      "\\fI\(escaped(($0.valueName ?? "file").uppercased()))\\fR" + ($0.isRepeating == true ? "..." : "")
    }.joined(separator: " ")
  }

  /// The names of an option and of its value.
  private static func term(_ argument: ArgumentHelpText) -> String {
    let value = "\\fI\(escaped(argument.valueName ?? ""))\\fR"
    if argument.kind == "positional" { return value }
    let names = argument.optionNames.map { "\\fB\(escaped($0))\\fR" }.joined(separator: ", ")
    return names + (argument.kind == "option" ? " \(value)" : "")
  }

  private static func meaning(_ argument: ArgumentHelpText) -> String {
    var notes: [String] = []
    if let values = argument.allValues, !values.isEmpty {
      notes.append("values: \(values.joined(separator: ", "))")
    }
    if let value = argument.defaultValue { notes.append("default: \(value)") }
    let note = notes.isEmpty ? "" : "(\(notes.joined(separator: "; ")))"
    return [argument.abstract ?? "", note].filter { !$0.isEmpty }.joined(separator: " ")
  }

  /// - Parameter follows: whether text stands before the first paragraph.
  private static func paragraphs(_ text: String, follows: Bool = false) -> [String] {
    var lines: [String] = []
    for part in text.paragraphs where !part.isEmpty {
      if follows || !lines.isEmpty { lines.append(".PP") }
      // Lines that are indented are a table.
      guard !part.hasPrefix("  ") else {
        lines += [".nf"] + part.split(separator: "\n").map { escaped(String($0)) } + [".fi"]
        continue
      }
      lines.append(escaped(part.split(whereSeparator: \.isWhitespace).joined(separator: " ")))
    }
    return lines
  }

  /// Text for troff: no backslash, hyphen, dot or quote has a meaning of its own.
  static func escaped(_ text: String) -> String {
    var result = ""
    for character in text {
      switch character {
      case "\\": result += "\\e"
      case "-": result += "\\-"
      case "'": result += "\\(aq"
      case "`": result += "\\(ga"
      case "~": result += "\\(ti"
      default: result.append(character)
      }
    }
    return result.hasPrefix(".") ? "\\&" + result : result
  }
}

extension String {
  /// The parts between empty lines.
  fileprivate var paragraphs: [String] {
    var parts: [String] = []
    var rest = self[...]
    while let gap = rest.firstRange(of: "\n\n") {
      parts.append(String(rest[..<gap.lowerBound]))
      rest = rest[gap.upperBound...]
    }
    return parts + [String(rest)]
  }
}
