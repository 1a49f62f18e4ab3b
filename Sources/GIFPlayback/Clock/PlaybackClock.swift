internal import GIFCaching

/// Wakes players at their deadlines: one thread and one heap for all of them.
///
/// Deadlines are absolute instants, so being late once makes nothing later. There is no wake-up while nothing is
/// due: still images, paused and finished players cost nothing.
public final class PlaybackClock: Sendable {
  /// The clock of the process, on the system's monotonic time with a thread of its own.
  public static let shared = PlaybackClock()

  typealias PlayerID = DeadlineQueue.PlayerID
  typealias Wake = @Sendable () -> Void

  private struct State {
    var deadlines = DeadlineQueue()
    var players: [PlayerID: Wake] = [:]
    var nextID = 0
    var hasThread = false
    var isStopped = false
    var wakeUps = 0
    /// What the thread sleeps towards; nil while it is awake or waits without end.
    var sleepsUntil: PlaybackInstant?
  }

  private let monitor = Monitor(State())
  private let timeSource: any TimeSource
  private let hasOwnThread: Bool

  /// A clock with a thread of its own on the system's monotonic time. The thread starts with the first deadline.
  public init() {
    timeSource = MonotonicTimeSource()
    hasOwnThread = true
  }

  /// A clock that is driven from outside: somebody calls ``tick()`` at each screen refresh, or a test moves a
  /// ``ManualTimeSource``.
  public init(drivenWith timeSource: any TimeSource) {
    self.timeSource = timeSource
    hasOwnThread = false
  }

  deinit {
    monitor.withLock { $0.isStopped = true }
    monitor.broadcast()
  }

  public var now: PlaybackInstant { timeSource.now() }

  /// How many times players were woken, all players due at once counting once.
  public var wakeUps: Int { monitor.withLock { $0.wakeUps } }

  /// The instant at which something is due next; nil where nothing is.
  public var nextDeadline: PlaybackInstant? { monitor.withLock { $0.deadlines.earliest() } }

  /// Wakes all players whose deadline has come. For clocks that are driven from outside.
  public func tick() { Self.wakeDue(monitor, at: timeSource.now()) }

  private static func wakeDue(_ monitor: Monitor<State>, at now: PlaybackInstant) {
    let wakes = monitor.withLock { state -> [Wake] in
      let due = state.deadlines.takeDue(at: now)
      if !due.isEmpty { state.wakeUps += 1 }
      return due.compactMap { state.players[$0] }
    }
    for wake in wakes { wake() }
  }
}

// MARK: - For players

extension PlaybackClock {
  /// Gives a new player its number.
  func register() -> PlayerID {
    monitor.withLock { state in
      state.nextID += 1
      return state.nextID
    }
  }

  /// Sets what is called at a player's deadlines: without a lock, on the clock's thread or in ``tick()``.
  func attach(_ player: PlayerID, _ wake: @escaping Wake) {
    monitor.withLock { $0.players[player] = wake }
  }

  func unregister(_ player: PlayerID) {
    monitor.withLock { state in
      state.players[player] = nil
      state.deadlines.set(nil, for: player)
    }
  }

  /// Sets a player's next deadline; nil for none.
  func schedule(_ player: PlayerID, at deadline: PlaybackInstant?) {
    let (startsThread, wakesThread) = monitor.withLock { state in
      guard state.players[player] != nil else { return (false, false) }
      state.deadlines.set(deadline, for: player)
      guard hasOwnThread, let deadline else { return (false, false) }
      let starts = !state.hasThread
      state.hasThread = true
      // The thread need not hear of what is later than the instant it will wake at anyway.
      let isSooner = state.sleepsUntil.map { deadline < $0 } ?? true
      return (starts, isSooner)
    }
    if startsThread { startThread() }
    if wakesThread { monitor.signal() }
  }

  private func startThread() {
    let monitor = monitor
    let timeSource = timeSource
    let isStarted = EngineThread.start { Self.run(monitor, timeSource) }
    if !isStarted { monitor.withLock { $0.hasThread = false } }
  }

  private static func run(_ monitor: Monitor<State>, _ timeSource: any TimeSource) {
    while true {
      let isRunning = monitor.waitingWithLock { state -> MonitorStep<Bool> in
        if state.isStopped { return .done(false) }
        let deadline = state.deadlines.earliest()
        if let deadline, deadline <= timeSource.now() {
          state.sleepsUntil = nil
          return .done(true)
        }
        state.sleepsUntil = deadline
        return .wait(until: deadline?.nanoseconds)
      }
      guard isRunning else { return }
      wakeDue(monitor, at: timeSource.now())
    }
  }
}
