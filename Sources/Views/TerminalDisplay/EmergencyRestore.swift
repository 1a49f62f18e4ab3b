import Glibc
import Synchronization

/// Restores the terminal, however the program ends.
///
/// Normal ends, `exit` and signal handlers call ``restore()``. Its data is prepared in memory that is never
/// freed, and it calls async-signal-safe functions only.
enum EmergencyRestore {
  /// The room for the bytes that leave the screen.
  static let capacity = 256

  private struct Record {
    var input: CInt
    var output: CInt
    var modes: termios
    var count: Int
  }

  private nonisolated(unsafe) static let record = UnsafeMutablePointer<Record>.allocate(capacity: 1)
  private nonisolated(unsafe) static let bytes = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
  private static let isPrepared = Atomic<Bool>(false)
  private static let atExit: Void = { _ = atexit { EmergencyRestore.restore() } }()

  /// Prepares the restoration. Call it before the terminal is changed.
  ///
  /// - Parameters:
  ///   - input: the terminal whose modes change.
  ///   - output: the terminal to write `leaveSequence` to.
  ///   - modes: the modes to go back to.
  ///   - leaveSequence: at most ``capacity`` bytes.
  static func prepare(input: CInt, output: CInt, modes: termios, leaveSequence: [UInt8]) {
    precondition(leaveSequence.count <= capacity && !isPrepared.load(ordering: .acquiring))
    _ = atExit
    for (index, byte) in leaveSequence.enumerated() { unsafe bytes[index] = byte }
    unsafe record.initialize(
      to: Record(input: input, output: output, modes: modes, count: leaveSequence.count))
    isPrepared.store(true, ordering: .releasing)
  }

  /// Discards the prepared data.
  static func reset() { isPrepared.store(false, ordering: .releasing) }

  /// Restores the terminal if it has to be restored. Async-signal-safe.
  ///
  /// The data is discarded only after the work, so that a signal handler that interrupts it repeats all of
  /// it.
  static func restore() {
    guard isPrepared.load(ordering: .acquiring) else { return }
    // Otherwise a background program would be stopped here.
    var (blocked, before) = (sigset_t(), sigset_t())
    unsafe sigemptyset(&blocked)
    unsafe sigaddset(&blocked, SIGTTOU)
    unsafe pthread_sigmask(SIG_BLOCK, &blocked, &before)

    unsafe writeLeaveSequence(record.pointee.output, count: record.pointee.count)
    // Without waiting for the output to drain, as it may have no reader.
    while unsafe tcsetattr(record.pointee.input, TCSANOW, &record.pointee.modes) != 0 && errno == EINTR {}

    unsafe pthread_sigmask(SIG_SETMASK, &before, nil)
    isPrepared.store(false, ordering: .releasing)
  }

  /// Writes for about a second at most, so that a blocked terminal does not keep the program from ending.
  private static func writeLeaveSequence(_ output: CInt, count: Int) {
    var (position, attemptsLeft) = (0, 10)
    while position < count && attemptsLeft > 0 {
      let written = unsafe write(output, bytes + position, count - position)
      if written > 0 {
        position += written
      } else if written < 0 && errno == EAGAIN {
        var request = pollfd(fd: output, events: Int16(POLLOUT), revents: 0)
        _ = unsafe poll(&request, 1, 100)
        attemptsLeft -= 1
      } else if written == 0 || errno != EINTR {
        return
      }
    }
  }
}
