import GIFDecoding

@testable import GIFTimeline

/// A playback machine with a time of its own, in milliseconds, and frames that may be missing.
struct MachineRig {
  static let millisecond: Int64 = 1_000_000

  var machine: PlaybackMachine
  var missing: Set<Int> = []
  /// Real time; begins late so that it cannot be mixed up with media time.
  private(set) var now = PlaybackInstant(nanoseconds: 900 * Self.millisecond)
  private(set) var outcome = PlaybackMachine.Outcome(playhead: 0)

  /// Gaps of any length keep the schedule unless said otherwise, so that a test may tick seldom.
  init(
    _ delays: [Int], plays: Int? = nil, mode: PlaybackMode = .forward, range: Range<Int>? = nil,
    rate: Double = 1, late: LatePolicy = .skip, suspension: SuspensionPolicy = .keepSchedule
  ) {
    machine = PlaybackMachine(
      timeline: Timeline(
        delays: delays, loopCount: plays.map { .plays($0) } ?? .forever, mode: mode, range: range),
      rate: rate, rules: PlaybackRules(latePolicy: late, suspensionPolicy: suspension))
  }

  /// Ticks once and returns what is to be done, a word each: `play 3`, `play 3 +2` with two
  /// skipped, `play 3 ~5` five milliseconds late, `loop! 1`, `finish`.
  @discardableResult
  mutating func tick() -> [String] {
    let missing = missing
    outcome = machine.advance(at: now) { frame, _ in !missing.contains(frame) }
    return outcome.events.map { event in
      switch event {
      case .finished: return "finish"
      case .loopCompleted(let count, let remaining):
        return "loop! \(count)" + (remaining.map { " of \($0 + count)" } ?? "")
      case .shown(let shown):
        let late = shown.lateness == 0 ? "" : " ~\(shown.lateness / Self.millisecond)"
        return "\(shown.cause.rawValue) \(shown.frame)" + (shown.skipped == 0 ? "" : " +\(shown.skipped)")
          + late
      case .stateChanged, .buffering, .failed: return "of no machine"
      }
    }
  }

  /// Lets time pass, then ticks.
  @discardableResult
  mutating func wait(_ milliseconds: Int64) -> [String] {
    pass(milliseconds)
    return tick()
  }

  /// Lets time pass unseen.
  mutating func pass(_ milliseconds: Int64) {
    now = PlaybackInstant(nanoseconds: now.nanoseconds + milliseconds * Self.millisecond)
  }

  mutating func pass(nanoseconds: Int64) {
    now = PlaybackInstant(nanoseconds: now.nanoseconds + nanoseconds)
  }

  /// Carries out a command and ticks.
  @discardableResult
  mutating func order(_ command: (inout PlaybackMachine, PlaybackInstant) -> Void) -> [String] {
    command(&machine, now)
    return tick()
  }

  @discardableResult
  mutating func play() -> [String] { order { $0.play(at: $1) } }

  @discardableResult
  mutating func pause() -> [String] { order { $0.pause(at: $1) } }

  /// Milliseconds until the machine's next tick.
  var wakesIn: Int64? {
    outcome.wakeAt.map { ($0.nanoseconds - now.nanoseconds) / Self.millisecond }
  }

  /// Media time in milliseconds.
  var media: Int64 { machine.mediaTime(at: now) / Self.millisecond }
}
