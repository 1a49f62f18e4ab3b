package import EngineSupport

/// A source of frames to decode, one at a time.
package protocol DecodeClient: AnyObject, Sendable {
  /// Makes the most urgent step, unless the ticket has been replaced by a newer one. Returns the next turn to
  /// be queued, or nil when nothing is left to do.
  func decodeNext(_ ticket: Int) -> PoolTurn?

  /// Whether a ticket has not been replaced by a newer one. Called without a lock.
  func awaits(_ ticket: Int) -> Bool
}

extension DecodeClient {
  package func awaits(_ ticket: Int) -> Bool { true }
}

/// The threads that decode, shared by all players that are given the same pool.
///
/// The frame that is due soonest over all players comes first. A turn is one frame, so a long animation
/// cannot hold up a short one. What is no longer wanted when its turn comes is not decoded.
public final class DecodePool: Sendable {
  /// One pool for the process, with a thread for each processor.
  public static let shared = DecodePool(threadCount: EngineThread.processorCount)

  /// A pool without threads: frames are decoded by the thread that needs them, before its call returns.
  ///
  /// It serves tests with simulated time, and tools that have nothing else to do. If two threads have players
  /// of the same content in one budget, one of them may decode for both; the other is notified of the arrival
  /// later.
  public static let inline = DecodePool(threadCount: 0)

  private struct State {
    var queue = DecodeQueue<WeakClient>()
    var isStopped = false
    var missingThreads: Int
    /// Of a pool whose turns are taken by hand: whether any wait.
    var isBusyByHand = false
    /// The length of the queue from which on replaced entries are looked for.
    var sweepThreshold = DecodePool.leastSweepThreshold
  }

  private static let leastSweepThreshold = 256

  private struct WeakClient: Sendable {
    weak var client: (any DecodeClient)?
    let ticket: Int
  }

  private let threadCount: Int
  private let startsThread: EngineThread.Starter
  private let monitor: Monitor<State>
  /// How busy its threads are.
  package let usage: PoolUsage
  private let isTakenByHand: Bool

  /// Makes a pool of its own. Its threads start when there is work, and end with the pool. Where the system
  /// gives fewer, it works with those; where it gives none, frames are decoded as with ``inline``.
  public convenience init(threadCount: Int) {
    self.init(threadCount: threadCount) { EngineThread.start($0) }
  }

  /// - Parameter startsThread: starts a thread, or returns false where the system gives none.
  package init(threadCount: Int, startsThread: @escaping EngineThread.Starter) {
    self.threadCount = threadCount
    self.startsThread = startsThread
    monitor = Monitor(State(missingThreads: threadCount))
    usage = PoolUsage(workers: threadCount) { MonotonicClock.nanoseconds }
    isTakenByHand = false
  }

  /// A pool without threads whose turns the caller takes, one by one: see ``takeTurn()``.
  ///
  /// - Parameter now: the time by which the pool counts as busy while turns wait.
  package init(takenByHand: Void, now: @escaping @Sendable () -> Int64 = { MonotonicClock.nanoseconds }) {
    threadCount = 1
    startsThread = { _ in false }
    monitor = Monitor(State(missingThreads: 0))
    usage = PoolUsage(workers: 1, now: now)
    isTakenByHand = true
  }

  deinit {
    monitor.withLock { $0.isStopped = true }
    monitor.broadcast()
  }

  /// Has `client` decode until it has nothing left.
  package func submit(_ client: any DecodeClient, _ turn: PoolTurn) {
    guard threadCount > 0 else { return decodeHere(client, turn) }
    let startsThread = monitor.withLock { state in
      state.queue.insert(WeakClient(client: client, ticket: turn.ticket), urgency: turn.urgency)
      noteByHand(&state)
      // Threads start when there is work, one for each request that comes before all are there.
      guard state.missingThreads > 0 else { return false }
      state.missingThreads -= 1
      return true
    }
    if startsThread, !startThread() {
      // No thread serves the queue: as with ``inline``, this one does. What is queued is replaced by then.
      decodeHere(client, turn)
    }
    monitor.signal()
    sweep()
  }

  /// Has `client` decode on this thread until it has nothing left.
  private func decodeHere(_ client: any DecodeClient, _ turn: PoolTurn) {
    usage.change(by: 1)
    defer { usage.change(by: -1) }
    var next: PoolTurn? = turn
    while let turn = next { next = client.decodeNext(turn.ticket) }
  }

  /// A pool whose turns are taken by hand is busy while any wait.
  private func noteByHand(_ state: inout State) {
    guard isTakenByHand, state.queue.isEmpty == state.isBusyByHand else { return }
    state.isBusyByHand.toggle()
    usage.change(by: state.isBusyByHand ? 1 : -1)
  }

  /// The number of entries waiting, replaced ones among them.
  package var queueCount: Int { monitor.withLock { $0.queue.count } }

  /// Throws away replaced entries once they may be the most. While some frame is always overdue, a
  /// replaced entry might never come first, and such entries would pile up.
  private func sweep() {
    let entries = monitor.withLock { $0.queue.count > $0.sweepThreshold ? $0.queue.removeAll() : [] }
    guard !entries.isEmpty else { return }
    let live = entries.filter { $0.client.client?.awaits($0.client.ticket) ?? false }
    monitor.withLock { state in
      state.queue.putBack(live)
      state.sweepThreshold = max(Self.leastSweepThreshold, 2 * state.queue.count)
    }
    monitor.broadcast()
  }

  /// Starts a thread. Without one the request stays in the queue for those that run, and the next request
  /// tries again.
  ///
  /// - Returns: false where none runs.
  private func startThread() -> Bool {
    let (monitor, usage) = (monitor, usage)
    let isStarted = startsThread { Self.serve(monitor, usage) }
    return monitor.withLock { state in
      if !isStarted { state.missingThreads += 1 }
      let threads = threadCount - state.missingThreads
      usage.setWorkers(threads)
      return threads > 0
    }
  }

  private static func serve(_ monitor: Monitor<State>, _ usage: PoolUsage) {
    var isBusy = false
    while let turn = monitor.waitingWithLock({ state -> MonitorStep<WeakClient?> in
      let turn = state.isStopped ? nil : state.queue.popFirst()
      // From turn to turn no time is read.
      if isBusy != (turn != nil) {
        isBusy.toggle()
        usage.change(by: isBusy ? 1 : -1)
      }
      if let turn { return .done(turn) }
      return state.isStopped ? .done(nil) : .wait(until: nil)
    }) {
      take(turn, monitor)
    }
  }

  private static func take(_ turn: WeakClient, _ monitor: Monitor<State>) {
    guard let client = turn.client, let next = client.decodeNext(turn.ticket) else { return }
    let entry = WeakClient(client: client, ticket: next.ticket)
    monitor.withLock { $0.queue.insert(entry, urgency: next.urgency) }
  }

  /// Takes the most urgent turn on this thread, as a thread of the pool would. For simulations of slow
  /// decoders.
  ///
  /// - Returns: false where nothing is to be decoded.
  package func takeTurn() -> Bool {
    defer { monitor.withLock { noteByHand(&$0) } }
    while let turn = monitor.withLock({ $0.queue.popFirst() }) {
      guard let client = turn.client, client.awaits(turn.ticket) else { continue }
      Self.take(turn, monitor)
      return true
    }
    return false
  }
}
