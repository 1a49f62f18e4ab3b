import Glibc
import Synchronization

/// A thread for blocking work.
///
/// The tests share as many threads as there are processors; a test that blocks until a task has run may wait
/// for ever.
final class WorkerThread<Result: Sendable> {
  private final class Work: Sendable {
    let body: @Sendable () -> Result
    let result = Mutex<Result?>(nil)

    init(_ body: @escaping @Sendable () -> Result) { self.body = body }
    func run() {
      let value = body()
      result.withLock { $0 = value }
    }
  }

  private let work: Work
  private var thread = pthread_t()

  init(_ body: @escaping @Sendable () -> Result) {
    work = Work(body)
    // Erased, since a C function cannot be generic; the thread takes over the one reference.
    let run: Body = Body(work.run)
    _ = unsafe pthread_create(
      &thread, nil,
      { context in
        guard let context = unsafe context else { return nil }
        unsafe Unmanaged<Body>.fromOpaque(context).takeRetainedValue().run()
        return nil
      }, Unmanaged.passRetained(run).toOpaque())
  }

  /// Waits for the thread to end; call it once. Nil if the thread could not be started.
  @discardableResult
  func join() -> Result? {
    _ = pthread_join(thread, nil)
    return work.result.withLock { $0 }
  }
}

private final class Body: Sendable {
  let run: @Sendable () -> Void
  init(_ run: @escaping @Sendable () -> Void) { self.run = run }
}
