internal import EngineSupport

/// The machine's shortage of memory, and who follows it.
public enum MemoryPressure {
  public enum Level: Int, Sendable, Hashable, Comparable {
    /// There is enough.
    case normal
    /// Memory is getting scarce: hidden players give up everything, others keep what is due next.
    case warning
    /// Memory is short: the picture shown and the next one are all that is kept.
    case critical

    public static func < (left: Level, right: Level) -> Bool { left.rawValue < right.rawValue }
  }

  static let observers = PressureObservers()

  /// Has every budget that follows memory pressure act as if the machine had reported this level. A warning passes by
  /// itself, in steps, as a real one does.
  public static func simulate(_ level: Level) { observers.report(level) }
}

/// The budgets that follow memory pressure, and the watch that tells them of it. The watch begins with the first
/// animation, so that programs that play nothing have no thread for it.
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

  /// Begins to watch the machine, if nobody does yet.
  func startWatching() {
    let watch = state.withLock { state -> PressureWatch? in
      guard state.watch == nil else { return nil }
      let watch = PressureWatch()
      state.watch = watch
      return watch
    }
    watch?.start { [weak self] level in self?.step(level, at: Self.now) }
  }

  /// Tells all budgets of a level, and has them recover from then on.
  func report(_ level: MemoryPressure.Level) {
    startWatching()
    let next = step(level, at: Self.now)
    state.withLock { $0.watch }?.wake(at: next)
  }

  /// - Returns: when the next recovery step is due.
  private func step(_ level: MemoryPressure.Level, at now: Int64) -> Int64? {
    let budgets = state.withLock { $0.budgets.compactMap(\.budget) }
    return budgets.compactMap { $0.follow(level, at: now, isReport: true) }.min()
  }

  private static var now: Int64 { MonotonicClock.nanoseconds }
}
