internal import ArgumentParser
internal import EngineSupport
internal import GIFCaching
internal import GIFDecoding
internal import GIFPlayback
internal import GIFTimeline

/// Plays without a screen, for the events.
struct HeadlessPlayback {
  /// `target` counts the files of the command line, also those that cannot be played.
  let players: [(target: Int, path: String, player: GIFPlayer)]
  let printsEvents: Bool
  /// Real seconds to play; nil until every animation has ended.
  let seconds: Double?
  let speed: Double

  func run() throws {
    Interruption.watch()
    let queue = EventQueue()
    for entry in players { queue.listen(to: entry.player, as: entry.target) }
    for entry in players { entry.player.play() }

    var running = Dictionary(uniqueKeysWithValues: players.map { ($0.target, $0) })
    /// The media time of each player's last picture.
    var shown: [Int: Duration] = [:]
    var failures = 0
    while !running.isEmpty, Interruption.signal == nil {
      // Woken now and then to look for signals and for the end of the time.
      let events = queue.takeAll(until: MonotonicTimeSource().now() + .milliseconds(20))
      for event in events {
        if printsEvents, isWithinTime(event) { try JSONLine.print(EventLine(event)) }
        switch event {
        case .finished(let target):
          running[target] = nil
        case .failed(let target, let error):
          let path = players.first { $0.target == target }?.path
          CommandFailure(subject: path, reason: error.description).report()
          running[target] = nil
          failures += 1
        case .frameChange(let target, let change):
          shown[target] = change.mediaTime
        case .loopCompleted, .buffering:
          break
        }
      }
      running = running.filter { !hasPlayedItsTime($0.value.player, shown: shown[$0.key]) }
    }
    try Interruption.check()
    if failures > 0 { throw ExitCode(1) }
  }

  private var mediaLimit: Duration? { seconds.map { .seconds($0 * speed) } }

  /// Time is counted in each animation's own media time, which begins with its first picture: every frame due
  /// before the end is told, and none due later.
  private func isWithinTime(_ event: PlaybackEvent) -> Bool {
    guard let mediaLimit, case .frameChange(_, let change) = event else { return true }
    return change.mediaTime < mediaLimit
  }

  /// Whether the time is over and the last picture due in it, or a later one, has been told.
  private func hasPlayedItsTime(_ player: GIFPlayer, shown: Duration?) -> Bool {
    guard let mediaLimit, let shown, player.position >= mediaLimit else { return false }
    let lastMoment = min(mediaLimit, Self.longest).wholeNanoseconds - 1
    guard let due = player.timeline.position(at: lastMoment) else { return true }
    return shown.wholeNanoseconds >= due.start
  }

  /// More than nanoseconds in 64 bits hold is not counted.
  private static let longest = Duration.seconds(9_000_000_000)
}
