internal import ArgumentParser
internal import GIFDecoding
internal import Glibc

/// The failure of a command: one line on standard error and an exit status.
struct CommandFailure: Error {
  /// The file that failed; nil for the whole command.
  var subject: String?
  var reason: String
  var exitCode: Int32 = 1

  /// A failure with the system's reason, from `errno`.
  static func system(_ subject: String, _ action: String, error: Int32) -> CommandFailure {
    CommandFailure(subject: subject, reason: "\(action): \(systemReason(error))")
  }

  func report() {
    StandardError.write("gallop: " + (subject.map { "\($0): " } ?? "") + reason + "\n")
  }
}

/// The system's message for an `errno`.
func systemReason(_ error: Int32) -> String {
  guard let text = unsafe strerror(error) else { return "error \(error)" }
  return unsafe String(cString: text)
}

enum StandardError {
  static let isTerminal = isatty(STDERR_FILENO) == 1

  /// Writes a text; failures are ignored, as they cannot be reported.
  static func write(_ text: String) {
    let output = OutputDescriptor(STDERR_FILENO, name: "standard error")
    try? output.write(Array(text.utf8))
  }
}

/// Prints a warning for each diagnostic of a file.
func warn(_ path: String, _ diagnostics: [GIFDiagnostic]) {
  let name = SourceReading.name(of: path)
  for diagnostic in diagnostics { StandardError.write("gallop: \(name): warning: \(diagnostic)\n") }
}

/// Runs `body` for each file; a file that fails is reported, and the others are still processed.
///
/// - Throws: exit status 1 at the end if any failed, or at once an error that ends the command: failing output, a signal.
func forEachFile(_ paths: [String], _ body: (String) throws -> Void) throws {
  var failures = 0
  for path in paths {
    do {
      try body(path)
    } catch let failure as FileFailure {
      CommandFailure(subject: SourceReading.name(of: path), reason: failure.reason).report()
      failures += 1
    }
  }
  if failures > 0 { throw ExitCode(1) }
}

/// A reason that concerns one input file only.
struct FileFailure: Error {
  var reason: String
}
