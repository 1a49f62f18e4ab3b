import Glibc

/// The bytes of one update, and the number of them already written.
struct PendingBytes: Hashable, Sendable {
  private var bytes: [UInt8] = []
  private var position = 0

  var isEmpty: Bool { position == bytes.count }

  /// Sets the next update; the one before must be written, so that updates never queue.
  mutating func set(_ update: [UInt8]) {
    precondition(isEmpty)
    bytes = update
    position = 0
  }

  /// Writes the remaining bytes until all are written or none is accepted.
  ///
  /// - Parameter write: writes bytes and returns how many were accepted.
  /// - Returns: whether all bytes are written.
  mutating func drain(
    _ write: (Span<UInt8>) throws(TerminalError) -> Int
  ) throws(TerminalError) -> Bool {
    while !isEmpty {
      let count = try write(bytes.span.extracting(position..<bytes.count))
      guard count > 0 else { return false }
      position = min(bytes.count, position + count)
    }
    discard()
    return true
  }

  mutating func discard() {
    bytes = []
    position = 0
  }
}

/// A non-blocking writer of updates to a terminal.
///
/// It buffers the rest of one update at most. The caller draws only while ``isIdle``, so a busy terminal
/// skips pictures. ``TerminalInput`` writes the rest when the terminal accepts it, and reports when all is
/// written.
///
/// The terminal is opened again, since non-blocking mode applies to all users of a descriptor, such as the
/// shell. If that fails, writing blocks.
public final class TerminalWriter {
  /// The descriptor written to.
  let descriptor: CInt
  private let isOwned: Bool
  private var pending = PendingBytes()

  /// - Parameter terminal: an open descriptor of a terminal; it is borrowed.
  init(terminal: CInt) {
    let flags = O_WRONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC
    let opened = unsafe open("/proc/self/fd/\(terminal)", flags)
    isOwned = opened >= 0
    descriptor = isOwned ? opened : terminal
  }

  deinit { if isOwned { close(descriptor) } }

  /// Whether all sent bytes are written.
  public var isIdle: Bool { pending.isEmpty }

  /// Sends an update; only while ``isIdle``.
  ///
  /// - Throws: `disconnected` if the terminal is closed, `systemCall` for other failures.
  public func send(_ update: [UInt8]) throws(TerminalError) {
    pending.set(update)
    try flush()
  }

  /// Writes what the terminal accepts now; returns whether all is written.
  @discardableResult
  func flush() throws(TerminalError) -> Bool {
    let output = TerminalOutput(descriptor: descriptor)
    return try pending.drain { rest throws(TerminalError) in try output.writeSome(rest) }
  }

  /// Discards the rest.
  func discard() { pending.discard() }
}
