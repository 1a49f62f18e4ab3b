/// How a budget answers memory pressure over time. Time and chance are given.
///
/// A report takes effect at once. Recovery goes in steps, each after a pause without a report. The pause
/// grows with the number of past warnings, whose memory fades. It varies by chance, so that many programs do
/// not grow back together. Nothing stays shrunk for good.
struct PressureRegulator: Sendable {
  private(set) var share = BudgetPlan.Share.all
  /// When the next step of recovery is due; nil when everything is given out.
  private(set) var nextStep: Int64?
  /// Warnings not yet forgotten; halves in ``memory``.
  private var warnings: Double = 0
  private var lastNoted: Int64 = 0

  /// Time to the first step of recovery after a first warning, in nanoseconds.
  static let pause: Int64 = 5_000_000_000
  /// The time in which the memory of past warnings halves.
  static let memory: Int64 = 60_000_000_000
  /// The longest pause, however many warnings there were.
  static let longestPause: Int64 = 120_000_000_000

  /// Takes a report of the machine's.
  ///
  /// - Parameters:
  ///   - now: nanoseconds of any clock that goes forward.
  ///   - chance: 0 ..< 1.
  mutating func note(_ level: MemoryPressure.Level, at now: Int64, chance: Double) {
    guard level != .normal else { return advance(to: now, chance: chance) }
    fade(to: now)
    warnings += 1
    share = min(share, level == .critical ? .floors : .windows)
    nextStep = later(than: now, chance)
  }

  /// Takes the step of recovery that is due, if any.
  mutating func advance(to now: Int64, chance: Double) {
    guard let due = nextStep, now >= due else { return }
    fade(to: now)
    share = BudgetPlan.Share(rawValue: share.rawValue + 1) ?? .all
    nextStep = share == .all ? nil : later(than: now, chance)
  }

  /// Ends the recovery at once: everything is given out again.
  mutating func recover() {
    share = .all
    nextStep = nil
  }

  private func later(than now: Int64, _ chance: Double) -> Int64 {
    let jitter = 0.75 + 0.5 * max(0, min(1, chance))
    let delay = Int64(min(Double(Self.longestPause), Double(Self.pause) * (1 + warnings) * jitter))
    return now > .max - delay ? .max : now + delay
  }

  private mutating func fade(to now: Int64) {
    let passed = max(0, Double(now) - Double(lastNoted)) / Double(Self.memory)
    // Halves by the exponent's whole part and goes straight between: exact enough, and without a mathematics
    // library.
    let halvings = min(60, Int(passed))
    warnings /= Double(1 << halvings)
    warnings *= 1 - (passed - Double(Int(min(passed, 1e6)))).clamped / 2
    lastNoted = now
  }
}

extension Double {
  fileprivate var clamped: Double { Swift.max(0, Swift.min(1, self)) }
}

extension BudgetPlan.Share {
  /// The level that a share answers to.
  var pressure: MemoryPressure.Level {
    switch self {
    case .floors: .critical
    case .windows, .quarter, .half: .warning
    case .all: .normal
    }
  }
}
