internal import EngineSupport
import Glibc
import Synchronization

/// Carries signals from their handlers to the main loop.
///
/// A handler sets a bit and writes to a pipe on which the loop polls. The bits identify the signals: they
/// cannot overflow, and repeated signals count once. The pipe is created once and never closed, so that no
/// handler or ``TerminalWaker`` writes to a reused descriptor.
///
/// Handlers use atomics that need no locks and system calls from POSIX's async-signal-safe list, nothing
/// else.
enum SignalRelay {
  /// The bit of ``TerminalWaker/wake()``; the others are numbered by their signals, which begin at 1.
  static let wakeBit: UInt64 = 1

  private static let pending = Atomic<UInt64>(0)
  private static let readEnd = Atomic<CInt>(-1)
  private static let writeEnd = Atomic<CInt>(-1)
  private static let creation = Mutex<Void>(())

  static func bit(_ signal: CInt) -> UInt64 { 1 << UInt64(signal) }

  /// Creates the pipe at the first call, and returns its readable end.
  static func prepare() throws(TerminalError) -> CInt {
    let failure: CInt = creation.withLock { _ in
      guard readEnd.load(ordering: .acquiring) < 0 else { return 0 }
      var ends: (CInt, CInt) = (-1, -1)
      let status = unsafe withUnsafeMutableBytes(of: &ends) { bytes in
        unsafe pipe(bytes.baseAddress?.assumingMemoryBound(to: CInt.self))
      }
      guard status == 0 else { return errno }
      for end in [ends.0, ends.1] {
        _ = fcntl(end, F_SETFD, FD_CLOEXEC)
        _ = fcntl(end, F_SETFL, O_NONBLOCK)
      }
      writeEnd.store(ends.1, ordering: .releasing)
      readEnd.store(ends.0, ordering: .releasing)
      return 0
    }
    guard failure == 0 else {
      throw TerminalError(.systemCall, operation: "pipe", errorNumber: failure)
    }
    return readEnd.load(ordering: .acquiring)
  }

  /// Sets a bit and wakes the loop. Async-signal-safe.
  ///
  /// - Returns: whether the bit was already set, so that the loop has not handled it.
  @discardableResult
  static func post(_ bit: UInt64) -> Bool {
    let before = pending.bitwiseOr(bit, ordering: .acquiringAndReleasing).oldValue
    var token: UInt8 = 0
    // A full pipe already wakes the loop.
    _ = unsafe write(writeEnd.load(ordering: .acquiring), &token, 1)
    return before & bit != 0
  }

  /// Empties the pipe and takes all bits.
  static func take() -> UInt64 {
    // In this order a post in between only causes an additional wake-up.
    var tokens: UInt64 = 0
    while unsafe read(readEnd.load(ordering: .acquiring), &tokens, MemoryLayout<UInt64>.size) > 0 {}
    return pending.exchange(0, ordering: .acquiringAndReleasing)
  }
}
