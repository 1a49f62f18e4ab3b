internal import EngineSupport

/// The time that the threads of a pool spend on decoding, all together. Time is given in nanoseconds.
struct BusyTime: Sendable {
  /// How many threads count at the same time. Where callers decode, one call may lead to another on the same
  /// thread.
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

/// How busy the threads of a pool are. To measure a pool keep this object, which does not keep the pool.
package final class PoolUsage: Sendable {
  private let state: Lock<(busy: BusyTime, workers: Int)>
  private let now: @Sendable () -> Int64

  init(workers: Int, now: @escaping @Sendable () -> Int64) {
    state = Lock((BusyTime(limit: workers), max(1, workers)))
    self.now = now
  }

  /// So many threads more, or fewer, decode from now on.
  func change(by threads: Int) { state.withLock { $0.busy.change(by: threads, at: now()) } }

  /// Takes how many threads there are.
  func setWorkers(_ count: Int) { state.withLock { $0.workers = max(1, count) } }

  /// The time that the threads have spent on decoding, all together. At most ``workerCount`` times as long as
  /// passes.
  package var busyNanoseconds: Int64 { state.withLock { $0.busy.nanoseconds(at: now()) } }

  /// How many threads decode at the same time.
  package var workerCount: Int { state.withLock { $0.workers } }
}
