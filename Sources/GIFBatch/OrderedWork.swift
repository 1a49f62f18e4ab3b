internal import EngineSupport
internal import GIFDecoding

/// Transforms values with several threads, and returns the results in the order of the values.
///
/// It belongs to one thread, which works, too, while it waits for the next result. Memory: at most ``window`` values and results.
package final class OrderedWork<Input: Sendable, Output: Sendable> {
  /// The largest number of values in work, or transformed and not yet returned.
  package let window: Int
  private let queue: OrderedQueue<Input, Output>
  private var nextIn = 0
  private var nextOut = 0

  /// - Parameters:
  ///   - jobs: threads at work, the calling one included; 1 to 1,024.
  ///   - window: the largest number of values at once; at least 1.
  ///   - transform: called with each value, on any thread.
  package init(jobs: Int, window: Int, transform: @escaping @Sendable (Input) -> Output) {
    self.window = max(1, window)
    queue = OrderedQueue(transform)
    WorkerPool.shared.assign(min(WorkerPool.clamped(jobs), self.window) - 1, to: queue)
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
}

/// The state that the threads of an ``OrderedWork`` share.
private final class OrderedQueue<Input: Sendable, Output: Sendable>: PooledWork {
  private struct State: Sendable {
    /// Values that no thread has taken, the oldest first.
    var waiting: [(ticket: Int, input: Input)] = []
    var results: [Int: Output] = [:]
    var isOver = false
  }

  private let transform: @Sendable (Input) -> Output
  private let monitor = Monitor(State())

  init(_ transform: @escaping @Sendable (Input) -> Output) { self.transform = transform }

  func add(_ input: Input, ticket: Int) {
    monitor.withLock { $0.waiting.append((ticket, input)) }
    monitor.broadcast()
  }

  private enum Turn: Sendable {
    case work(ticket: Int, input: Input)
    case result(Output)
    case leave
  }

  func result(of ticket: Int) -> Output {
    while true {
      let turn = monitor.waitingWithLock { state -> MonitorStep<Turn> in
        if let result = state.results.removeValue(forKey: ticket) { return .done(.result(result)) }
        return state.waiting.isEmpty ? .wait(until: nil) : .done(Self.takeFirst(&state))
      }
      switch turn {
      case .result(let output): return output
      case .work(let ticket, let input): finish(ticket, transform(input))
      case .leave: preconditionFailure("only helpers leave")
      }
    }
  }

  func help(with decoder: inout FrameDecoder) {
    while case .work(let ticket, let input) = monitor.waitingWithLock({ state -> MonitorStep<Turn> in
      if state.isOver { return .done(.leave) }
      return state.waiting.isEmpty ? .wait(until: nil) : .done(Self.takeFirst(&state))
    }) {
      finish(ticket, transform(input))
    }
  }

  private static func takeFirst(_ state: inout State) -> Turn {
    let (ticket, input) = state.waiting.removeFirst()
    return .work(ticket: ticket, input: input)
  }

  private func finish(_ ticket: Int, _ output: Output) {
    monitor.withLock { $0.results[ticket] = output }
    monitor.broadcast()
  }

  /// Releases the helpers and drops the values that no thread has taken.
  func stop() {
    monitor.withLock { state in
      state.isOver = true
      state.waiting = []
    }
    monitor.broadcast()
  }
}
