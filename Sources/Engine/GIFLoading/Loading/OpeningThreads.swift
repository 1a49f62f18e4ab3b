internal import DequeModule
internal import EngineSupport

/// A few threads that open files; each ends when there are no more jobs.
///
/// Many files open at once, and no transfer waits for them.
final class OpeningThreads: Sendable {
  typealias Job = @Sendable () -> Void

  static let shared = OpeningThreads(limit: min(4, max(2, EngineThread.processorCount)))

  /// Runs what programs do with complete images, one after another: they may wait for a disk, or for other
  /// loads.
  static let completions = OpeningThreads(limit: 1)

  private struct State {
    var jobs: Deque<Job> = []
    var threadCount = 0
  }

  private let state = Lock(State())
  private let limit: Int

  /// - Parameter limit: the largest number of threads, at least 1.
  init(limit: Int) { self.limit = max(1, limit) }

  /// Runs a job on one of the threads; jobs start in order.
  func run(_ job: @escaping Job) {
    let startsThread = state.withLock { state in
      state.jobs.append(job)
      guard state.threadCount < limit else { return false }
      state.threadCount += 1
      return true
    }
    // Without a thread the jobs run here.
    if startsThread, !EngineThread.start({ self.work() }) { work() }
  }

  private func work() {
    while let job = next() { job() }
  }

  /// The next job; without one the calling thread counts as ended.
  private func next() -> Job? {
    state.withLock { state in
      if let job = state.jobs.popFirst() { return job }
      state.threadCount -= 1
      return nil
    }
  }
}
