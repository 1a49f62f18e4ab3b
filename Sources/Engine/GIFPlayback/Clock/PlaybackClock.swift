package import EngineSupport
public import GIFTimeline
internal import Synchronization

/// The timer of many players: one thread and one heap of deadlines for all of them.
///
/// Deadlines are absolute instants, so one late wake-up delays no later one. Deadlines close together need
/// one wake-up. Still images and paused, hidden, waiting or finished players cause none.
public final class PlaybackClock: Sendable {
  /// The clock of the process, on the system's monotonic time with a thread of its own.
  public static let shared = PlaybackClock()

  typealias PlayerID = DeadlineQueue.PlayerID
  typealias Wake = @Sendable (_ now: PlaybackInstant) -> Void

  private struct State {
    var deadlines = DeadlineQueue()
    var players: [PlayerID: Wake] = [:]
    var nextID = 0
    var hasThread = false
    var isStopped = false
    var wakeUps = 0
    var tolerance: Int64
    /// What the thread sleeps towards; nil while it is awake or waits without end.
    var sleepsUntil: PlaybackInstant?
    /// Up to where the last tick of a host has woken players; nil before the first one.
    var tickedUntil: PlaybackInstant?

    mutating func takeDue(at now: PlaybackInstant) -> [Wake] {
      deadlines.takeDue(at: now).compactMap { players[$0] }
    }
  }

  private let monitor: Monitor<State>
  private let time: @Sendable () -> PlaybackInstant
  /// Starts the clock's own thread; nil for a clock that its host ticks.
  private let startsThread: EngineThread.Starter?
  let governor = LoadGovernor()
  let judge: FlashJudge
  /// The newest instant given to ``tick(at:)``, in nanoseconds.
  private let lastTick = Atomic<Int64>(.min)

  /// Makes a clock on the system's monotonic time, with a thread of its own that starts with the first
  /// deadline.
  ///
  /// - Parameter tolerance: how much later than due players may be woken for the sake of fewer wake-ups:
  ///   those due within this time after the first are woken together. Clipped to a tenth of a second.
  public convenience init(tolerance: Duration = .milliseconds(1)) {
    self.init(tolerance: tolerance) { EngineThread.start($0) }
  }

  /// - Parameter startsThread: starts a thread, or returns false where the system gives none.
  package init(tolerance: Duration = .zero, startsThread: @escaping EngineThread.Starter) {
    time = { .now }
    judge = .shared
    self.startsThread = startsThread
    monitor = Monitor(State(tolerance: Self.clamped(tolerance)))
  }

  /// Makes a clock without a thread. The host calls ``tick(at:)`` at each screen refresh, or a test moves a
  /// ``ManualTime`` and calls it.
  ///
  /// - Parameter time: gives the present instant, never an earlier one than before: `{ .now }` for the
  ///   system's time.
  public convenience init(drivenWith time: @escaping @Sendable () -> PlaybackInstant) {
    self.init(drivenWith: time, judge: .shared)
  }

  /// - Parameter judge: what judges the flashes of the players' GIFs.
  package init(drivenWith time: @escaping @Sendable () -> PlaybackInstant, judge: FlashJudge) {
    self.time = time
    self.judge = judge
    startsThread = nil
    monitor = Monitor(State(tolerance: 0))
  }

  deinit {
    monitor.withLock { $0.isStopped = true }
    monitor.broadcast()
  }

  /// The present instant: that of its time, or that of the last ``tick(at:)`` if that is later.
  public var now: PlaybackInstant {
    let now = time()
    return startsThread != nil
      ? now : max(now, PlaybackInstant(nanoseconds: lastTick.load(ordering: .relaxed)))
  }

  /// How many times the clock woke: the ticks that found something due or, with a thread of its own, the ends
  /// of its sleep. All players due at once count as one.
  package var wakeUps: Int { monitor.withLock { $0.wakeUps } }

  /// The instant at which something is due next; nil if nothing is.
  public var nextDeadline: PlaybackInstant? { monitor.withLock { $0.deadlines.earliest() } }

  /// How much later than due players may be woken; zero without a thread.
  package var tolerance: Duration { .nanoseconds(monitor.withLock { $0.tolerance }) }

  private static func clamped(_ tolerance: Duration) -> Int64 {
    min(100_000_000, max(0, tolerance.wholeNanoseconds))
  }

  /// Wakes all players whose deadline has come. For clocks without a thread.
  ///
  /// - Parameter instant: shows what is due then, like the time at which the next refresh will be seen; nil
  ///   for now. An earlier instant than one before counts as that one.
  public func tick(at instant: PlaybackInstant? = nil) {
    if let instant { _ = lastTick.max(instant.nanoseconds, ordering: .relaxed) }
    let now = now
    let wakes = monitor.withLock { state in
      state.tickedUntil = max(state.tickedUntil ?? now, now)
      let wakes = state.takeDue(at: now)
      if !wakes.isEmpty { state.wakeUps += 1 }
      return wakes
    }
    for wake in wakes { wake(now) }
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

  /// Sets what is called at a player's deadlines: without a lock, on the clock's thread or in ``tick(at:)``.
  func attach(_ player: PlayerID, _ wake: @escaping Wake) {
    monitor.withLock { $0.players[player] = wake }
  }

  func unregister(_ player: PlayerID) {
    monitor.withLock { state in
      state.players[player] = nil
      state.deadlines.set(nil, for: player)
    }
  }

  /// What becomes of a deadline.
  enum Scheduling {
    /// The clock wakes the player.
    case kept
    /// A tick has passed it already, while the player was at an earlier time. No other tick may
    /// come, so the player ticks once more itself.
    case passed
    /// The clock has no thread, and the system gives none: nothing would ever wake the player.
    case refused
  }

  /// Sets a player's next deadline; nil for none.
  func schedule(_ player: PlayerID, at deadline: PlaybackInstant?) -> Scheduling {
    let (scheduling, wakesThread) = monitor.withLock { state -> (Scheduling, Bool) in
      guard state.players[player] != nil else { return (.kept, false) }
      state.deadlines.set(deadline, for: player)
      guard let deadline else { return (.kept, false) }
      guard let startsThread else {
        return (state.tickedUntil.map { deadline <= $0 } ?? false ? .passed : .kept, false)
      }
      // Under the lock, so that no other player relies on a thread that does not come.
      if !state.hasThread {
        state.hasThread = startsThread { [monitor, time] in Self.run(monitor, time) }
      }
      guard state.hasThread else {
        state.deadlines.set(nil, for: player)
        return (.refused, false)
      }
      // The thread sleeps on if it wakes early enough anyway.
      let latest = deadline.advanced(byNanoseconds: state.tolerance)
      return (.kept, state.sleepsUntil.map { latest < $0 } ?? true)
    }
    if wakesThread { monitor.signal() }
    return scheduling
  }

  private static func run(_ monitor: Monitor<State>, _ time: @Sendable () -> PlaybackInstant) {
    while true {
      var hasSlept = false
      let isRunning = monitor.waitingWithLock { state -> MonitorStep<Bool> in
        if hasSlept { state.wakeUps += 1 }
        if state.isStopped { return .done(false) }
        if let earliest = state.deadlines.earliest(), earliest <= time() {
          state.sleepsUntil = nil
          return .done(true)
        }
        hasSlept = true
        state.sleepsUntil = state.deadlines.wakeTarget(tolerance: state.tolerance)
        return .wait(until: state.sleepsUntil?.nanoseconds)
      }
      guard isRunning else { return }
      let now = time()
      for wake in monitor.withLock({ $0.takeDue(at: now) }) { wake(now) }
    }
  }
}
