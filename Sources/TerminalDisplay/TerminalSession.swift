import Glibc
import Synchronization

/// The time during which the terminal is ours: keys come unbuffered and unseen, on an alternate screen
/// without cursor.
///
/// The terminal is put back on every way out: ``end()``, the release of the session (so a thrown error will
/// do), `exit`, and death by a signal. `SIGINT` and `SIGTERM` are given to the loop as events (see
/// ``TerminalInput``); if the loop does not take the first, a second one ends the program at once. `SIGTSTP`
/// restores the terminal while the program is stopped, and it is taken over again when it goes on.
///
/// Signals and terminal modes belong to the whole process, so there is one session at a time. It is used from
/// one thread, and all writing to the terminal should happen there.
public final class TerminalSession {
  /// Writes to the terminal without waiting for it.
  public let writer: TerminalWriter
  /// Wakes the loop from other threads; may outlive the session.
  public let waker = TerminalWaker()

  /// Where keys come from.
  let input: CInt
  /// The end of the pipe that becomes readable on signals.
  let bell: CInt

  private let ownsInput: Bool
  private let former: termios
  private let greeting: [UInt8]
  private let farewell: [UInt8]
  private var hasEnded = false
  private static let isActive = Atomic<Bool>(false)

  /// Takes the terminal over.
  ///
  /// - Parameters:
  ///   - input: the descriptor keys come from. If it is not a terminal (say, the picture is piped in),
  ///     `/dev/tty` is opened instead.
  ///   - output: the descriptor pictures go to.
  ///   - graphics: how pictures are drawn; decides what is to be cleaned up.
  ///   - usesMouse: whether the mouse is reported. The terminal's own selection then needs Shift.
  /// - Throws: `notATerminal`, `sessionActive`, `systemCall`, or `disconnected` if the terminal is gone.
  public init(
    input: CInt = 0, output: CInt = 1, graphics: TerminalGraphics = .symbols, usesMouse: Bool = false
  ) throws(TerminalError) {
    guard isatty(output) == 1 else { throw TerminalError(.notATerminal, operation: "output") }
    bell = try SignalRelay.prepare()
    guard !Self.isActive.exchange(true, ordering: .acquiringAndReleasing) else {
      throw TerminalError(.sessionActive, operation: "start of a session")
    }
    do throws(TerminalError) {
      (self.input, ownsInput) = try Self.terminal(for: input)
      former = try Self.modes(of: self.input)
    } catch {
      Self.isActive.store(false, ordering: .releasing)
      throw error
    }
    writer = TerminalWriter(terminal: output)
    let images = graphics == .kitty ? ControlSequence.deleteKittyImages : ""
    greeting = Array((ControlSequence.enter + (usesMouse ? ControlSequence.mouseOn : "")).utf8)
    farewell = Array(((usesMouse ? ControlSequence.mouseOff : "") + images + ControlSequence.leave).utf8)

    // What is left from an earlier session is no business of this one.
    _ = SignalRelay.take()
    SignalHandlers.install()
    // A failure from here on releases the session, and that undoes everything.
    try enter()
  }

  deinit { end() }

  /// The size of the terminal at this moment.
  public var size: TerminalSize { TerminalSize.query(writer.descriptor) }

  /// Gives the terminal back, exactly as it was. Calling it again does nothing.
  ///
  /// A request to end that has come but was not taken as an event yet is sent again, and has the effect it
  /// would have had without a session.
  public func end() {
    guard !hasEnded else { return }
    hasEnded = true
    EmergencyRestore.fire()
    SignalHandlers.uninstall()
    if ownsInput { close(input) }
    let missed = SignalRelay.take()
    Self.isActive.store(false, ordering: .releasing)
    for signal in [SIGINT, SIGTERM] where missed & SignalRelay.bit(signal) != 0 {
      SignalHandlers.send(signal)
    }
  }

  /// Gives the terminal back and lets the process die by the signal that asked for it, so that a shell sees
  /// that it was interrupted (status 130 or 143) and, say, does not go on with a script's next line.
  ///
  /// `defer` and `atexit` blocks do not run; finish everything before.
  public func end(by signal: TerminalSignal) -> Never {
    end()
    SignalHandlers.die(by: signal.rawValue)
  }

  /// Restores the terminal and stops the process; returns when it goes on, with the terminal not taken over
  /// yet.
  func suspend() {
    EmergencyRestore.fire()
    SignalHandlers.stop()
  }

  /// Takes the terminal over again after the process was stopped, by us or by `SIGSTOP`.
  ///
  /// In the background this stops the process (`SIGTTOU`) until it is in the foreground.
  func resume() throws(TerminalError) {
    EmergencyRestore.disarm()
    try enter()
  }

  private func enter() throws(TerminalError) {
    EmergencyRestore.arm(
      input: input, output: writer.descriptor, modes: former, farewell: farewell)
    var modes = former.forKeys
    while unsafe tcsetattr(input, TCSANOW, &modes) != 0 {
      guard errno == EINTR else {
        throw TerminalError(.systemCall, operation: "tcsetattr", errorNumber: errno)
      }
    }
    // What was left of the last picture belongs to a screen that is gone.
    writer.discard()
    try TerminalOutput(descriptor: writer.descriptor).write(greeting)
  }

  /// The descriptor to read keys from, and whether it was opened for that.
  private static func terminal(for descriptor: CInt) throws(TerminalError) -> (CInt, Bool) {
    if isatty(descriptor) == 1 { return (descriptor, false) }
    let opened = unsafe open("/dev/tty", O_RDWR | O_CLOEXEC)
    guard opened >= 0 else {
      throw TerminalError(.notATerminal, operation: "open /dev/tty", errorNumber: errno)
    }
    return (opened, true)
  }

  private static func modes(of descriptor: CInt) throws(TerminalError) -> termios {
    var modes = termios()
    guard unsafe tcgetattr(descriptor, &modes) == 0 else {
      throw TerminalError(.systemCall, operation: "tcgetattr", errorNumber: errno)
    }
    return modes
  }
}

extension termios {
  /// These modes, changed so that every key comes at once, unaltered and unseen.
  ///
  /// `ISIG` stays on, so that Ctrl-C, Ctrl-Z and Ctrl-\ work even when the loop does not; output modes are
  /// left alone.
  var forKeys: termios {
    var modes = self
    modes.c_lflag &= ~tcflag_t(ICANON | ECHO | ECHONL | IEXTEN)
    modes.c_lflag |= tcflag_t(ISIG)
    modes.c_iflag &= ~tcflag_t(IXON | ICRNL | INLCR | IGNCR | ISTRIP)
    modes.c_cc.6 = 1  // VMIN: a read returns from the first byte on...
    modes.c_cc.5 = 0  // VTIME: ...and without a timer.
    return modes
  }
}
