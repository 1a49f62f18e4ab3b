internal import EngineSupport
import Glibc

/// The event source of a terminal session.
///
/// The main loop waits only in ``next(timeout:)``, which returns keys, mouse reports, signals and wake-ups
/// one at a time. Meanwhile it writes the rest of the session's update.
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
  /// What the terminal has answered to ``ask(_:milliseconds:)``.
  public private(set) var replies = TerminalReplies()
  /// The time of the question; nil without one.
  private var askedAt: UInt64?
  /// Whether the last answer came after the wait for it.
  private var hasLateReplies = false

  private enum InputState {
    case open, ended, reported
  }

  /// Creates an input for a session, which it retains.
  public init(session: TerminalSession) { self.session = session }

  /// Waits for the next event.
  ///
  /// Requests to end come first, then stops and resizes, keys, and wake-ups. While the program is stopped
  /// (Ctrl-Z), this call does not return.
  ///
  /// - Parameter timeout: the milliseconds to wait; 0 polls, nil waits without limit.
  /// - Throws: `systemCall` or `disconnected` if the terminal cannot be read or taken over again.
  public func next(timeout: Int? = nil) throws(TerminalError) -> TerminalEvent {
    let deadline = timeout.map { monotonicTime() + UInt64(min(max($0, 0), Int(CInt.max))) }
    while true {
      signals |= SignalRelay.take()
      if let event = try signalEvent() { return event }
      if hasLateReplies {
        hasLateReplies = false
        return .answered
      }
      switch items.popFirst() {
      case .key(let key): return .key(key)
      case .mouse(let report): return .mouse(report)
      case .reply, nil: break
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
        take(parser.flush())
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
    for signal in TerminalSignal.all where consume(SignalRelay.bit(signal.rawValue)) {
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
      take(parser.feed((0..<count).lazy.map { chunk[$0] }))
      // An answer that is cut in two by the network must not become keys.
      let delay = isWaitingForReplies ? Self.lastReplyDelay : Self.escapeDelay
      escapeDeadline = parser.isPending ? monotonicTime() + UInt64(delay) : nil
    } else if count == 0 || failure == EIO {
      take(parser.flush())
      escapeDeadline = nil
      inputState = .ended
    } else if failure != EINTR && failure != EAGAIN {
      throw TerminalError(.systemCall, operation: "read", errorNumber: failure)
    }
  }
}

// Questions and answers.
extension TerminalInput {
  /// The milliseconds after the question at which no more answers are expected.
  private static let lastReplyDelay = 500

  private var isWaitingForReplies: Bool {
    guard let askedAt, !replies.isComplete else { return false }
    return monotonicTime() < askedAt + UInt64(Self.lastReplyDelay)
  }

  /// Asks the terminal what it can show, and waits for its answers.
  ///
  /// Keys typed meanwhile are kept. Many terminals answer some of the questions, and a few none: the wait
  /// ends with the last answer, the time, or a signal. If the last answer comes later, ``next(timeout:)``
  /// reports it.
  /// - Parameters:
  ///   - questions: from ``TerminalCapabilities/questions``; nothing is asked if it is empty.
  ///   - milliseconds: the longest wait.
  /// - Throws: as ``next(timeout:)``.
  public func ask(_ questions: String, milliseconds: Int = 200) throws(TerminalError) {
    guard !questions.isEmpty else { return }
    let now = monotonicTime()
    askedAt = now
    try session.writer.send(Array(questions.utf8))
    try awaitReplies(until: now + UInt64(max(0, milliseconds))) { signals & ~SignalRelay.wakeBit != 0 }
    hasLateReplies = false
  }

  /// Waits for answers on their way, which would otherwise appear at the shell's prompt. Call it before the
  /// session ends.
  ///
  /// It returns at once except within half a second of the question.
  public func drainReplies() {
    guard let askedAt, isWaitingForReplies else { return }
    try? awaitReplies(until: askedAt + UInt64(Self.lastReplyDelay)) { false }
  }

  private func awaitReplies(until deadline: UInt64, unless isOver: () -> Bool) throws(TerminalError) {
    while !replies.isComplete, inputState == .open, monotonicTime() < deadline {
      signals |= SignalRelay.take()
      if isOver() { return }
      let ready = try wait(until: deadline)
      if ready.output { try session.writer.flush() }
      if ready.input { try readItems() }
    }
  }

  /// Keeps keys and mouse reports, and takes answers at once.
  private func take(_ new: [InputParser.Item]) {
    for item in new {
      guard case .reply(let reply) = item else {
        items.append(item)
        continue
      }
      guard askedAt != nil else { continue }
      replies.take(reply, size: session.size)
      session.answeredCell = replies.cell
      hasLateReplies = hasLateReplies || replies.isComplete
    }
  }
}

/// The monotonic clock in milliseconds.
private func monotonicTime() -> UInt64 { UInt64(MonotonicClock.nanoseconds / 1_000_000) }
