import Glibc

/// A blocking output to a descriptor.
public struct TerminalOutput: Hashable, Sendable {
  /// The descriptor; it is borrowed, never closed.
  public let descriptor: CInt

  /// Makes an output for an open descriptor.
  public init(descriptor: CInt = 1) { self.descriptor = descriptor }

  /// Writes all bytes and waits for the reader. Signals and non-blocking descriptors are handled.
  ///
  /// - Throws: `disconnected` if the reader is closed (`EPIPE`, `EIO`; no `SIGPIPE` is raised), `systemCall`
  ///   for other failures. Some of the bytes may have been written then.
  public func write(_ bytes: Span<UInt8>) throws(TerminalError) {
    var position = 0
    while position < bytes.count {
      let count = try writeSome(bytes.extracting(position..<bytes.count))
      position += count
      if count == 0 {
        var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        // Failures show at the next write.
        _ = unsafe poll(&request, 1, -1)
      }
    }
  }

  /// Writes as many bytes as are accepted at once.
  ///
  /// - Returns: how many that were; less than all only with a non-blocking descriptor.
  /// - Throws: as ``write(_:)-(Span<UInt8>)``.
  func writeSome(_ bytes: Span<UInt8>) throws(TerminalError) -> Int {
    let mask = BrokenPipeMask()
    var failure: TerminalError?
    var position = 0
    while position < bytes.count && failure == nil {
      let rest = bytes.extracting(position..<bytes.count)
      let written = unsafe rest.withUnsafeBytes { unsafe Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if written > 0 {
        position += written
      } else if written == 0 || errno == EAGAIN {
        break
      } else {
        failure = Self.failure(errno)
      }
    }
    mask.lower(afterBrokenPipe: failure?.errorNumber == EPIPE)
    if let failure { throw failure }
    return position
  }

  /// Writes all bytes; see ``write(_:)-(Span<UInt8>)``.
  public func write(_ bytes: [UInt8]) throws(TerminalError) { try write(bytes.span) }

  /// The error of an `errno`; nil if the write can be repeated.
  private static func failure(_ number: CInt) -> TerminalError? {
    switch number {
    case EINTR: nil
    case EPIPE, EIO: TerminalError(.disconnected, operation: "write", errorNumber: number)
    default: TerminalError(.systemCall, operation: "write", errorNumber: number)
    }
  }
}

/// A block of `SIGPIPE` for the calling thread during a write; the process's disposition stays.
private struct BrokenPipeMask {
  private var pipeOnly = sigset_t()
  private var before = sigset_t()
  private var wasPending = false

  init() {
    var pending = sigset_t()
    unsafe sigemptyset(&pipeOnly)
    unsafe sigaddset(&pipeOnly, SIGPIPE)
    unsafe sigpending(&pending)
    wasPending = unsafe sigismember(&pending, SIGPIPE) == 1
    unsafe pthread_sigmask(SIG_BLOCK, &pipeOnly, &before)
  }

  /// Ends the block; a pending signal of this write is consumed first.
  func lower(afterBrokenPipe isBroken: Bool) {
    var (set, mask) = (pipeOnly, before)
    if isBroken && !wasPending {
      var immediately = timespec()
      while unsafe sigtimedwait(&set, nil, &immediately) == -1 && errno == EINTR {}
    }
    unsafe pthread_sigmask(SIG_SETMASK, &mask, nil)
  }
}
