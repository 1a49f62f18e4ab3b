internal import ArgumentParser
internal import Glibc

/// The manual page, gallop(1), written from what the tool itself says of its commands. Pure.
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
      "\\fI\(escaped(($0.valueName ?? "file").uppercased()))\\fR..."
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

extension ManualPage {
  /// Whether the arguments are `help --man`.
  static func isAsked(by arguments: [String]) -> Bool { arguments == ["help", "--man"] }

  /// Shows the page: by `man` on a terminal, and as its source elsewhere.
  static func show() throws {
    guard let tool = ToolHelp.standard else {
      throw CommandFailure(reason: "the manual page cannot be written")
    }
    let page = ManualPage(
      tool: tool, version: GallopCommand.configuration.version, date: today)
    let bytes = Array(page.text.utf8)
    if isatty(STDOUT_FILENO) == 1, let pager = ManualReader() { return try pager.show(bytes) }
    try OutputDescriptor.endingWithReader { try OutputDescriptor.standardOutput.write(bytes) }
  }

  /// Today, or the date of `SOURCE_DATE_EPOCH`, so that packages can be built again byte for byte.
  private static var today: String {
    var moment = time(nil)
    if let text = unsafe getenv("SOURCE_DATE_EPOCH"), let seconds = unsafe Int(String(cString: text)) {
      moment = seconds
    }
    var parts = unsafe tm()
    _ = unsafe gmtime_r(&moment, &parts)
    func digits(_ number: Int32) -> String { (number < 10 ? "0" : "") + "\(number)" }
    let (year, month, day) = unsafe (1900 + Int(parts.tm_year), parts.tm_mon + 1, parts.tm_mday)
    return "\(year)-\(digits(month))-\(digits(day))"
  }
}

/// The program `man`, which shows a page on the terminal.
private struct ManualReader {
  private let process: pid_t
  private let input: Int32

  /// Starts it; nil if it is not installed.
  init?() {
    var ends: [Int32] = [0, 0]
    guard unsafe pipe(&ends) == 0 else { return nil }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    unsafe posix_spawn_file_actions_adddup2(&actions, ends[0], STDIN_FILENO)
    var process: pid_t = 0
    let words = ["man", "-l", "-"]
    var arguments: [UnsafeMutablePointer<CChar>?] = unsafe words.map { unsafe strdup($0) } + [nil]
    defer { for place in unsafe arguments.indices { unsafe free(arguments[place]) } }
    let status = unsafe posix_spawnp(&process, "man", &actions, nil, &arguments, environ)
    close(ends[0])
    guard status == 0 else {
      close(ends[1])
      return nil
    }
    self.process = process
    input = ends[1]
  }

  /// Gives it the page, and waits for its end.
  func show(_ page: [UInt8]) throws {
    // A reader that is quit early needs no more.
    try? OutputDescriptor(input, name: "man").write(page)
    close(input)
    var status: Int32 = 0
    while unsafe waitpid(process, &status, 0) < 0, errno == EINTR {}
    guard status == 0 else {
      throw CommandFailure(reason: "man has failed; gallop help --man | less shows the source")
    }
  }
}
