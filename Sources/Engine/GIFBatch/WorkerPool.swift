internal import DequeModule
internal import EngineSupport
internal import GIFDecoding
internal import Synchronization

/// Work for several threads.
protocol PooledWork: AnyObject, Sendable {
  /// Works until nothing is left. Called on the assigned threads at any time, even after all work is done.
  func help(with decoder: inout FrameDecoder)
}

/// The threads of the process that take part in batches.
///
/// Idle threads stay, and keep their decoders: starting a thread and touching fresh memory takes longer than
/// decoding many a GIF. Threads above the number of processors end when they become idle.
final class WorkerPool: Sendable {
  /// The pool of the process.
  static let shared = WorkerPool(keeping: EngineThread.processorCount)

  private struct State {
    var calls: Deque<any PooledWork> = []
    /// Idle threads, those about to start included.
    var idle = 0
    /// Whether an idle thread spins for calls before it sleeps. One at a time: others would take the
    /// processor from those that work.
    var isSpinning = false
  }

  private let state = Monitor(State())
  private let openCalls = Atomic<Int>(0)
  private let keptThreads: Int

  /// Clips a number of threads to 1 to 1,024.
  static func clamped(_ jobs: Int) -> Int { min(1024, max(1, jobs)) }

  /// - Parameter keptThreads: the largest number of idle threads.
  init(keeping keptThreads: Int) { self.keptThreads = keptThreads }

  /// Assigns `count` threads to `work`, fewer if the system starts no more; returns whether there is one.
  @discardableResult
  func assign(_ count: Int, to work: any PooledWork) -> Bool {
    guard count > 0 else { return false }
    let (missing, sleeping) = state.withLock { state in
      state.calls.append(contentsOf: repeatElement(work, count: count))
      openCalls.store(state.calls.count, ordering: .relaxed)
      let missing = max(0, state.calls.count - state.idle)
      state.idle += missing
      return (missing, min(count, state.calls.count - missing - (state.isSpinning ? 1 : 0)))
    }
    for _ in 0..<max(0, sleeping) { state.signal() }
    for started in 0..<missing where !EngineThread.start({ [self] in serve() }) {
      dropUnserved(missing - started)
      return missing - started < count
    }
    return true
  }

  /// Counts off threads that did not start, and drops assignments without a thread.
  private func dropUnserved(_ count: Int) {
    state.withLock { state in
      state.idle -= count
      state.calls.removeLast(max(0, state.calls.count - state.idle))
      openCalls.store(state.calls.count, ordering: .relaxed)
    }
  }

  private func serve() {
    var decoder = FrameDecoder()
    repeat {
      awaitedCall().help(with: &decoder)
      decoder.trim()
    } while returns()
  }

  /// Waits for a call and takes it.
  private func awaitedCall() -> any PooledWork {
    let isSpinning = state.withLock { state in
      guard state.calls.isEmpty, !state.isSpinning else { return false }
      state.isSpinning = true
      return true
    }
    if isSpinning { _ = EventCount.spin(until: { openCalls.load(ordering: .relaxed) > 0 }) }
    var endsSpinning = isSpinning
    return state.waitingWithLock { state in
      if endsSpinning { state.isSpinning = false }
      endsSpinning = false
      guard !state.calls.isEmpty else { return .wait(until: nil) }
      state.idle -= 1
      let work = state.calls.removeFirst()
      openCalls.store(state.calls.count, ordering: .relaxed)
      return .done(work)
    }
  }

  /// Whether a thread stays after its work; it is idle then.
  private func returns() -> Bool {
    state.withLock { state in
      guard state.idle < keptThreads || state.calls.count > state.idle else { return false }
      state.idle += 1
      return true
    }
  }

  /// The number of idle threads, for tests.
  var idleThreads: Int { state.withLock { $0.idle } }
}
