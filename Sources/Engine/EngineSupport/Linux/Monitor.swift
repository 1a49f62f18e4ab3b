public import Glibc

/// A lock with a condition: a small state that threads change and wait on.
///
/// `Synchronization.Mutex` cannot be waited on, so this wraps a POSIX mutex and a condition variable on the
/// monotonic clock. The two live in memory of their own that never moves, allocated and freed with the
/// object; nothing outside this file touches the pointers. Public and inlinable, as ``Lock`` is.
@safe public final class Monitor<State: ~Copyable>: @unchecked Sendable {
  @usableFromInline let mutex: UnsafeMutablePointer<pthread_mutex_t>
  @usableFromInline let condition: UnsafeMutablePointer<pthread_cond_t>
  @usableFromInline var state: State

  public init(_ state: consuming sending State) {
    self.state = state
    unsafe mutex = .allocate(capacity: 1)
    unsafe condition = .allocate(capacity: 1)
    unsafe mutex.initialize(to: pthread_mutex_t())
    unsafe condition.initialize(to: pthread_cond_t())
    unsafe pthread_mutex_init(mutex, nil)
    var attributes = pthread_condattr_t()
    unsafe pthread_condattr_init(&attributes)
    unsafe pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
    unsafe pthread_cond_init(condition, &attributes)
    unsafe pthread_condattr_destroy(&attributes)
  }

  deinit {
    unsafe pthread_cond_destroy(condition)
    unsafe pthread_mutex_destroy(mutex)
    unsafe condition.deallocate()
    unsafe mutex.deallocate()
  }

  /// Runs `body` with the state locked.
  @inlinable public func withLock<Result>(_ body: (inout State) -> sending Result) -> sending Result {
    unsafe pthread_mutex_lock(mutex)
    defer { unsafe pthread_mutex_unlock(mutex) }
    return body(&state)
  }

  /// Runs `body` with the state locked until it gives a result. Where it asks to wait, the lock is given up
  /// until a thread signals or the instant has come, then `body` runs again.
  @inlinable public func waitingWithLock<Result>(_ body: (inout State) -> MonitorStep<Result>) -> Result {
    unsafe pthread_mutex_lock(mutex)
    defer { unsafe pthread_mutex_unlock(mutex) }
    while true {
      switch body(&state) {
      case .done(let result):
        return result
      case .wait(until: nil):
        unsafe _ = pthread_cond_wait(condition, mutex)
      case .wait(until: let nanoseconds?):
        var time = timespec(
          tv_sec: Int(nanoseconds / 1_000_000_000), tv_nsec: Int(nanoseconds % 1_000_000_000))
        unsafe _ = pthread_cond_timedwait(condition, mutex, &time)
      }
    }
  }

  /// Wakes one waiting thread.
  public func signal() { unsafe _ = pthread_cond_signal(condition) }

  /// Wakes all waiting threads.
  public func broadcast() { unsafe _ = pthread_cond_broadcast(condition) }
}

/// What a thread does after looking at a monitor's state.
public enum MonitorStep<Result> {
  case done(Result)
  /// Wait for a signal, or until an instant of the monotonic clock in nanoseconds.
  case wait(until: Int64?)
}
