internal import ArgumentParser
internal import EngineSupport
internal import GIFCaching
internal import GIFDecoding
internal import GIFPlayback
internal import GIFTimeline

/// Playback without a screen, for its events.
struct HeadlessPlayback {
  /// The players; `target` counts all files of the command line, also those that cannot be played.
  let players: [(target: Int, path: String, player: GIFPlayer)]
  let printsEvents: Bool
  /// The seconds to play, in real time; nil to play every animation to its end.
  let seconds: Double?
  let speed: Double
  /// Whether an animation has no end.
  let isEndless: Bool

  func run() throws {
    Interruption.watch()
    let queue = EventQueue()
    for entry in players { queue.subscribe(to: entry.player, target: entry.target) }
    for entry in players { entry.player.play() }
    if seconds == nil, isEndless {
      StandardError.note("playback is endless; Ctrl-C ends it, as do --seconds and --loops")
    }

    var running = Dictionary(uniqueKeysWithValues: players.map { ($0.target, $0) })
    // The media time of each player's last picture.
    var shown: [Int: Duration] = [:]
    var failures = 0
    while !running.isEmpty, Interruption.signal == nil {
      // The wait is short, so that signals and the end of the time are noticed.
      let entries = queue.takeAll(until: MonotonicTimeSource().now() + .milliseconds(20))
      for (target, event) in entries {
        if printsEvents, isWithinTime(event), let line = EventLine(target: target, event) {
          try JSONLine.print(line)
        }
        switch event {
        case .finished:
          running[target] = nil
        case .failed(let error):
          let path = players.first { $0.target == target }?.path
          CommandFailure(subject: path, reason: error.description).report()
          running[target] = nil
          failures += 1
        case .frameChange(let change):
          shown[target] = change.mediaTime
        case .loopCompleted, .buffering, .stateChanged, .loading:
          break
        }
      }
      running = running.filter { !hasPlayedItsTime($0.value.player, shown: shown[$0.key]) }
    }
    try Interruption.check()
    if failures > 0 { throw ExitCode(1) }
  }

  private var mediaLimit: Duration? { seconds.map { .seconds($0 * speed) } }

  /// Whether a frame is due within the time; other events always are.
  ///
  /// Time is each animation's own media time, which begins with its first picture.
  private func isWithinTime(_ event: PlayerEvent) -> Bool {
    guard let mediaLimit, case .frameChange(let change) = event else { return true }
    return change.mediaTime < mediaLimit
  }

  /// Whether the time is over and the last picture due in it, or a later one, has been printed.
  private func hasPlayedItsTime(_ player: GIFPlayer, shown: Duration?) -> Bool {
    guard let mediaLimit, let shown, player.position >= mediaLimit else { return false }
    let lastMoment = min(mediaLimit, Self.longest).wholeNanoseconds - 1
    guard let due = player.timeline.position(at: lastMoment) else { return true }
    return shown.wholeNanoseconds >= due.start
  }

  /// A limit below which nanoseconds fit 64 bits.
  private static let longest = Duration.seconds(9_000_000_000)
}
