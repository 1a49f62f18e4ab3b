import Glibc

/// The signal handlers of a session, and the dispositions they replace.
///
/// The table of former dispositions is allocated memory, not a Swift variable: a handler may read it at any
/// time, and the runtime's exclusivity checks do not apply. It is written before a handler is installed and
/// never freed.
enum SignalHandlers {
  /// Signals that become events of the loop. The first four ask the program to end.
  private static let relayed: [CInt] = [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP, SIGCONT, SIGWINCH]
  /// Signals that end the program; handled only if their disposition is the default, so that `nohup` still
  /// works.
  private static let terminating: [CInt] = [
    SIGPIPE, SIGUSR1, SIGUSR2, SIGALRM, SIGVTALRM, SIGPROF, SIGXCPU,
  ]
  /// Signals of faults, which end the program. Existing handlers, such as Swift's backtraces, run after this
  /// one.
  private static let faults: [CInt] = [SIGABRT, SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGSYS]

  private nonisolated(unsafe) static let former: UnsafeMutablePointer<sigaction> = {
    let table = UnsafeMutablePointer<sigaction>.allocate(capacity: 65)
    unsafe table.initialize(repeating: sigaction(), count: 65)
    return unsafe table
  }()

  /// Installs the handlers.
  static func install() {
    for signal in relayed { unsafe install(signal, relaySignal) { !isIgnored($0) } }
    for signal in terminating { unsafe install(signal, restoreAndPassOn) { isDefault($0) } }
    for signal in faults { unsafe install(signal, restoreAndPassOn) { !isIgnored($0) } }
  }

  /// Restores the former dispositions.
  static func uninstall() {
    for signal in relayed + terminating + faults { reinstateFormer(signal) }
  }

  /// Restores a signal's former disposition. Async-signal-safe.
  static func reinstateFormer(_ signal: CInt) {
    _ = unsafe sigaction(signal, former + Int(signal), nil)
  }

  /// Stops the process by the default action of `SIGTSTP`; returns when it continues.
  static func stop() {
    var handled = sigaction()
    var standard = sigaction()
    _ = unsafe sigaction(SIGTSTP, &standard, &handled)
    send(SIGTSTP)
    _ = unsafe sigaction(SIGTSTP, &handled, nil)
  }

  /// Sends the process a signal and returns after its delivery, even on a thread that blocks signals.
  static func send(_ signal: CInt) {
    var (set, before) = (sigset_t(), sigset_t())
    unsafe sigemptyset(&set)
    unsafe sigaddset(&set, signal)
    unsafe pthread_sigmask(SIG_UNBLOCK, &set, &before)
    _ = raise(signal)
    unsafe pthread_sigmask(SIG_SETMASK, &before, nil)
  }

  /// Ends the process by a signal, so that its parent sees the signal in the exit status.
  static func terminate(by signal: CInt) -> Never {
    var standard = sigaction()
    _ = unsafe sigaction(signal, &standard, nil)
    send(signal)
    // Reached only by signals whose default action does not end the process.
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
    // On the alternate stack, if there is one, so that a stack overflow is handled, too.
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

/// Relays a signal to the loop. If the loop has not handled the last request to end, the program ends here.
///
/// A closed terminal sends `SIGHUP` several times: the kernel and the shell each do. So that one never ends
/// it here.
private func relaySignal(
  _ signal: CInt, _ information: UnsafeMutablePointer<siginfo_t>?, _ context: UnsafeMutableRawPointer?
) {
  let number = errno
  let isRepeated = SignalRelay.post(SignalRelay.bit(signal))
  if isRepeated && (signal == SIGINT || signal == SIGTERM || signal == SIGQUIT) {
    EmergencyRestore.restore()
    SignalHandlers.terminate(by: signal)
  }
  errno = number
}

/// Restores the terminal and passes the signal to its former disposition.
private func restoreAndPassOn(
  _ signal: CInt, _ information: UnsafeMutablePointer<siginfo_t>?, _ context: UnsafeMutableRawPointer?
) {
  let number = errno
  EmergencyRestore.restore()
  SignalHandlers.reinstateFormer(signal)
  // It is blocked until this handler returns.
  if unsafe !isRepeatable(signal, information) { _ = raise(signal) }
  errno = number
}

/// Whether the signal repeats by itself, because the faulting instruction runs again.
///
/// The next handler then sees the fault's address, which a raised signal does not carry.
private func isRepeatable(_ signal: CInt, _ information: UnsafeMutablePointer<siginfo_t>?) -> Bool {
  switch signal {
  // Not SIGTRAP, whose instruction counts as done. Of the others, what a program sent has a code of at
  // most 0.
  case SIGSEGV, SIGBUS, SIGILL, SIGFPE: unsafe (information?.pointee.si_code ?? 0) > 0
  default: false
  }
}
