import EngineSupport
import GIFCaching

/// Holds up the only thread of a pool, so that a test decides when frames are decoded.
final class Barrier: DecodeClient {
  private let monitor = Monitor(false)
  private let onEntry: @Sendable () -> Void

  private init(onEntry: @escaping @Sendable () -> Void) { self.onEntry = onEntry }

  /// Lets the pool do what is in its queue, then holds it up.
  static func lower(on pool: DecodePool) async -> Barrier {
    let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
    let barrier = Barrier { continuation.yield() }
    pool.submit(barrier, PoolTurn(urgency: .max, ticket: 1))
    for await _ in stream { break }
    return barrier
  }

  func decodeNext(_ ticket: Int) -> PoolTurn? {
    onEntry()
    monitor.waitingWithLock { $0 ? .done(()) : .wait(until: nil) }
    return nil
  }

  func raise() {
    monitor.withLock { $0 = true }
    monitor.broadcast()
  }
}
