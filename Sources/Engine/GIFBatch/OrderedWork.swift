internal import DequeModule
internal import EngineSupport
internal import GIFDecoding

/// Transforms values with several threads, and returns the results in the order of the values.
///
/// It belongs to one thread, which works, too, while it waits for the next result with ``next()``. Memory: at
/// most ``window`` values and results.
package final class OrderedWork<Input: Sendable, Output: Sendable> {
  /// The largest number of values in work, or transformed and not yet returned.
  package let window: Int
  private let queue: OrderedQueue<Input, Output>
  /// Whether at least one other thread works.
  private let hasThreads: Bool
  private var nextIn = 0
  private var nextOut = 0

  /// - Parameters:
  ///   - jobs: threads at work, the calling one included unless it only waits; 1 to 1,024.
  ///   - window: the largest number of values at once; at least 1.
  ///   - waits: whether the calling thread leaves the work to `jobs` others: see ``next(until:)``.
  ///   - waiting: how much may wait for the caller.
  ///   - transform: called with each value, on any thread.
  package convenience init(
    jobs: Int, window: Int, waits: Bool = false, waiting: WaitingLimit<Output> = .none,
    transform: @escaping @Sendable (Input) -> Output
  ) {
    self.init(
      jobs: jobs, window: window, waits: waits, waiting: waiting,
      cancellable: { input, _ in transform(input) })
  }

  /// - Parameter transform: asks its second argument whether results are wanted no more.
  package init(
    jobs: Int, window: Int, waits: Bool, waiting: WaitingLimit<Output> = .none,
    cancellable transform: @escaping @Sendable (Input, @escaping @Sendable () -> Bool) -> Output
  ) {
    self.window = max(1, window)
    queue = OrderedQueue(waiting, transform)
    let threads = min(WorkerPool.clamped(jobs), self.window) - (waits ? 0 : 1)
    hasThreads = WorkerPool.shared.assign(threads, to: queue)
  }

  deinit { queue.stop() }

  /// Whether a result must be taken before another value can be added.
  package var isFull: Bool { nextIn - nextOut >= window }

  /// Adds a value.
  /// - Precondition: it is not full.
  package func add(_ input: Input) {
    precondition(!isFull)
    queue.add(input, ticket: nextIn)
    nextIn += 1
  }

  /// Waits for the result of the oldest value; nil if all have been returned.
  package func next() -> Output? {
    guard nextOut < nextIn else { return nil }
    defer { nextOut += 1 }
    return queue.result(of: nextOut)
  }

  /// What there is of a result.
  package enum Arrival {
    case result(Output)
    /// It is not ready by the given instant.
    case notYet
    /// All have been returned.
    case none
  }

  /// Waits for the result of the oldest value, until an instant of the monotonic clock in nanoseconds; nil
  /// for ever.
  ///
  /// The calling thread works only where the system starts no threads: then the result is there at once.
  package func next(until instant: Int64?) -> Arrival {
    guard nextOut < nextIn else { return .none }
    guard hasThreads else { return next().map { .result($0) } ?? .none }
    guard let result = queue.result(of: nextOut, until: instant) else { return .notYet }
    nextOut += 1
    return .result(result)
  }

  /// Waits for the result of the oldest value without holding a thread; nil if all have been returned, or
  /// when the task is cancelled, which stops the work.
  ///
  /// Where the system starts no threads, the task works itself.
  package func next(isolation: isolated (any Actor)? = #isolation) async -> Output? {
    guard nextOut < nextIn else { return nil }
    defer { nextOut += 1 }
    return hasThreads ? await queue.result(of: nextOut, isolation: isolation) : queue.result(of: nextOut)
  }
}

/// How many bytes the results of an ``OrderedWork`` may have while they wait for the caller.
///
/// Helpers begin no other value while more wait; the limit is another one while the caller waits, too. So a
/// wide window costs no memory where results are large, and where they are small a long value holds up no
/// thread.
package struct WaitingLimit<Output: Sendable>: Sendable {
  private let bytes: Int
  private let bytesBehindOldest: Int
  fileprivate let byteCount: @Sendable (Output) -> Int

  /// - Parameters:
  ///   - bytes: with more the caller is too slow for the threads, and they rest.
  ///   - bytesBehindOldest: the same while the caller waits for the oldest result: then the threads are too
  ///     slow for the caller, and resting makes that worse. At least `bytes` count.
  ///   - byteCount: the bytes of a result.
  package init(
    bytes: Int, bytesBehindOldest: Int = 0, of byteCount: @escaping @Sendable (Output) -> Int
  ) {
    self.bytes = max(0, bytes)
    self.bytesBehindOldest = max(self.bytes, bytesBehindOldest)
    self.byteCount = byteCount
  }

  /// The window alone is the bound.
  package static var none: Self { Self(bytes: .max) { _ in 0 } }

  /// Whether helpers may begin another value while this many bytes wait.
  fileprivate func admits(_ waitingBytes: Int, isCallerWaiting: Bool) -> Bool {
    waitingBytes <= (isCallerWaiting ? bytesBehindOldest : bytes)
  }
}

/// The state that the threads of an ``OrderedWork`` share.
private final class OrderedQueue<Input: Sendable, Output: Sendable>: PooledWork {
  private struct State: Sendable {
    /// Values that no thread has taken, the oldest first.
    var waiting: Deque<(ticket: Int, input: Input)> = []
    var results: [Int: (output: Output, bytes: Int)] = [:]
    /// The bytes of the results.
    var waitingBytes = 0
    var isOver = false
    /// The result for which the owner waits.
    var awaited: Int?
    /// The task that waits for a result.
    var waiter: (ticket: Int, continuation: CheckedContinuation<Output?, Never>)?
  }

  private let waiting: WaitingLimit<Output>
  private let transform: @Sendable (Input, @escaping @Sendable () -> Bool) -> Output
  private let monitor = Monitor(State())

  init(
    _ waiting: WaitingLimit<Output>,
    _ transform: @escaping @Sendable (Input, @escaping @Sendable () -> Bool) -> Output
  ) {
    self.waiting = waiting
    self.transform = transform
  }

  func add(_ input: Input, ticket: Int) {
    monitor.withLock { $0.waiting.append((ticket, input)) }
    // The owner adds, so that only helpers wait now. One of them is enough: all of 64 would wake for each
    // value.
    monitor.signal()
  }

  private enum Step: Sendable {
    case work(ticket: Int, input: Input)
    case result(Output)
    case leave
  }

  func result(of ticket: Int) -> Output {
    while true {
      let step = monitor.waitingWithLock { state -> MonitorStep<Step> in
        if let result = takeResult(ticket, from: &state) { return .done(.result(result)) }
        return state.waiting.isEmpty ? .wait(until: nil) : .done(Self.takeFirst(&state))
      }
      switch step {
      case .result(let output): return output
      case .work(let ticket, let input): finish(ticket, transformed(input))
      case .leave: preconditionFailure("only helpers leave")
      }
    }
  }

  /// Waits for a result that another thread works out; nil if it is not there by an instant.
  func result(of ticket: Int, until instant: Int64?) -> Output? {
    monitor.waitingWithLock { state -> MonitorStep<Output?> in
      if let result = takeResult(ticket, from: &state) { return .done(result) }
      if let instant, MonotonicClock.nanoseconds >= instant { return .done(nil) }
      return .wait(until: instant)
    }
  }

  /// Waits for a result without holding a thread; nil after ``stop()``, which a cancelled task calls.
  func result(of ticket: Int, isolation: isolated (any Actor)?) async -> Output? {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let answer = monitor.withLock { state -> Output?? in
          if state.isOver { return .some(nil) }
          if let result = takeResult(ticket, from: &state) { return .some(result) }
          state.waiter = (ticket, continuation)
          return nil
        }
        if let answer { continuation.resume(returning: answer) }
      }
    } onCancel: {
      stop()
    }
  }

  func help(with decoder: inout FrameDecoder) {
    while case .work(let ticket, let input) = monitor.waitingWithLock({ state -> MonitorStep<Step> in
      if state.isOver { return .done(.leave) }
      // What waits is older than what no thread has begun, so the caller can take it, and this wait ends.
      return !state.waiting.isEmpty && admitsMore(state) ? .done(Self.takeFirst(&state)) : .wait(until: nil)
    }) {
      finish(ticket, transformed(input))
    }
  }

  /// Takes a result for the owner; nil if it is not there, and the owner may wait for it.
  private func takeResult(_ ticket: Int, from state: inout State) -> Output? {
    let admittedMore = admitsMore(state)
    let result = state.results.removeValue(forKey: ticket)
    state.awaited = result == nil ? ticket : nil
    state.waitingBytes -= result?.bytes ?? 0
    if !admittedMore, admitsMore(state) { monitor.broadcast() }
    return result?.output
  }

  private func admitsMore(_ state: State) -> Bool {
    waiting.admits(state.waitingBytes, isCallerWaiting: state.awaited != nil)
  }

  private static func takeFirst(_ state: inout State) -> Step {
    let (ticket, input) = state.waiting.removeFirst()
    return .work(ticket: ticket, input: input)
  }

  private func transformed(_ input: Input) -> Output {
    transform(input) { [self] in monitor.withLock { $0.isOver } }
  }

  private func finish(_ ticket: Int, _ output: Output) {
    let bytes = max(0, waiting.byteCount(output))
    let (waiter, isAwaited) = monitor.withLock { state -> (CheckedContinuation<Output?, Never>?, Bool) in
      let isAwaited = state.awaited == ticket
      if isAwaited { state.awaited = nil }
      if state.waiter?.ticket == ticket { return (state.waiter.take()?.continuation, false) }
      state.results[ticket] = (output, bytes)
      state.waitingBytes += bytes
      return (nil, isAwaited)
    }
    waiter?.resume(returning: output)
    // All: a signal might wake a helper that waits for work.
    if isAwaited { monitor.broadcast() }
  }

  /// Releases the helpers and drops the values that no thread has taken.
  func stop() {
    let waiter = monitor.withLock { state in
      state.isOver = true
      state.waiting = []
      return state.waiter.take()?.continuation
    }
    monitor.broadcast()
    waiter?.resume(returning: nil)
  }
}
