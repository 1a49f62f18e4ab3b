/// A failure of the terminal.
///
/// A caller distinguishes cases by `code`; `operation` and `errorNumber` are for the message.
public struct TerminalError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kind of failure, by its name in messages.
  public enum Code: String, Sendable {
    /// Neither the standard streams nor `/dev/tty` is a terminal.
    case notATerminal = "not-a-terminal"
    /// A `TerminalSession` is running already; signals and terminal modes belong to the whole process.
    case sessionActive = "session-active"
    /// The other side is closed: `EPIPE` from a pipe, `EIO` from a terminal that was hung up.
    case disconnected = "disconnected"
    /// Another system call failed; see `errorNumber`.
    case systemCall = "system-call"
    /// The picture has more or fewer pixels than its size asks for.
    case invalidPicture = "invalid-picture"
  }

  /// The kind of failure.
  public var code: Code
  /// The failed operation, such as `"write"`.
  public var operation: String
  /// The `errno` of the failed system call, or 0 where none was involved.
  public var errorNumber: CInt

  /// Makes an error.
  public init(_ code: Code, operation: String, errorNumber: CInt = 0) {
    self.code = code
    self.operation = operation
    self.errorNumber = errorNumber
  }

  /// One line for a message, such as `"write: disconnected (errno 32)"`.
  public var description: String {
    errorNumber == 0
      ? "\(operation): \(code.rawValue)" : "\(operation): \(code.rawValue) (errno \(errorNumber))"
  }
}
