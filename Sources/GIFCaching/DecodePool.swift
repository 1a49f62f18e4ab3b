/// Something that has frames to decode, one at a time.
protocol DecodeClient: AnyObject, Sendable {
  /// Decodes the most urgent frame. Returns how urgent the next one is, or nil when nothing is left to do.
  func decodeNext() -> Int?
}

/// The threads that decode, shared by all caches that are given the same pool.
///
/// A client is in the queue at most once and is served by one thread at a time, one frame a turn, so that a long
/// animation cannot hold up a short one.
public final class DecodePool: Sendable {
  /// One pool for the process, with a thread for each processor.
  public static let shared = DecodePool(threadCount: EngineThread.processorCount)

  /// A pool without threads: frames are decoded where they are asked for, before the call returns. For tests with
  /// simulated time, and for tools that have nothing else to do.
  public static let inline = DecodePool(threadCount: 0)

  private struct State {
    var queue = DecodeQueue<WeakClient>()
    var isStopped = false
    var missingThreads: Int
  }

  private struct WeakClient {
    weak var client: (any DecodeClient)?
  }

  private let threadCount: Int
  private let monitor: Monitor<State>

  public init(threadCount: Int) {
    self.threadCount = threadCount
    monitor = Monitor(State(missingThreads: threadCount))
  }

  deinit {
    monitor.withLock { $0.isStopped = true }
    monitor.broadcast()
  }

  /// Has `client` decode until it has nothing left. The client sees to it that it is entered once only.
  func submit(_ client: any DecodeClient, urgency: Int) {
    guard threadCount > 0 else {
      while client.decodeNext() != nil {}
      return
    }
    let startsThread = monitor.withLock { state in
      state.queue.insert(WeakClient(client: client), urgency: urgency)
      // Threads start when there is work, one for each request that comes before all are there.
      guard state.missingThreads > 0 else { return false }
      state.missingThreads -= 1
      return true
    }
    if startsThread { startThread() }
    monitor.signal()
  }

  private func startThread() {
    let monitor = monitor
    let isStarted = EngineThread.start { Self.serve(monitor) }
    // Without a thread the request stays in the queue for those that run; the next one tries again.
    if !isStarted { monitor.withLock { $0.missingThreads += 1 } }
  }

  private static func serve(_ monitor: Monitor<State>) {
    while let turn = monitor.waitingWithLock({ state -> MonitorStep<WeakClient?> in
      if state.isStopped { return .done(nil) }
      guard let turn = state.queue.popFirst() else { return .wait(until: nil) }
      return .done(turn)
    }) {
      guard let client = turn.client, let urgency = client.decodeNext() else { continue }
      monitor.withLock { $0.queue.insert(turn, urgency: urgency) }
    }
  }
}
