/// When a transfer has taken too long: pure arithmetic. Instants are nanoseconds of one steady clock.
///
/// libcurl itself watches the time to connect, which it alone can split over several addresses.
struct TransferDeadlines {
  let start: Int64
  private let idle: Int64
  private let total: Int64
  /// The last sign of life; nil while there is no connection.
  private var lastActivity: Int64?

  init(start: Int64, idle: Duration, total: Duration) {
    self.start = start
    self.idle = idle.wholeMilliseconds
    self.total = total.wholeMilliseconds
  }

  /// Something came, or the connection was made.
  mutating func activity(at now: Int64) { lastActivity = max(now, lastActivity ?? now) }

  /// A new connection is being made.
  mutating func disconnected() { lastActivity = nil }

  var isConnected: Bool { lastActivity != nil }

  /// When the first of the limits is passed, and which that is, in milliseconds.
  var next: (instant: Int64, milliseconds: Int64) {
    let end = start &+ total * 1_000_000
    guard let lastActivity else { return (end, total) }
    let stall = lastActivity &+ idle * 1_000_000
    return stall < end ? (stall, idle) : (end, total)
  }
}

extension Duration {
  /// In milliseconds, rounded up; between one and 2^31 - 1, about 25 days.
  var wholeMilliseconds: Int64 {
    let (seconds, attoseconds) = components
    guard seconds >= 0, attoseconds >= 0 else { return 1 }
    guard seconds < 2_000_000 else { return Int64(Int32.max) }
    return max(1, seconds * 1000 + (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
  }
}
