import Glibc
import Synchronization

/// Puts the terminal back as it was, from wherever the program ends.
///
/// Normal ends, `exit` and signal handlers all come through ``fire()``. What it needs is laid down beforehand
/// in memory that is never freed, and it calls nothing but async-signal-safe functions.
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
  private static let isArmed = Atomic<Bool>(false)
  private static let atExit: Void = { _ = atexit { EmergencyRestore.fire() } }()

  /// Lays down what to restore. Call it before the terminal is changed.
  ///
  /// - Parameters:
  ///   - input: the terminal whose modes change.
  ///   - output: the terminal to write `farewell` to.
  ///   - modes: the modes to go back to.
  ///   - farewell: at most ``capacity`` bytes.
  static func arm(input: CInt, output: CInt, modes: termios, farewell: [UInt8]) {
    precondition(farewell.count <= capacity && !isArmed.load(ordering: .acquiring))
    _ = atExit
    for (index, byte) in farewell.enumerated() { unsafe bytes[index] = byte }
    unsafe record.initialize(
      to: Record(input: input, output: output, modes: modes, count: farewell.count))
    isArmed.store(true, ordering: .releasing)
  }

  /// Forgets what was laid down, to lay it down anew.
  static func disarm() { isArmed.store(false, ordering: .releasing) }

  /// Restores the terminal if it has to be restored. Async-signal-safe.
  ///
  /// It is disarmed only after the work is done: should a deadly signal come in the middle, its handler does
  /// all of it again, which is harmless, where relying on the half-done first attempt is not.
  static func fire() {
    guard isArmed.load(ordering: .acquiring) else { return }
    // Else a program in the background would be stopped here, and could not be killed.
    var (blocked, before) = (sigset_t(), sigset_t())
    unsafe sigemptyset(&blocked)
    unsafe sigaddset(&blocked, SIGTTOU)
    unsafe pthread_sigmask(SIG_BLOCK, &blocked, &before)

    unsafe writeFarewell(record.pointee.output, count: record.pointee.count)
    // Not waiting for the output to drain: nobody may be there to read it.
    while unsafe tcsetattr(record.pointee.input, TCSANOW, &record.pointee.modes) != 0 && errno == EINTR {}

    unsafe pthread_sigmask(SIG_SETMASK, &before, nil)
    isArmed.store(false, ordering: .releasing)
  }

  /// Writes what can be written in about a second; a terminal that takes nothing must not keep the program
  /// from ending.
  private static func writeFarewell(_ output: CInt, count: Int) {
    var (position, patience) = (0, 10)
    while position < count && patience > 0 {
      let written = unsafe write(output, bytes + position, count - position)
      if written > 0 {
        position += written
      } else if written < 0 && errno == EAGAIN {
        var request = pollfd(fd: output, events: Int16(POLLOUT), revents: 0)
        _ = unsafe poll(&request, 1, 100)
        patience -= 1
      } else if written == 0 || errno != EINTR {
        return
      }
    }
  }
}
