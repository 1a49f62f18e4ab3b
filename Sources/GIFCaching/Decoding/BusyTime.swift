/// The time that the threads of a pool spend on decoding, all together. Pure: time is given in nanoseconds.
struct BusyTime: Sendable {
  /// How many threads count at the same time. Where callers decode, one call may lead to another on the same thread.
  private let limit: Int
  private(set) var threads = 0
  private var total: Int64 = 0
  private var since: Int64 = 0

  init(limit: Int) { self.limit = max(1, limit) }

  /// So many threads more, or fewer, decode from now on.
  mutating func change(by threads: Int, at now: Int64) {
    total = nanoseconds(at: now)
    since = now
    self.threads += threads
  }

  /// The sum over all threads, those that decode now included.
  func nanoseconds(at now: Int64) -> Int64 { total + Int64(min(limit, threads)) * max(0, now - since) }
}
