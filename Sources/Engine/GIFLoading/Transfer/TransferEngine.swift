internal import EngineSupport

/// All transfers of the process, on one thread that ends a few seconds after the last of them.
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
    /// Whether the process ends; no transfer starts then.
    var isStopping = false
    /// The handle on which the thread waits; nil before the thread has it.
    var multi: CurlMulti?
  }

  private let state = Monitor(State())

  /// The monotonic time in nanoseconds.
  private let now: @Sendable () -> Int64

  /// - Parameter now: the clock; tests move their own, see ``timeHasChanged()``.
  init(now: @escaping @Sendable () -> Int64) { self.now = now }

  /// The time for which idle connections stay open, in nanoseconds.
  private static let linger: Int64 = 5_000_000_000

  /// Starts a transfer into the request's sink, whose reader can cancel it.
  func start(_ request: TransferRequest) {
    let id = state.withLock { state in
      state.lastID += 1
      return state.lastID
    }
    post(.start(id, request))
    // The sink releases this closure when the transfer ends.
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
    // TLS raises a signal when it writes to a closed connection.
    if isFirst, !EngineThread.start(blocksSignals: true, { self.run() }) {
      refuse("there are no threads left")
    }
  }

  /// Checks the time limits after a test has moved the clock.
  func timeHasChanged() { state.withLock { $0.multi }?.wakeUp() }

  // MARK: The thread

  private func run() {
    guard let library = CurlLibrary.shared, let multi = CurlMulti(library) else {
      return refuse(CurlLibrary.refusal)
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

  /// TLS libraries release their state when the process exits, and must not be in use then. This handler is
  /// registered after theirs, so it runs before them.
  private static let stopsAtExit: Void = CurlLibrary.atExit { TransferEngine.shared.stop() }

  /// Ends the thread and waits for it, one second at most.
  private func stop() {
    let multi = state.withLock { state in
      state.isStopping = true
      return state.multi
    }
    multi?.wakeUp()
    let deadline = MonotonicClock.nanoseconds + 1_000_000_000
    state.waitingWithLock { state in
      state.isRunning && MonotonicClock.nanoseconds < deadline ? .wait(until: deadline) : .done(())
    }
  }

  /// Whether the thread ends: with the process, or when it is idle and has no commands.
  private func leave(isIdle: Bool) -> Bool {
    state.withLock { state in
      if state.isStopping { return true }
      guard isIdle, state.commands.isEmpty else { return false }
      state.isRunning = false
      state.multi = nil
      return true
    }
  }

  /// Fails all waiting transfers, as none can start.
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

/// The running transfers, confined to the engine's thread.
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

  /// Performs the pending work; returns the next deadline, nil without a transfer.
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
