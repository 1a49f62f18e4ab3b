internal import ArgumentParser

/// What is printed on standard output by request: help, the version, completions.
enum HelpText {
  /// The sections that come last, in their order.
  static let lateSections = ["TRACING", "READING", "LIMITS"]

  /// Prints a text that the user has asked for.
  ///
  /// - Throws: ``CommandFailure`` if it cannot be written.
  static func print(_ text: String) throws {
    try OutputDescriptor.endingWithReader {
      try OutputDescriptor.standardOutput.write(Array((arranged(text) + "\n").utf8))
    }
  }

  /// Help in another order: limits come last. The parser prints titled sections before a command's own
  /// options, and long explanations before the usage.
  static func arranged(_ help: String) -> String {
    let begin = "OVERVIEW: "
    guard help.hasPrefix(begin), let usage = help.firstRange(of: "\n\nUSAGE: ") else { return help }
    let overview = help[..<usage.lowerBound]
    let blocks = help[usage.upperBound...].split(separator: "\n\n", omittingEmptySubsequences: true)
    var sections: [(title: String, text: String)] = []
    var ending: [String] = []
    for (place, block) in blocks.enumerated() {
      if place == 0 {
        sections.append(("USAGE", "USAGE: " + block))
        if let examples = UsageExamples.section(for: block) { sections.append(("EXAMPLES", examples)) }
      } else if let title = title(of: block) {
        sections.append((title, String(block)))
      } else {
        ending.append(String(block))
      }
    }
    let first = sections.filter { !lateSections.contains($0.title) }
    let last = lateSections.compactMap { title in sections.first { $0.title == title } }
    let (abstract, notes) = split(String(overview.dropFirst(begin.count)))
    var parts = [abstract] + first.map { trimmed($0.text) }
    if !notes.isEmpty { parts.append("NOTES:\n" + notes) }
    parts += last.map { trimmed($0.text) }
    return (parts + ending).joined(separator: "\n\n")
  }

  /// The title of a section; nil for other text.
  private static func title(of block: Substring) -> String? {
    guard let line = block.split(separator: "\n").first, line.hasSuffix(":") else { return nil }
    let title = line.dropLast()
    return title.allSatisfy { $0.isUppercase || $0 == " " } ? String(title) : nil
  }

  /// The first paragraph, and the others.
  private static func split(_ overview: String) -> (abstract: String, notes: String) {
    guard let gap = overview.firstRange(of: "\n\n") else { return (overview, "") }
    return (String(overview[..<gap.lowerBound]), String(overview[gap.upperBound...]))
  }

  private static func trimmed(_ text: String) -> String {
    var rest = text[...]
    while rest.last == "\n" { rest.removeLast() }
    return String(rest)
  }
}
