import Glibc

/// The signal handlers of a session, and the dispositions they stand in for.
///
/// The table of former dispositions lies in memory of its own instead of a Swift variable, because a handler
/// may read it at any moment and must not meet the runtime's exclusivity checks. It is written before a
/// handler is installed and never freed.
enum SignalHandlers {
  /// Told to the loop. All but the first two never end the program by themselves.
  private static let relayed: [CInt] = [SIGINT, SIGTERM, SIGTSTP, SIGCONT, SIGWINCH]
  /// End the program; handled only if nothing else is, so that `nohup` and the like keep their meaning.
  private static let deadly: [CInt] = [SIGHUP, SIGQUIT, SIGPIPE]
  /// End the program after a bug. Handlers that exist, such as the one printing Swift's backtraces, come
  /// after ours.
  private static let faults: [CInt] = [SIGABRT, SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGSYS]

  private nonisolated(unsafe) static let former: UnsafeMutablePointer<sigaction> = {
    let table = UnsafeMutablePointer<sigaction>.allocate(capacity: 65)
    unsafe table.initialize(repeating: sigaction(), count: 65)
    return unsafe table
  }()

  /// Takes the signals over.
  static func install() {
    for signal in relayed { unsafe install(signal, relaySignal) { !isIgnored($0) } }
    for signal in deadly { unsafe install(signal, restoreAndPassOn) { isDefault($0) } }
    for signal in faults { unsafe install(signal, restoreAndPassOn) { !isIgnored($0) } }
  }

  /// Gives the signals back.
  static func uninstall() {
    for signal in relayed + deadly + faults { reinstateFormer(signal) }
  }

  /// Puts back what was there before; harmless for a signal that was left alone. Async-signal-safe.
  static func reinstateFormer(_ signal: CInt) {
    _ = unsafe sigaction(signal, former + Int(signal), nil)
  }

  /// Lets `SIGTSTP` stop the process as if we were not there; returns when it goes on.
  static func stop() {
    var handled = sigaction()
    var standard = sigaction()
    _ = unsafe sigaction(SIGTSTP, &standard, &handled)
    send(SIGTSTP)
    _ = unsafe sigaction(SIGTSTP, &handled, nil)
  }

  /// Sends the process a signal and returns when it has been seen to, even on a thread that blocks signals, as
  /// those of libdispatch do.
  static func send(_ signal: CInt) {
    var (set, before) = (sigset_t(), sigset_t())
    unsafe sigemptyset(&set)
    unsafe sigaddset(&set, signal)
    unsafe pthread_sigmask(SIG_UNBLOCK, &set, &before)
    _ = raise(signal)
    unsafe pthread_sigmask(SIG_SETMASK, &before, nil)
  }

  /// Dies by a signal, so that whoever waits for the process learns of it.
  static func die(by signal: CInt) -> Never {
    var standard = sigaction()
    _ = unsafe sigaction(signal, &standard, nil)
    send(signal)
    // Only for signals whose default is not to kill.
    _exit(128 + signal)
  }

  private typealias Handler =
    @convention(c) (
      CInt, UnsafeMutablePointer<siginfo_t>?, UnsafeMutableRawPointer?
    ) -> Void

  private static func install(_ signal: CInt, _ handler: Handler, where suits: (sigaction) -> Bool) {
    let slot = unsafe former + Int(signal)
    guard unsafe sigaction(signal, nil, slot) == 0, suits(unsafe slot.pointee) else { return }
    var action = sigaction()
    unsafe action.__sigaction_handler.sa_sigaction = handler
    // On the alternate stack, if the thread has one: a stack overflow must be survivable, too.
    action.sa_flags = SA_SIGINFO | SA_RESTART | SA_ONSTACK
    _ = unsafe sigaction(signal, &action, nil)
  }

  private static func isDefault(_ action: sigaction) -> Bool {
    unsafe action.__sigaction_handler.sa_handler == nil
  }

  private static func isIgnored(_ action: sigaction) -> Bool {
    unsafe unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
      == unsafeBitCast(SIG_IGN, to: Int.self)
  }
}

/// Tells the loop. If it has not even seen the last request to end, it hangs, and the program ends here.
private func relaySignal(
  _ signal: CInt, _ information: UnsafeMutablePointer<siginfo_t>?, _ context: UnsafeMutableRawPointer?
) {
  let number = errno
  let isRepeated = SignalRelay.post(SignalRelay.bit(signal))
  if isRepeated && (signal == SIGINT || signal == SIGTERM) {
    EmergencyRestore.fire()
    SignalHandlers.die(by: signal)
  }
  errno = number
}

/// Restores the terminal and lets the signal have the effect it would have had without us.
private func restoreAndPassOn(
  _ signal: CInt, _ information: UnsafeMutablePointer<siginfo_t>?, _ context: UnsafeMutableRawPointer?
) {
  let number = errno
  EmergencyRestore.fire()
  SignalHandlers.reinstateFormer(signal)
  // It is blocked until this handler returns.
  if unsafe !isRepeatable(signal, information) { _ = raise(signal) }
  errno = number
}

/// Whether the signal comes again by itself, because the instruction that caused it is tried again. The next
/// handler then sees the fault's true address, which a signal sent anew does not have.
private func isRepeatable(_ signal: CInt, _ information: UnsafeMutablePointer<siginfo_t>?) -> Bool {
  switch signal {
  // Not SIGTRAP, whose instruction counts as done. Of the others, what a program sent has a code of at
  // most 0.
  case SIGSEGV, SIGBUS, SIGILL, SIGFPE: unsafe (information?.pointee.si_code ?? 0) > 0
  default: false
  }
}
