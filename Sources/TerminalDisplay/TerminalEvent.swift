import Glibc

/// A signal that asks the program to end.
public struct TerminalSignal: RawRepresentable, Hashable, Sendable {
  /// The signal's number.
  public let rawValue: CInt

  /// Makes a signal from its number.
  public init(rawValue: CInt) { self.rawValue = rawValue }

  /// Ctrl-C (`SIGINT`).
  public static let interrupt = TerminalSignal(rawValue: SIGINT)
  /// A polite request to end (`SIGTERM`).
  public static let terminate = TerminalSignal(rawValue: SIGTERM)

  /// The status by which shells know of a death by this signal: 128 plus its number, as in 130 and 143.
  public var exitStatus: CInt { 128 + rawValue }
}

/// Something that happened at the terminal.
public enum TerminalEvent: Hashable, Sendable {
  /// A key was pressed.
  case key(Key)
  /// The mouse did something; only in a session that asked for it.
  case mouse(MouseReport)
  /// The terminal has another size now; what it shows is undefined, so clear it and draw anew.
  case resize(TerminalSize)
  /// The program was stopped and goes on now, on an empty screen of the given size.
  case resumed(TerminalSize)
  /// The program should end: leave the loop, clean up and call ``TerminalSession/end(by:)``.
  case interrupt(TerminalSignal)
  /// The terminal has taken all that ``TerminalWriter/send(_:)`` had left over.
  case outputTaken
  /// ``TerminalWaker/wake()`` was called, once or several times.
  case wake
  /// No more keys will come, since the terminal was hung up or the input closed. Reported once.
  case endOfInput
  /// Nothing happened in the given time.
  case timeout
}

/// Wakes a ``TerminalInput`` that waits; usable from every thread and at any time, also when nobody waits.
public struct TerminalWaker: Sendable {
  /// Makes the input return ``TerminalEvent/wake`` as soon as it can. Calls that come before that count as
  /// one.
  public func wake() { SignalRelay.post(SignalRelay.wakeBit) }
}
