internal import EngineSupport
import Glibc

/// The event source of a terminal session.
///
/// The main loop waits only in ``next(timeout:)``, which returns keys, mouse reports, signals and wake-ups one at a time.
/// Meanwhile it writes the rest of the session's update.
public final class TerminalInput {
  /// The milliseconds after which a lone ESC counts as the escape key.
  ///
  /// Terminals send sequences at once, so the delay only covers the network.
  public static let escapeDelay = 50

  private let session: TerminalSession
  private var parser = InputParser()
  private var items: ArraySlice<InputParser.Item> = []
  /// Bits of ``SignalRelay`` that were taken but not reported yet.
  private var signals: UInt64 = 0
  /// The time at which pending bytes of the ``parser`` are flushed.
  private var escapeDeadline: UInt64?
  private var inputState = InputState.open

  private enum InputState {
    case open, ended, reported
  }

  /// Creates an input for a session, which it retains.
  public init(session: TerminalSession) { self.session = session }

  /// Waits for the next event.
  ///
  /// Requests to end come first, then stops and resizes, keys, and wake-ups. While the program is stopped (Ctrl-Z), this
  /// call does not return.
  ///
  /// - Parameter timeout: the milliseconds to wait; 0 polls, nil waits without limit.
  /// - Throws: `systemCall` or `disconnected` if the terminal cannot be read or taken over again.
  public func next(timeout: Int? = nil) throws(TerminalError) -> TerminalEvent {
    let deadline = timeout.map { monotonicTime() + UInt64(min(max($0, 0), Int(CInt.max))) }
    while true {
      signals |= SignalRelay.take()
      if let event = try signalEvent() { return event }
      switch items.popFirst() {
      case .key(let key): return .key(key)
      case .mouse(let report): return .mouse(report)
      case nil: break
      }
      if consume(SignalRelay.wakeBit) { return .wake }
      if inputState == .ended {
        inputState = .reported
        return .endOfInput
      }

      let ready = try wait(until: [deadline, escapeDeadline].compactMap(\.self).min())
      if ready.output, try session.writer.flush() { return .outputTaken }
      if ready.input {
        try readItems()
      } else if let escapeDeadline, monotonicTime() >= escapeDeadline {
        self.escapeDeadline = nil
        items += parser.flush()
      } else if let deadline, monotonicTime() >= deadline {
        signals |= SignalRelay.take()
        if signals == 0 { return .timeout }
      }
    }
  }

  private func consume(_ bit: UInt64) -> Bool {
    defer { signals &= ~bit }
    return signals & bit != 0
  }

  private func signalEvent() throws(TerminalError) -> TerminalEvent? {
    if let event = requestToEnd() { return event }
    if consume(SignalRelay.bit(SIGTSTP)) {
      session.suspend()
      signals |= SignalRelay.take()
      // A request to end that came while stopped: the shell owns the terminal now, so it is not taken over.
      if let event = requestToEnd() { return event }
      return try resumed()
    }
    if consume(SignalRelay.bit(SIGCONT)) { return try resumed() }
    if consume(SignalRelay.bit(SIGWINCH)) { return .resize(session.size) }
    return nil
  }

  private func requestToEnd() -> TerminalEvent? {
    for signal in [TerminalSignal.interrupt, .terminate] where consume(SignalRelay.bit(signal.rawValue)) {
      return .interrupt(signal)
    }
    return nil
  }

  private func resumed() throws(TerminalError) -> TerminalEvent {
    // The event reports both the size and the resumption.
    signals &= ~(SignalRelay.bit(SIGCONT) | SignalRelay.bit(SIGTSTP) | SignalRelay.bit(SIGWINCH))
    try session.resume()
    return .resumed(session.size)
  }

  /// Waits until the terminal is readable or writable, for a signal, a wake-up or the deadline.
  ///
  /// - Returns: whether the terminal is readable, and whether it is writable.
  private func wait(until deadline: UInt64?) throws(TerminalError) -> (input: Bool, output: Bool) {
    let now = monotonicTime()
    let timeout = deadline.map { $0 > now ? CInt(clamping: $0 - now) : 0 } ?? -1
    // poll skips negative descriptors.
    var requests = (
      pollfd(fd: session.signalDescriptor, events: Int16(POLLIN), revents: 0),
      pollfd(fd: inputState == .open ? session.input : -1, events: Int16(POLLIN), revents: 0),
      pollfd(
        fd: session.writer.isIdle ? -1 : session.writer.descriptor, events: Int16(POLLOUT), revents: 0)
    )
    let count = unsafe withUnsafeMutableBytes(of: &requests) { bytes in
      unsafe poll(bytes.baseAddress?.assumingMemoryBound(to: pollfd.self), 3, timeout)
    }
    guard count >= 0 || errno == EINTR else {
      throw TerminalError(.systemCall, operation: "poll", errorNumber: errno)
    }
    return count > 0 ? (requests.1.revents != 0, requests.2.revents != 0) : (false, false)
  }

  private func readItems() throws(TerminalError) {
    var chunk: InlineArray<1024, UInt8> = .init(repeating: 0)
    var span = chunk.mutableSpan
    let count = unsafe span.withUnsafeMutableBytes { unsafe read(session.input, $0.baseAddress, $0.count) }
    let failure = errno
    if count > 0 {
      items += parser.feed((0..<count).lazy.map { chunk[$0] })
      escapeDeadline = parser.isPending ? monotonicTime() + UInt64(Self.escapeDelay) : nil
    } else if count == 0 || failure == EIO {
      items += parser.flush()
      escapeDeadline = nil
      inputState = .ended
    } else if failure != EINTR && failure != EAGAIN {
      throw TerminalError(.systemCall, operation: "read", errorNumber: failure)
    }
  }
}

/// The monotonic clock in milliseconds.
private func monotonicTime() -> UInt64 { UInt64(MonotonicClock.nanoseconds / 1_000_000) }
