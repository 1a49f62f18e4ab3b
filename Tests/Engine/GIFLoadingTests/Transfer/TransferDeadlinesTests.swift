import Testing

@testable import GIFLoading

/// When a transfer has taken too long.
@Suite struct TransferDeadlinesTests {
  private let millisecond: Int64 = 1_000_000

  @Test func idleCountsOnceThereIsAConnection() {
    var deadlines = TransferDeadlines(start: 5, idle: .milliseconds(10), total: .milliseconds(100))
    #expect(!deadlines.isConnected)
    #expect(deadlines.next == (5 + 100 * millisecond, 100))
    deadlines.activity(at: 5 + 40 * millisecond)
    #expect(deadlines.isConnected)
    #expect(deadlines.next == (5 + 50 * millisecond, 10))
    deadlines.activity(at: 5 + 45 * millisecond)
    #expect(deadlines.next == (5 + 55 * millisecond, 10))
    // An earlier report changes nothing.
    deadlines.activity(at: 0)
    #expect(deadlines.next == (5 + 55 * millisecond, 10))
  }

  /// However lively the transfer, the end of the whole stays where it is, redirects included.
  @Test func totalHolds() {
    var deadlines = TransferDeadlines(start: 0, idle: .milliseconds(10), total: .milliseconds(100))
    for time in stride(from: Int64(0), through: 90, by: 5) { deadlines.activity(at: time * millisecond) }
    #expect(deadlines.next == (100 * millisecond, 100))
    deadlines.disconnected()
    #expect(deadlines.next == (100 * millisecond, 100))
    deadlines.activity(at: 50 * millisecond)
    #expect(deadlines.next == (60 * millisecond, 10))
  }

  @Test func extremes() {
    var deadlines = TransferDeadlines(
      start: .max - 5, idle: .seconds(Int64.max), total: .seconds(Int64.max))
    _ = deadlines.next
    deadlines.activity(at: .max)
    _ = deadlines.next
  }

  @Test(
    arguments: [
      (.zero, 1), (.seconds(-5), 1), (.nanoseconds(1), 1), (.milliseconds(7), 7), (.microseconds(7001), 8),
      (.seconds(30), 30_000), (.seconds(Int64.max), Int64(Int32.max)), (.seconds(Int64.min), 1),
      (.seconds(3_000_000), Int64(Int32.max)), (.nanoseconds(-1), 1),
    ] as [(Duration, Int64)])
  func milliseconds(_ duration: Duration, _ expected: Int64) {
    #expect(duration.limitMilliseconds == expected)
  }
}
