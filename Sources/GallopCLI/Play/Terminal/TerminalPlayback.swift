internal import ArgumentParser
internal import GIFDecoding
internal import GIFPlayback
internal import GIFStage
internal import TerminalDisplay

/// Playback in the terminal: one GIF or a wall of several, with a status line, keys and the mouse.
///
/// The loop draws the newest pictures when the last update is written, so a slow terminal skips pictures.
struct TerminalPlayback {
  let tiles: [TerminalWall.Tile]
  /// The failures of all tiles' players.
  let failures: PlayerFailures
  /// The seconds to play, in real time; nil to play until a key.
  let seconds: Double?
  let graphics: TerminalGraphics?
  /// Columns of a wall; nil to choose by the size.
  let columns: Int?
  let fit: ResizeMode
  let showsOverlay: Bool

  /// Plays until a key, a signal, the end of the time, or the failure of all players.
  ///
  /// - Parameter save: saves the trace, however playback ends.
  func run(saving save: () throws -> Void) throws {
    guard let capabilities = TerminalCapabilities.detect(choice: graphics) else {
      throw CommandFailure(
        reason: "standard output is not a terminal that can show pictures; try --headless")
    }
    do {
      let session = try TerminalSession(graphics: capabilities.graphics, usesMouse: true)
      let outcome = Result { try show(in: session, capabilities) }
      for tile in tiles { tile.player.pause() }
      // Before the session ends, as a pending signal then ends the process.
      let saved = Result { try save() }
      session.end()
      try conclude(outcome, saved, session)
    } catch let error as TerminalError {
      throw CommandFailure(reason: error.description)
    }
  }

  /// Reports failures on the restored terminal; ends the process by the signal that ended playback.
  private func conclude(
    _ outcome: Result<TerminalSignal?, any Error>, _ saved: Result<Void, any Error>,
    _ session: TerminalSession
  ) throws {
    failures.report()
    if case .failure(let failure as CommandFailure) = saved { failure.report() }
    if let signal = try outcome.get() { session.end(by: signal) }
    if case .failure = saved { throw ExitCode(1) }
    try failures.check()
  }

  /// Runs the loop to its end; returns the signal that ended it.
  private func show(
    in session: TerminalSession, _ capabilities: TerminalCapabilities
  ) throws -> TerminalSignal? {
    let time = MonotonicTimeSource()
    let end = seconds.map { time.now() + .seconds($0) }
    let input = TerminalInput(session: session)
    let statistics = TerminalStatistics(tileCount: tiles.count)
    var wall = TerminalWall(
      tiles: tiles, size: session.size.drawable, columns: columns, fit: fit, showsOverlay: showsOverlay)
    var screen = TerminalScreen(
      writer: session.writer, size: wall.size, capabilities: capabilities, statistics: statistics)
    var schedule = DrawSchedule()
    listen(waker: session.waker, statistics: statistics)
    for tile in tiles { tile.player.play() }

    while true {
      let now = time.now()
      if let end, now >= end { return nil }
      if failures.count == tiles.count { return nil }
      var next = end
      switch schedule.decision(at: now, isIdle: session.writer.isIdle) {
      case .draw:
        let isChanged = try screen.draw(wall, at: now)
        schedule.noteDraw(at: now, isChanged: isChanged)
        if wall.showsOverlay { schedule.request(by: now + StatisticsRecorder.interval) }
        continue
      case .wait(let instant?): next = min(end ?? instant, instant)
      case .wait(nil): break
      }
      let timeout = next.map { Int(max(1, ($0 - now).milliseconds.rounded(.up))) }
      switch try input.next(timeout: timeout) {
      case .key(let key):
        guard let command = SceneCommand(key, isWall: !wall.isSingle) else { break }
        guard wall.perform(command) else { return nil }
        schedule.request()
      case .mouse(let report):
        wall.take(report)
        schedule.request()
      case .resize(let size), .resumed(let size):
        wall.resize(to: size.drawable)
        screen.invalidate()
        schedule.request()
      case .interrupt(let signal): return signal
      case .endOfInput where end == nil: return nil
      case .wake: schedule.request()
      case .outputTaken, .timeout, .endOfInput: break
      }
    }
  }

  /// Wakes the loop at each event of a player; the loop reads the players' states itself.
  private func listen(waker: TerminalWaker, statistics: TerminalStatistics) {
    for (index, tile) in tiles.enumerated() {
      tile.player.onFrameChange { change in
        statistics.note(change, of: index)
        waker.wake()
      }
      tile.player.onFinish { _ in waker.wake() }
      tile.player.onFailure { _ in waker.wake() }
    }
  }
}
