internal import ArgumentParser
internal import EngineSupport
internal import Gallop
internal import Glibc

/// The failure of a command: one line on standard error and an exit status.
struct CommandFailure: Error {
  /// The file that failed; nil for the whole command.
  var subject: String?
  var reason: String
  var exitCode: Int32 = 1
  /// The system's error; nil for others.
  var systemError: Int32?

  /// A failure with the system's reason, from `errno`.
  static func system(_ subject: String, _ action: String, error: Int32) -> CommandFailure {
    CommandFailure(subject: subject, reason: "\(action): \(systemReason(error))", systemError: error)
  }

  func report() { StandardError.line((subject.map { "\($0): " } ?? "") + reason) }
}

/// The system's message for an `errno`.
func systemReason(_ error: Int32) -> String {
  guard let text = unsafe strerror(error) else { return "error \(error)" }
  return unsafe String(cString: text)
}

enum StandardError {
  static let isTerminal = isatty(STDERR_FILENO) == 1

  private static let quiet = Lock(false)

  /// Whether warnings, notes and progress are left out.
  static var isQuiet: Bool { quiet.withLock { $0 } }

  static func silenceWarnings() { quiet.withLock { $0 = true } }

  /// Writes a text; failures are ignored, as they cannot be reported.
  static func write(_ text: String) {
    let output = OutputDescriptor(STDERR_FILENO, name: "standard error")
    try? output.write(Array(text.utf8))
  }

  /// Writes a line after the program's name. Its text may have names of files, and is escaped.
  static func line(_ text: String) { write("gallop: " + Printable.text(text) + "\n") }

  /// Writes a warning or a note, unless the user wants none.
  static func note(_ text: String) {
    if !isQuiet { line(text) }
  }
}

/// A reason that concerns one input file only.
struct FileFailure: Error {
  /// The kind of fault, in a word for programs: that of a ``GIFError`` or ``GIFLoadingError``.
  var code: String
  var reason: String

  init(code: String = GIFLoadingError.Code.unusableFile.rawValue, reason: String) {
    self.code = code
    self.reason = reason
  }

  /// - Parameter name: the file's name in messages, where the end of a redirect is told; nil to leave that
  ///   out.
  init(_ error: GIFLoadingError, name: String?) {
    self.init(
      code: error.underlying?.code.rawValue ?? error.code.rawValue,
      reason: name.map { error.reason(for: $0) } ?? error.reason)
  }
}
