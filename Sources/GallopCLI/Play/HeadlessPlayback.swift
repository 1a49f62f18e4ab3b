internal import ArgumentParser
internal import GIFDecoding
internal import GIFPlayback

/// Plays without a screen, for the events.
struct HeadlessPlayback {
  let players: [(path: String, player: GIFPlayer)]
  let printsEvents: Bool
  /// Real seconds to play; nil until every animation has ended.
  let seconds: Double?
  let speed: Double

  func run() throws {
    Interruption.watch()
    let queue = EventQueue()
    for (target, entry) in players.enumerated() { queue.listen(to: entry.player, as: target) }
    for entry in players { entry.player.play() }

    var running = Set(players.indices)
    var failures = 0
    while !running.isEmpty, Interruption.signal == nil {
      // Woken now and then to look for signals and for the end of the time.
      let events = queue.takeAll(until: MonotonicTimeSource().now() + .milliseconds(20))
      for event in events {
        if printsEvents, isWithinTime(event) { try JSONLine.print(EventLine(event)) }
        switch event {
        case .finished(let target):
          running.remove(target)
        case .failed(let target, let error):
          CommandFailure(subject: players[target].path, reason: error.description).report()
          running.remove(target)
          failures += 1
        case .frameChange, .loopCompleted:
          break
        }
      }
      if events.isEmpty { running = running.filter { !hasPlayedItsTime(players[$0].player) } }
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

  private func hasPlayedItsTime(_ player: GIFPlayer) -> Bool {
    guard let mediaLimit else { return false }
    return player.position >= mediaLimit
  }
}
