import Glibc

/// Threads of the engine: for work that must keep its own time, away from the cooperative pool.
package enum EngineThread {
  /// Starts a thread that runs a body once, or returns false where the system gives none.
  package typealias Starter = @Sendable (_ body: @escaping @Sendable () -> Void) -> Bool

  /// Starts a detached thread that runs `body` once and ends.
  ///
  /// - Parameters:
  ///   - blocksSignals: leaves signals to the program's threads: one may wait for a signal, which all others
  ///     must block then. Those of faults still reach their handlers. Not for a thread that calls the user's
  ///     code, as a process that it starts would block them, too.
  ///   - isBackground: lets threads of normal priority run first.
  /// - Returns: false where the system gives no thread.
  package static func start(
    blocksSignals: Bool = false, isBackground: Bool = false, _ body: @escaping @Sendable () -> Void
  ) -> Bool {
    let box = unsafe Unmanaged.passRetained(ThreadBody(niceness: isBackground ? 10 : 0, run: body))
    var thread = pthread_t()
    var attributes = pthread_attr_t()
    unsafe pthread_attr_init(&attributes)
    defer { unsafe pthread_attr_destroy(&attributes) }
    unsafe pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
    // A thread begins with the mask of the one that starts it.
    var (blocked, mask) = (sigset_t(), sigset_t())
    unsafe sigemptyset(&blocked)
    if blocksSignals { unsafe sigfillset(&blocked) }
    for fault in [SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT, SIGSYS] {
      unsafe sigdelset(&blocked, fault)
    }
    unsafe pthread_sigmask(SIG_BLOCK, &blocked, &mask)
    defer { unsafe pthread_sigmask(SIG_SETMASK, &mask, nil) }
    let outcome = unsafe pthread_create(
      &thread, &attributes,
      { argument in
        guard let argument = unsafe argument else { return nil }
        let body = unsafe Unmanaged<ThreadBody>.fromOpaque(argument).takeRetainedValue()
        // On Linux the niceness is the thread's own; elsewhere this would slow down the whole process.
        if body.niceness > 0 { setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, body.niceness) }
        body.run()
        return nil
      }, box.toOpaque())
    if outcome != 0 { unsafe box.release() }
    return outcome == 0
  }

  /// Gives way to other threads for a moment.
  package static func yield() { sched_yield() }

  /// A number that identifies the thread that asks.
  package static var current: Int { Int(truncatingIfNeeded: pthread_self()) }

  /// The number of processors in use, at least 1.
  package static var processorCount: Int { max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }
}

private final class ThreadBody: Sendable {
  let niceness: Int32
  let run: @Sendable () -> Void

  init(niceness: Int32, run: @escaping @Sendable () -> Void) {
    self.niceness = niceness
    self.run = run
  }
}
