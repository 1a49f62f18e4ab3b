import Glibc

/// A signal that asks the program to end.
public struct TerminalSignal: RawRepresentable, Hashable, Sendable {
  /// The signal's number.
  public let rawValue: CInt

  /// Makes a signal from its number.
  public init(rawValue: CInt) { self.rawValue = rawValue }

  /// Ctrl-C (`SIGINT`).
  public static let interrupt = TerminalSignal(rawValue: SIGINT)
  /// A request to end (`SIGTERM`).
  public static let terminate = TerminalSignal(rawValue: SIGTERM)
  /// The terminal is closed (`SIGHUP`).
  public static let hangUp = TerminalSignal(rawValue: SIGHUP)
  /// Ctrl-\ (`SIGQUIT`).
  public static let quit = TerminalSignal(rawValue: SIGQUIT)

  static let all: [TerminalSignal] = [.interrupt, .terminate, .hangUp, .quit]

  /// The exit status that shells report for this signal: 128 plus its number.
  public var exitStatus: CInt { 128 + rawValue }
}

/// An event of the terminal.
public enum TerminalEvent: Hashable, Sendable {
  /// A key was pressed.
  case key(Key)
  /// The mouse did something; only in a session that asked for it.
  case mouse(MouseReport)
  /// The terminal has another size; its content is undefined, so clear and redraw it.
  case resize(TerminalSize)
  /// The program continues after a stop, on an empty screen of the given size.
  case resumed(TerminalSize)
  /// The program should end: leave the loop, clean up and call ``TerminalSession/end(by:)``.
  case interrupt(TerminalSignal)
  /// The rest of the last ``TerminalWriter/send(_:)`` is written.
  case outputTaken
  /// The terminal has answered after ``TerminalInput/ask(_:milliseconds:)`` returned.
  case answered
  /// ``TerminalWaker/wake()`` was called, once or several times.
  case wake
  /// No more keys will come, since the terminal was hung up or the input closed. Reported once.
  case endOfInput
  /// Nothing happened in the given time.
  case timeout
}

/// Wakes a waiting ``TerminalInput``, from any thread and at any time.
public struct TerminalWaker: Sendable {
  /// Makes the input return ``TerminalEvent/wake`` as soon as it can. Calls that come before that count as
  /// one.
  public func wake() { SignalRelay.post(SignalRelay.wakeBit) }
}
