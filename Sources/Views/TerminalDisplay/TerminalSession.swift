import Glibc
import Synchronization

/// A session on the terminal: unbuffered keys without echo, and an alternate screen without cursor.
///
/// The terminal is restored by ``end()``, the release of the session, `exit`, and signals that end the
/// program. `SIGINT`, `SIGTERM`, `SIGHUP` and `SIGQUIT` become events of the loop (see ``TerminalInput``); if
/// the loop does not handle the first, a second one ends the program (but not a second `SIGHUP`). `SIGTSTP`
/// restores the terminal while the program is stopped.
///
/// Signals and terminal modes belong to the whole process, so there is one session at a time. It is used from
/// one thread, and all writing to the terminal should happen there.
public final class TerminalSession {
  /// Writes to the terminal without waiting for it.
  public let writer: TerminalWriter
  /// Wakes the loop from other threads; it may outlive the session.
  public let waker = TerminalWaker()

  /// The descriptor of the keys.
  let input: CInt
  /// The end of the pipe that becomes readable on signals.
  let signalDescriptor: CInt

  /// The size of a cell that the terminal answered, for systems that do not know it.
  var answeredCell: TerminalCell?

  private let ownsInput: Bool
  private let former: termios
  private let enterSequence: [UInt8]
  private let leaveSequence: [UInt8]
  private var hasEnded = false
  private static let isActive = Atomic<Bool>(false)

  /// Starts a session.
  ///
  /// - Parameters:
  ///   - input: the descriptor keys come from. If it is not a terminal (say, the picture is piped in),
  ///     `/dev/tty` is opened instead.
  ///   - output: the descriptor pictures go to.
  ///   - graphics: how pictures are drawn; decides what is to be cleaned up. `kitty` if that may turn out
  ///     later.
  ///   - usesMouse: whether the mouse is reported. The terminal's own selection then needs Shift.
  ///   - followsMouse: whether moves without a button are reported, too.
  /// - Throws: `notATerminal`, `sessionActive`, `systemCall`, or `disconnected` if the terminal is closed.
  public init(
    input: CInt = 0, output: CInt = 1, graphics: TerminalGraphics = .symbols, usesMouse: Bool = false,
    followsMouse: Bool = false
  ) throws(TerminalError) {
    guard isatty(output) == 1 else { throw TerminalError(.notATerminal, operation: "output") }
    signalDescriptor = try SignalRelay.prepare()
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
    let mouseOn = followsMouse ? ControlSequence.mouseFollowingOn : ControlSequence.mouseOn
    let mouseOff = followsMouse ? ControlSequence.mouseFollowingOff : ControlSequence.mouseOff
    enterSequence = Array((ControlSequence.enter + (usesMouse ? mouseOn : "")).utf8)
    leaveSequence = Array(((usesMouse ? mouseOff : "") + images + ControlSequence.leave).utf8)

    // Signals of an earlier session are dropped.
    _ = SignalRelay.take()
    SignalHandlers.install()
    // A failure from here on releases the session, which restores the terminal.
    try enter()
  }

  deinit { end() }

  /// The size of the terminal at this moment.
  public var size: TerminalSize {
    let size = TerminalSize.query(writer.descriptor)
    guard let answeredCell, size.pixelWidth == 0 || size.pixelHeight == 0 else { return size }
    return TerminalSize(
      columns: size.columns, rows: size.rows, pixelWidth: size.columns * answeredCell.width,
      pixelHeight: size.rows * answeredCell.height)
  }

  /// Ends the session and restores the terminal. Calling it again does nothing.
  ///
  /// A pending request to end is sent again, and has its usual effect.
  public func end() {
    guard !hasEnded else { return }
    hasEnded = true
    EmergencyRestore.restore()
    SignalHandlers.uninstall()
    if ownsInput { close(input) }
    let missed = SignalRelay.take()
    Self.isActive.store(false, ordering: .releasing)
    for signal in TerminalSignal.all where missed & SignalRelay.bit(signal.rawValue) != 0 {
      SignalHandlers.send(signal.rawValue)
    }
  }

  /// Ends the session and ends the process by a signal, so that a shell sees the interruption (status 130 or
  /// 143).
  ///
  /// `defer` and `atexit` blocks do not run; finish everything before.
  public func end(by signal: TerminalSignal) -> Never {
    end()
    SignalHandlers.terminate(by: signal.rawValue)
  }

  /// Restores the terminal and stops the process; returns when it continues, before ``resume()``.
  func suspend() {
    EmergencyRestore.restore()
    SignalHandlers.stop()
  }

  /// Sets the terminal up again after the process was stopped.
  ///
  /// In the background this stops the process (`SIGTTOU`) until it is in the foreground.
  func resume() throws(TerminalError) {
    EmergencyRestore.reset()
    try enter()
  }

  private func enter() throws(TerminalError) {
    EmergencyRestore.prepare(
      input: input, output: writer.descriptor, modes: former, leaveSequence: leaveSequence)
    var modes = former.forKeys
    while unsafe tcsetattr(input, TCSANOW, &modes) != 0 {
      guard errno == EINTR else {
        throw TerminalError(.systemCall, operation: "tcsetattr", errorNumber: errno)
      }
    }
    // The rest of the last update belongs to the former screen.
    writer.discard()
    try TerminalOutput(descriptor: writer.descriptor).write(enterSequence)
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
