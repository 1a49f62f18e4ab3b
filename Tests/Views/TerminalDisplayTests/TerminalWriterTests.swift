import Glibc
import Testing

@testable import TerminalDisplay

@Suite struct PendingBytesTests {
  /// A terminal that takes this many bytes each time it is asked.
  private func drain(_ pending: inout PendingBytes, taking counts: [Int]) throws -> (all: Bool, [UInt8]) {
    var (taken, turn) = ([UInt8](), 0)
    let isAll = try pending.drain { rest throws(TerminalError) in
      let count = turn < counts.count ? min(counts[turn], rest.count) : 0
      turn += 1
      for index in 0..<count { taken.append(rest[index]) }
      return count
    }
    return (isAll, taken)
  }

  @Test func unwrittenBytesStayInOrder() throws {
    var pending = PendingBytes()
    #expect(pending.isEmpty)
    pending.set(Array(1...10))
    #expect(try drain(&pending, taking: [3]) == (false, [1, 2, 3]))
    #expect(!pending.isEmpty)
    #expect(try drain(&pending, taking: []) == (false, []))
    #expect(try drain(&pending, taking: [1, 2]) == (false, [4, 5, 6]))
    #expect(try drain(&pending, taking: [100]) == (true, [7, 8, 9, 10]))
    #expect(pending.isEmpty)
    #expect(try drain(&pending, taking: [1]) == (true, []))
  }

  @Test func aFailureLeavesTheRest() throws {
    var pending = PendingBytes()
    pending.set([1, 2])
    #expect(throws: TerminalError.self) {
      try pending.drain { _ throws(TerminalError) in
        throw TerminalError(.disconnected, operation: "write")
      }
    }
    #expect(!pending.isEmpty)
    pending.discard()
    #expect(pending.isEmpty)
    pending.set([3])
    #expect(try drain(&pending, taking: [1]) == (true, [3]))
  }

  @Test func anEmptyUpdateIsIdle() {
    var pending = PendingBytes()
    pending.set([])
    #expect(pending.isEmpty)
  }
}

/// These have a session, which is the process's: see ``TerminalSessionTests``.
extension TerminalSessionTests {
  /// More bytes than a terminal without a reader accepts.
  private static let large = [UInt8](repeating: UInt8(ascii: "x"), count: 4 << 20)

  @Test func aFullTerminalIsNotWaitedFor() throws {
    let session = try start()
    let input = TerminalInput(session: session)
    #expect(session.writer.isIdle)
    try session.writer.send(Self.large)
    #expect(!session.writer.isIdle)
    // Keys arrive meanwhile.
    terminal.type("a")
    #expect(try input.next() == .key(.character("a")))
    // The end of the update is reported.
    let screen = terminal.screen
    let reader = WorkerThread { () -> Int in
      var (count, chunk) = (0, [UInt8](repeating: 0, count: 65536))
      while count < Self.large.count {
        var request = pollfd(fd: screen, events: Int16(POLLIN), revents: 0)
        guard unsafe poll(&request, 1, -1) >= 0 else { continue }
        let read = unsafe Glibc.read(screen, &chunk, chunk.count)
        if read > 0 { count += chunk[..<read].count { $0 == UInt8(ascii: "x") } }
      }
      return count
    }
    #expect(try input.next() == .outputTaken)
    #expect(session.writer.isIdle)
    #expect(reader.join() == Self.large.count)
  }

  @Test func aFullTerminalDoesNotKeepTheSessionFromEnding() throws {
    let before = terminal.modes
    let session = try start()
    try session.writer.send(Self.large)
    session.end()
    #expect(terminal.modes == before)
  }

  @Test func theMouseIsTurnedOnAndOffAgain() throws {
    let (on, off) = ("\u{1B}[?1002h\u{1B}[?1006h", "\u{1B}[?1006l\u{1B}[?1002l")
    let session = try TerminalSession(input: terminal.device, output: terminal.device, usesMouse: true)
    #expect(terminal.written().hasSuffix(on))
    let input = TerminalInput(session: session)
    terminal.type("\u{1B}[<0;3;2Mq")
    #expect(try input.next() == .mouse(MouseReport(.press, column: 2, row: 1)))
    #expect(try input.next() == .key(.character("q")))
    // On every way out: those that signals and bugs take, too.
    EmergencyRestore.restore()
    #expect(terminal.written() == "\u{1B}\\" + off + leave)
    SignalHandlers.send(SIGCONT)
    #expect(try input.next() == .resumed(session.size))
    #expect(terminal.written().hasSuffix(on))
    session.end()
    #expect(terminal.written() == "\u{1B}\\" + off + leave)
  }
}
