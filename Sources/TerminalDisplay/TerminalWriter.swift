import Glibc

/// Bytes on their way to a terminal: those of one update, and how many of them have gone. Pure.
struct PendingBytes: Hashable, Sendable {
  private var bytes: [UInt8] = []
  private var position = 0

  var isEmpty: Bool { position == bytes.count }

  /// Takes an update in; there must be nothing left of the one before, so that nothing ever queues.
  mutating func set(_ update: [UInt8]) {
    precondition(isEmpty)
    bytes = update
    position = 0
  }

  /// Hands on what has not gone yet until all has, or none of it is taken.
  ///
  /// - Parameter write: takes bytes, and returns how many of them it took.
  /// - Returns: whether all has gone.
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

/// Writes updates to a terminal without ever waiting for it.
///
/// It holds what is left of one update at the most: whoever draws asks ``isIdle`` first, and while the terminal is
/// busy leaves pictures out rather than have them wait in a line. ``TerminalInput`` writes the rest as the terminal
/// takes it, and tells when all is gone.
///
/// The terminal is opened anew for this, since "non-blocking" would otherwise hold for everybody who shares the
/// descriptor, the shell included. Where that cannot be done, writing waits after all.
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

  /// Whether the terminal has taken all that was sent.
  public var isIdle: Bool { pending.isEmpty }

  /// Sends an update; only while ``isIdle``.
  ///
  /// - Throws: `disconnected` if the terminal is gone, `systemCall` for other failures.
  public func send(_ update: [UInt8]) throws(TerminalError) {
    pending.set(update)
    try flush()
  }

  /// Writes what the terminal takes now; returns whether that was all there was.
  @discardableResult
  func flush() throws(TerminalError) -> Bool {
    let output = TerminalOutput(descriptor: descriptor)
    return try pending.drain { rest throws(TerminalError) in try output.writeSome(rest) }
  }

  /// Forgets what is left.
  func discard() { pending.discard() }
}
