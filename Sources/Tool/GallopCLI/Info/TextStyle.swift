internal import Glibc

/// Bold and coloured text for a terminal; plain text elsewhere.
struct TextStyle: Equatable {
  let isPlain: Bool

  static let plain = TextStyle(isPlain: true)

  /// The style of standard output: plain where it is no terminal, or `NO_COLOR` is set (no-color.org).
  static var standardOutput: TextStyle {
    func variable(_ name: String) -> String? { unsafe getenv(name).map { unsafe String(cString: $0) } }
    return TextStyle(
      isPlain: isatty(STDOUT_FILENO) != 1 || variable("NO_COLOR")?.isEmpty == false
        || variable("TERM") == "dumb")
  }

  func bold(_ text: String) -> String { styled(text, "1") }
  func faint(_ text: String) -> String { styled(text, "2") }
  func warning(_ text: String) -> String { styled(text, "33") }

  private func styled(_ text: String, _ code: String) -> String {
    isPlain ? text : "\u{1B}[\(code)m\(text)\u{1B}[0m"
  }
}
