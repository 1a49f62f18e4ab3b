internal import EngineSupport
internal import GIFDecoding
internal import Synchronization

/// Work that several threads do together.
protocol PooledWork: AnyObject, Sendable {
  /// Takes part until the work is over. Called on as many threads as were recruited, at any time, perhaps only when
  /// everything is done.
  func help(with decoder: inout FrameDecoder)
}

/// Threads that help whoever has work for several, and wait for more afterwards.
///
/// They are kept, and so are their decoders: starting a thread and touching fresh memory takes longer than decoding
/// many a GIF. Threads above the number of processors end when they have nothing to do.
final class WorkerPool: Sendable {
  /// One crew for the process.
  static let shared = WorkerPool(keeping: EngineThread.processorCount)

  private struct State {
    var calls: [any PooledWork] = []
    /// Threads without work, those that are about to start included.
    var idle = 0
  }

  private let state = Monitor(State())
  private let openCalls = Atomic<Int>(0)
  private let changes = EventCount()
  private let keptThreads: Int

  /// A number of threads that makes sense on any machine: 1 to 1,024.
  static func clamped(_ jobs: Int) -> Int { min(1024, max(1, jobs)) }

  /// - Parameter keptThreads: how many threads without work are kept.
  init(keeping keptThreads: Int) { self.keptThreads = keptThreads }

  /// Has `count` threads help with `work`, as soon as they can. Fewer where the system gives no more.
  func assign(_ count: Int, to work: any PooledWork) {
    guard count > 0 else { return }
    let missing = state.withLock { state in
      state.calls.append(contentsOf: repeatElement(work, count: count))
      openCalls.store(state.calls.count, ordering: .relaxed)
      let missing = max(0, state.calls.count - state.idle)
      state.idle += missing
      return missing
    }
    changes.notify()
    for started in 0..<missing where !EngineThread.start({ [self] in serve() }) {
      dropUnserved(missing - started)
      return
    }
  }

  /// Goes on without so many threads; calls for which there is nobody are dropped.
  private func dropUnserved(_ count: Int) {
    state.withLock { state in
      state.idle -= count
      state.calls.removeLast(max(0, state.calls.count - state.idle))
      openCalls.store(state.calls.count, ordering: .relaxed)
    }
  }

  private func serve() {
    var decoder = FrameDecoder()
    while true {
      while let work = takeCall() {
        work.help(with: &decoder)
        decoder.trim()
        guard returns() else { return }
      }
      changes.wait { openCalls.load(ordering: .relaxed) > 0 }
    }
  }

  private func takeCall() -> (any PooledWork)? {
    state.withLock { state in
      guard !state.calls.isEmpty else { return nil }
      state.idle -= 1
      let work = state.calls.removeFirst()
      openCalls.store(state.calls.count, ordering: .relaxed)
      return work
    }
  }

  /// Whether a thread that has done its work stays; it is idle then.
  private func returns() -> Bool {
    state.withLock { state in
      guard state.idle < keptThreads || state.calls.count > state.idle else { return false }
      state.idle += 1
      return true
    }
  }

  /// Threads without work now; for tests.
  var idleThreads: Int { state.withLock { $0.idle } }
}
