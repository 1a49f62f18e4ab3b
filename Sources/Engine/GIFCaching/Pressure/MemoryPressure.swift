internal import EngineSupport

/// The machine's shortage of memory, which budgets follow.
public enum MemoryPressure {
  /// How short memory is.
  public enum Level: Int, Sendable, Hashable, Comparable {
    /// There is enough.
    case normal
    /// Memory is getting scarce: hidden players keep nothing, others what is due next.
    case warning
    /// Memory is short: only the frame shown and the next one are kept.
    case critical

    public static func < (left: Level, right: Level) -> Bool { left.rawValue < right.rawValue }
  }

  static let observers = PressureObservers()

  /// Has every budget that follows memory pressure act as if the machine had reported this level.
  ///
  /// A warning passes by itself, in steps, as a real one does. `.normal` ends the answer to any pressure at
  /// once, real or simulated; the machine's next report counts again.
  public static func simulate(_ level: Level) { observers.simulate(level) }
}

/// The budgets that follow memory pressure, and the watch that reports it to them. The watch begins with the
/// first animation, so that programs that play nothing have no thread for it.
final class PressureObservers: Sendable {
  private struct WeakBudget: Sendable {
    let id: ObjectIdentifier
    weak var budget: FrameBudget?
    var isGone: Bool { budget == nil }
  }

  private struct State: Sendable {
    var budgets: [WeakBudget] = []
    var watch: PressureWatch?
  }

  private let state = Lock(State())

  func add(_ budget: FrameBudget) {
    let id = ObjectIdentifier(budget)
    state.withLock { state in
      // Those that are gone leave their places, too.
      state.budgets.removeAll { $0.id == id || $0.isGone }
      state.budgets.append(WeakBudget(id: id, budget: budget))
    }
  }

  func remove(_ budget: FrameBudget) {
    state.withLock { $0.budgets.removeAll { $0.id == ObjectIdentifier(budget) } }
  }

  /// Begins to watch the machine, unless it is watched already.
  func startWatching() {
    let watch = state.withLock { state -> PressureWatch? in
      guard state.watch == nil else { return nil }
      let watch = PressureWatch()
      state.watch = watch
      return watch
    }
    watch?.start { [weak self] level in self?.report(level, at: Self.now) }
  }

  /// Reports a level to all budgets, and has them recover from then on; `.normal` has them recover at once.
  func simulate(_ level: MemoryPressure.Level) {
    guard level != .normal else { return recover() }
    startWatching()
    let next = report(level, at: Self.now)
    state.withLock { $0.watch }?.wake(at: next)
  }

  func recover() {
    for budget in budgets { budget.recover() }
  }

  /// Reports a level to all budgets; `.normal` takes the step of recovery that is due.
  ///
  /// - Returns: when the next step is due.
  func report(_ level: MemoryPressure.Level, at now: Int64) -> Int64? {
    let next = budgets.compactMap { $0.follow(level, at: now, isReport: true) }.min()
    // After the evictions, so that what they released goes, too.
    if level != .normal { ReleasedMemory.trim() }
    return next
  }

  private var budgets: [FrameBudget] { state.withLock { $0.budgets.compactMap(\.budget) } }

  private static var now: Int64 { MonotonicClock.nanoseconds }
}
