internal import EngineSupport
internal import Glibc

/// All transfers of the process, on one thread that is there while there are any and a little longer.
final class TransferEngine: Sendable {
  static let shared = TransferEngine(now: { MonotonicClock.nanoseconds })

  private enum Command: Sendable {
    case start(UInt64, TransferRequest)
    case cancel(UInt64)
  }

  private struct State: Sendable {
    var commands: [Command] = []
    var lastID: UInt64 = 0
    var isRunning = false
    /// The process ends: nothing is begun any more.
    var isStopping = false
    /// What the running thread waits on; nil until it has it.
    var multi: CurlMulti?
  }

  private let state = Monitor(State())

  /// The present time in nanoseconds of a steady clock.
  private let now: @Sendable () -> Int64

  /// - Parameter now: the clock, which tests lead themselves; see ``timeHasChanged()``.
  init(now: @escaping @Sendable () -> Int64) { self.now = now }

  /// How long connections are kept for the next transfer, in nanoseconds.
  private static let linger: Int64 = 5_000_000_000

  /// Begins a transfer. What comes of it goes into the request's sink, by way of which it can also be stopped.
  func start(_ request: TransferRequest) {
    let id = state.withLock { state in
      state.lastID += 1
      return state.lastID
    }
    post(.start(id, request))
    // The sink lets go of this when the transfer ends.
    request.sink.onCancel { self.post(.cancel(id)) }
  }

  private func post(_ command: Command) {
    let (multi, isFirst) = state.withLock { state in
      guard !state.isStopping else { return (nil as CurlMulti?, false) }
      state.commands.append(command)
      defer { state.isRunning = true }
      return (state.multi, !state.isRunning)
    }
    multi?.wakeUp()
    if isFirst, !EngineThread.start({ self.run() }) { refuse("there are no threads left") }
  }

  /// Looks at the clock, which has been set forward.
  func timeHasChanged() { state.withLock { $0.multi }?.wakeUp() }

  // MARK: The thread

  private func run() {
    Self.blockSignals()
    guard let library = CurlLibrary.shared, let multi = CurlMulti(library) else {
      return refuse("libcurl.so.4 is not installed or too old")
    }
    state.withLock { $0.multi = multi }
    _ = Self.stopsAtExit
    var transfers = TransferSet(library: library, multi: multi, now: now)
    var idleSince = now()
    while true {
      for command in state.withLock({ state in
        defer { state.commands = [] }
        return state.commands
      }) {
        switch command {
        case .start(let id, let request): transfers.start(id, request)
        case .cancel(let id): transfers.cancel(id)
        }
      }
      let deadline = transfers.perform()
      let now = now()
      if !transfers.isEmpty { idleSince = now }
      let wake = deadline ?? idleSince + Self.linger
      if leave(isIdle: transfers.isEmpty && wake <= now) { break }
      let milliseconds = max(0, (wake - now + 999_999) / 1_000_000)
      multi.wait(milliseconds: Int32(clamping: milliseconds))
    }
    transfers.cancelAll()
    state.withLock { $0.isRunning = $0.isRunning && !$0.isStopping }
    state.broadcast()
  }

  /// TLS libraries take themselves down when the process ends, and must not be in use then. Registered behind their own
  /// handlers, this runs before them.
  private static let stopsAtExit: Void = { _ = atexit { TransferEngine.shared.stop() } }()

  /// Ends the thread and waits for it; a second at the most.
  private func stop() {
    let multi = state.withLock { state in
      state.isStopping = true
      return state.multi
    }
    multi?.wakeUp()
    let patience = MonotonicClock.nanoseconds + 1_000_000_000
    state.waitingWithLock { state in
      state.isRunning && MonotonicClock.nanoseconds < patience ? .wait(until: patience) : .done(())
    }
  }

  /// Signals are for the program's own threads; a connection that closes while TLS writes to it raises one here.
  private static func blockSignals() {
    var all = sigset_t()
    unsafe sigfillset(&all)
    unsafe pthread_sigmask(SIG_BLOCK, &all, nil)
  }

  /// Whether the thread ends: with the process, or where it is idle and nothing was asked for meanwhile.
  private func leave(isIdle: Bool) -> Bool {
    state.withLock { state in
      if state.isStopping { return true }
      guard isIdle, state.commands.isEmpty else { return false }
      state.isRunning = false
      state.multi = nil
      return true
    }
  }

  /// Nothing can be transferred: says so to all that wait.
  private func refuse(_ reason: String) {
    let commands = state.withLock { state in
      defer { state.commands = [] }
      state.isRunning = false
      return state.commands
    }
    for case .start(_, let request) in commands {
      request.sink.fail(
        GIFLoadingError(
          .requesting, .noTransport, source: request.address.description, detail: reason))
    }
  }
}

/// The transfers that run, on the engine's thread.
private struct TransferSet {
  let library: CurlLibrary
  let multi: CurlMulti
  let now: @Sendable () -> Int64
  private var transfers: [UInt64: Transfer] = [:]
  private var ids: [CurlEasy.ID: UInt64] = [:]

  init(library: CurlLibrary, multi: CurlMulti, now: @escaping @Sendable () -> Int64) {
    self.library = library
    self.multi = multi
    self.now = now
  }

  var isEmpty: Bool { transfers.isEmpty }

  mutating func start(_ id: UInt64, _ request: TransferRequest) {
    run(id, Transfer(request, library: library, now: now))
  }

  mutating func cancel(_ id: UInt64) {
    guard let transfer = transfers.removeValue(forKey: id) else { return }
    remove(transfer)
  }

  mutating func cancelAll() {
    for transfer in transfers.values { remove(transfer) }
    transfers = [:]
  }

  /// Does what can be done now; returns when to look again at the latest, nil where there is no transfer.
  mutating func perform() -> Int64? {
    multi.perform()
    while let (easy, code) = multi.nextFinished() {
      guard let id = ids[easy], let transfer = transfers.removeValue(forKey: id) else { continue }
      remove(transfer)
      if transfer.ended(code) { run(id, transfer) }
    }
    let now = now()
    var earliest: Int64?
    for (id, transfer) in transfers {
      guard let deadline = transfer.deadline(now: now) else {
        cancel(id)
        continue
      }
      earliest = min(earliest ?? deadline, deadline)
    }
    return earliest
  }

  private mutating func run(_ id: UInt64, _ transfer: Transfer) {
    guard let easy = transfer.begin(on: multi) else { return }
    transfers[id] = transfer
    ids[easy] = id
  }

  private mutating func remove(_ transfer: Transfer) {
    guard let easy = transfer.easy else { return }
    multi.remove(easy)
    ids[easy.id] = nil
  }
}
