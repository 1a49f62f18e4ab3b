import GIFStage
import Glibc
import Testing

@testable import TerminalDisplay

/// A session is the process's, so these run one after the other.
@Suite(.serialized) struct TerminalSessionTests {
  let terminal: PseudoTerminal

  init() throws {
    terminal = try #require(PseudoTerminal())
    // A shell that runs the tests in the background has these ignored, and a session respects that.
    for signal in [SIGINT, SIGQUIT, SIGHUP] { _ = Glibc.signal(signal, SIG_DFL) }
  }

  func start(_ graphics: TerminalGraphics = .symbols) throws -> TerminalSession {
    try TerminalSession(input: terminal.device, output: terminal.device, graphics: graphics)
  }

  let leave = "\u{1B}\\\u{1B}[?2026l\u{1B}[0m\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l"

  @Test func aSessionSetsUpAndRestoresTheTerminalOnce() throws {
    let before = terminal.modes
    let session = try start()
    #expect(terminal.written() == "\u{1B}[?1049h\u{1B}[?25l\u{1B}[?7l\u{1B}[0m\u{1B}[2J\u{1B}[H")
    #expect(terminal.localFlags & tcflag_t(ICANON | ECHO) == 0)
    #expect(terminal.localFlags & tcflag_t(ISIG) != 0)
    session.end()
    #expect(terminal.modes == before)
    #expect(terminal.written() == leave)
    session.end()
    EmergencyRestore.restore()
    #expect(terminal.written() == "")
  }

  @Test func releasingTheSessionEndsIt() throws {
    let before = terminal.modes
    func fail() throws {
      let session = try start()
      #expect(terminal.modes != before)
      try session.writer.send([0x41])
      throw TerminalError(.systemCall, operation: "on purpose")
    }
    #expect(throws: TerminalError.self) { try fail() }
    #expect(terminal.modes == before)
    #expect(terminal.written().hasSuffix("A" + leave))
  }

  @Test func theEmergencyRestoreDoesTheSame() throws {
    let before = terminal.modes
    let session = try start(.kitty)
    _ = terminal.written()
    EmergencyRestore.restore()
    #expect(terminal.modes == before)
    #expect(terminal.written() == "\u{1B}\\\u{1B}_Ga=d,d=A,q=2\u{1B}\\" + leave)
    session.end()
    #expect(terminal.written() == "")
  }

  @Test func thereIsOneSessionAtATime() throws {
    let session = try start()
    #expect(throws: TerminalError(.sessionActive, operation: "start of a session")) { try start() }
    session.end()
    try start().end()
  }

  @Test func outputMustBeATerminal() throws {
    var ends: [CInt] = [-1, -1]
    try #require(unsafe pipe(&ends) == 0)
    defer { for end in ends { close(end) } }
    let error = #expect(throws: TerminalError.self) {
      try TerminalSession(input: terminal.device, output: ends[1])
    }
    #expect(error?.code == .notATerminal)
    // A failed start leaves nothing behind that would forbid the next.
    try start().end()
  }

  @Test func handlersAreRestored() throws {
    let signals = [
      SIGINT, SIGTERM, SIGTSTP, SIGCONT, SIGWINCH, SIGHUP, SIGQUIT, SIGPIPE, SIGABRT, SIGSEGV,
      SIGUSR1, SIGUSR2, SIGALRM,
    ]
    func handlers() -> [Int] {
      signals.map { signal in
        var action = sigaction()
        unsafe sigaction(signal, nil, &action)
        return unsafe unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
      }
    }
    let before = handlers()
    let session = try start()
    // What is ignored, as under `nohup`, stays so.
    let ignored = unsafe unsafeBitCast(SIG_IGN, to: Int.self)
    #expect(zip(handlers(), before).allSatisfy { ($0 != $1) == ($1 != ignored) })
    session.end()
    #expect(handlers() == before)
  }

  @Test func keysArrive() throws {
    let input = TerminalInput(session: try start())
    terminal.type("a\u{1B}[A\r\u{13}é")
    for key in [Key.character("a"), .up, .enter, .control("s"), .character("é")] {
      #expect(try input.next() == .key(key))
    }
    #expect(try input.next(timeout: 0) == .timeout)
  }

  @Test func aLoneEscapeIsTheEscapeKeyAfterADelay() throws {
    let input = TerminalInput(session: try start())
    terminal.type("\u{1B}")
    #expect(try input.next() == .key(.escape))
  }

  @Test func signalsBecomeEvents() throws {
    let session = try start()
    let input = TerminalInput(session: session)
    terminal.type("a")
    SignalHandlers.send(SIGTERM)
    SignalHandlers.send(SIGINT)
    #expect(try input.next() == .interrupt(.interrupt))
    #expect(try input.next() == .interrupt(.terminate))
    #expect(try input.next() == .key(.character("a")))
    #expect(TerminalSignal.interrupt.exitStatus == 130)
    #expect(TerminalSignal.terminate.exitStatus == 143)
    session.end()
  }

  /// Of Ctrl-C, a request to end, a closed terminal and Ctrl-\, each ends the loop and then the process.
  @Test(arguments: TerminalSignal.all) func requestsToEndBecomeEvents(_ signal: TerminalSignal) throws {
    let session = try start()
    let input = TerminalInput(session: session)
    SignalHandlers.send(signal.rawValue)
    #expect(try input.next() == .interrupt(signal))
    // A closed terminal sends it again, from its kernel and its shell.
    SignalHandlers.send(SIGHUP)
    SignalHandlers.send(SIGHUP)
    #expect(try input.next() == .interrupt(.hangUp))
    session.end()
  }

  private var questions: String { TerminalQuestions.text(isMultiplexed: false) }
  private let answers =
    "\u{1B}]11;rgb:ffff/ffff/ffff\u{1B}\\\u{1B}_Gi=31;OK\u{1B}\\\u{1B}[6;20;10t\u{1B}[?62;4c"

  @Test func answersAreTakenAndKeysTypedMeanwhileKept() throws {
    let session = try start()
    let input = TerminalInput(session: session)
    terminal.type("a" + answers + "b")
    _ = terminal.written()
    // It would wait for ever without the last answer.
    try input.ask(questions, milliseconds: .max)
    #expect(terminal.written() == questions)
    #expect(input.replies.isComplete && input.replies.hasKittyGraphics && input.replies.hasSixel)
    #expect(input.replies.background == Color(0xFFFFFF))
    #expect(session.size.cell == TerminalCell(width: 10, height: 20))
    #expect(try input.next() == .key(.character("a")))
    #expect(try input.next() == .key(.character("b")))
    #expect(try input.next(timeout: 0) == .timeout)
    input.drainReplies()
    // The kernel's own numbers come before the answer.
    terminal.resize(columns: 90, rows: 30)
    #expect(session.size.cell == TerminalCell(width: 9, height: 18))
  }

  @Test func aSilentTerminalDelaysTheStartOnly() throws {
    let input = TerminalInput(session: try start())
    try input.ask(questions, milliseconds: 0)
    #expect(input.replies == TerminalReplies())
    #expect(try input.next(timeout: 0) == .timeout)
    // Late answers are an event, and no keys.
    terminal.type(answers + "b")
    #expect(try input.next() == .answered)
    #expect(input.replies.background == Color(0xFFFFFF))
    #expect(try input.next() == .key(.character("b")))
  }

  @Test func answersOnTheirWayAreTakenBeforeTheSessionEnds() throws {
    let session = try start()
    let input = TerminalInput(session: session)
    try input.ask(questions, milliseconds: 0)
    terminal.type(answers)
    input.drainReplies()
    session.end()
    var request = pollfd(fd: terminal.device, events: Int16(POLLIN), revents: 0)
    #expect(unsafe poll(&request, 1, 0) == 0)
    #expect(input.replies.isComplete)
  }

  @Test func signalsEndTheWaitForAnswers() throws {
    let input = TerminalInput(session: try start())
    SignalHandlers.send(SIGINT)
    try input.ask(questions, milliseconds: .max)
    #expect(try input.next() == .interrupt(.interrupt))
  }

  @Test func unrequestedAnswersAreIgnored() throws {
    let input = TerminalInput(session: try start())
    terminal.type(answers + "b")
    #expect(try input.next() == .key(.character("b")))
    #expect(input.replies == TerminalReplies())
  }

  @Test func theMouseIsFollowedOnRequest() throws {
    let session = try TerminalSession(
      input: terminal.device, output: terminal.device, usesMouse: true, followsMouse: true)
    #expect(terminal.written().hasSuffix("\u{1B}[?1003h\u{1B}[?1006h"))
    session.end()
    #expect(terminal.written().hasPrefix("\u{1B}\\\u{1B}[?1006l\u{1B}[?1003l"))
  }

  @Test func resizesBecomeOneEvent() throws {
    let session = try start()
    let input = TerminalInput(session: session)
    terminal.resize(columns: 100, rows: 40)
    SignalHandlers.send(SIGWINCH)
    terminal.resize(columns: 90, rows: 30)
    SignalHandlers.send(SIGWINCH)
    let size = TerminalSize(columns: 90, rows: 30, pixelWidth: 810, pixelHeight: 540)
    #expect(try input.next() == .resize(size))
    #expect(size.cell == TerminalCell(width: 9, height: 18))
    #expect(try input.next(timeout: 0) == .timeout)
  }

  @Test func resumingSetsTheTerminalUpAgain() throws {
    let session = try start()
    let input = TerminalInput(session: session)
    let ours = terminal.modes
    // As a shell does while the program is stopped.
    EmergencyRestore.restore()
    _ = terminal.written()
    SignalHandlers.send(SIGCONT)
    #expect(try input.next() == .resumed(session.size))
    #expect(terminal.modes == ours)
    #expect(terminal.written().hasPrefix("\u{1B}[?1049h"))
    session.end()
    #expect(terminal.written() == leave)
  }

  @Test func otherThreadsWakeTheLoop() throws {
    let session = try start()
    let waker = session.waker
    waker.wake()
    waker.wake()
    let input = TerminalInput(session: session)
    #expect(try input.next() == .wake)
    #expect(try input.next(timeout: 0) == .timeout)
    let thread = WorkerThread { waker.wake() }
    #expect(try input.next() == .wake)
    thread.join()
    session.end()
    // Waking without a listener is harmless.
    waker.wake()
  }

  @Test func theEndOfInputIsReportedOnce() throws {
    let session = try start()
    let input = TerminalInput(session: session)
    terminal.type("a")
    terminal.hangUp()
    var events: [TerminalEvent] = []
    repeat { events.append(try input.next()) } while events.last != .endOfInput && events.count < 3
    #expect(events.last == .endOfInput)
    #expect(try input.next(timeout: 0) == .timeout)
    let error = #expect(throws: TerminalError.self) { try session.writer.send([0x41]) }
    #expect(error?.code == .disconnected)
  }
}

@Suite struct TerminalOutputTests {
  @Test func aClosedPipeIsAnErrorAndNoSignal() throws {
    var ends: [CInt] = [-1, -1]
    try #require(unsafe pipe(&ends) == 0)
    close(ends[0])
    defer { close(ends[1]) }
    let output = TerminalOutput(descriptor: ends[1])
    for _ in 0..<2 {
      #expect(throws: TerminalError(.disconnected, operation: "write", errorNumber: EPIPE)) {
        try output.write([1, 2, 3])
      }
    }
    #expect(
      TerminalError(.disconnected, operation: "write", errorNumber: EPIPE).description
        == "write: disconnected (errno 32)")
  }

  @Test func aFullPipeIsWaitedFor() throws {
    var ends: [CInt] = [-1, -1]
    try #require(unsafe pipe(&ends) == 0)
    _ = fcntl(ends[1], F_SETFL, O_NONBLOCK)
    let (source, sink) = (ends[0], ends[1])
    let bytes = (0..<1_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    let reader = WorkerThread { () -> [UInt8] in
      var all: [UInt8] = []
      var chunk = [UInt8](repeating: 0, count: 65536)
      while true {
        let count = unsafe read(source, &chunk, chunk.count)
        guard count > 0 else { return all }
        all += chunk[..<count]
      }
    }
    try TerminalOutput(descriptor: sink).write(bytes)
    close(sink)
    #expect(reader.join() == bytes)
    close(source)
  }

  @Test func otherFailuresAreReported() {
    let error = #expect(throws: TerminalError.self) { try TerminalOutput(descriptor: -1).write([1]) }
    #expect(error == TerminalError(.systemCall, operation: "write", errorNumber: EBADF))
    #expect(throws: Never.self) { try TerminalOutput(descriptor: -1).write([]) }
  }
}
