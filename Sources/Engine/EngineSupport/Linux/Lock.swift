public import Glibc

/// A small state behind a lock.
///
/// Used instead of `Synchronization.Mutex` because ThreadSanitizer sees POSIX locks and not that one's: with
/// this the whole engine runs under it without a false alarm. Inlinable, as generic code across a module's
/// border costs time; and public, as Swift 6.3 inlines nothing that is `package`. No product has this module.
/// The lock lives in memory of its own that never moves.
@safe public final class Lock<State: ~Copyable>: @unchecked Sendable {
  @usableFromInline let mutex: UnsafeMutablePointer<pthread_mutex_t>
  @usableFromInline var state: State

  public init(_ state: consuming sending State) {
    self.state = state
    unsafe mutex = .allocate(capacity: 1)
    unsafe mutex.initialize(to: pthread_mutex_t())
    unsafe pthread_mutex_init(mutex, nil)
  }

  deinit {
    unsafe pthread_mutex_destroy(mutex)
    unsafe mutex.deallocate()
  }

  /// Runs `body` with the state locked. Not to be entered again from within.
  @inlinable public func withLock<Result: ~Copyable, Failure: Error>(
    _ body: (inout sending State) throws(Failure) -> sending Result
  ) throws(Failure) -> sending Result {
    unsafe pthread_mutex_lock(mutex)
    defer { unsafe pthread_mutex_unlock(mutex) }
    return try body(&state)
  }

  /// Locks until ``releaseAfterFork()``, so that a child process has the state whole. For handlers of
  /// `pthread_atfork`.
  package func holdForFork() { unsafe pthread_mutex_lock(mutex) }

  /// Ends ``holdForFork()``, in the parent and in the child.
  package func releaseAfterFork() { unsafe pthread_mutex_unlock(mutex) }

  /// Runs `body` with the state locked, unless another thread holds the lock.
  @inlinable public func withLockIfFree(_ body: (inout sending State) -> Void) {
    guard unsafe pthread_mutex_trylock(mutex) == 0 else { return }
    defer { unsafe pthread_mutex_unlock(mutex) }
    body(&state)
  }
}
