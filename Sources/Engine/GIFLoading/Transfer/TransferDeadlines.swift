/// The time limits of a transfer. Instants are nanoseconds of the monotonic clock.
///
/// libcurl enforces the time to connect, as only it can split that time over several addresses.
struct TransferDeadlines {
  let start: Int64
  private let idle: Int64
  private let total: Int64
  /// The instant of the last activity; nil without a connection.
  private var lastActivity: Int64?

  init(start: Int64, idle: Duration, total: Duration) {
    self.start = start
    self.idle = idle.limitMilliseconds
    self.total = total.limitMilliseconds
  }

  /// Records a received byte or a new connection.
  mutating func activity(at now: Int64) { lastActivity = max(now, lastActivity ?? now) }

  /// Records the loss of the connection.
  mutating func disconnected() { lastActivity = nil }

  var isConnected: Bool { lastActivity != nil }

  /// The first limit to be exceeded: its instant, and its length in milliseconds.
  var next: (instant: Int64, milliseconds: Int64) {
    let end = start &+ total * 1_000_000
    guard let lastActivity else { return (end, total) }
    let stall = lastActivity &+ idle * 1_000_000
    return stall < end ? (stall, idle) : (end, total)
  }
}

extension Duration {
  /// As a limit in milliseconds: rounded up, from 1 to 2^31 - 1 (25 days).
  var limitMilliseconds: Int64 {
    let (seconds, attoseconds) = components
    guard seconds >= 0, attoseconds >= 0 else { return 1 }
    guard seconds < 2_000_000 else { return Int64(Int32.max) }
    return max(1, seconds * 1000 + (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
  }
}
