internal import ArgumentParser
internal import GIFDecoding
internal import GIFPlayback
internal import GIFStage
internal import TerminalDisplay

/// Plays in the terminal: one picture or a wall of several, with a status line, keys and the mouse.
///
/// The loop draws the newest pictures whenever the terminal has taken the last ones; a slow terminal therefore sees
/// fewer pictures, each at its time, rather than all of them late.
struct TerminalPlayback {
  let tiles: [TerminalWall.Tile]
  /// Watches the players of all tiles.
  let failures: PlayerFailures
  /// Real seconds to play; nil until a key ends it.
  let seconds: Double?
  let graphics: TerminalGraphics?
  /// Columns of a wall; nil for what suits.
  let columns: Int?
  let fit: ResizeMode
  let showsOverlay: Bool

  /// Plays until a key, a signal or the time ends it, or no tile has anything to show.
  ///
  /// - Parameter save: saves what there is to save, however it ends.
  func run(saving save: () throws -> Void) throws {
    guard let capabilities = TerminalCapabilities.detect(choice: graphics) else {
      throw CommandFailure(
        reason: "standard output is no terminal that pictures can be shown in; try --headless")
    }
    do {
      let session = try TerminalSession(graphics: capabilities.graphics, usesMouse: true)
      let outcome = Result { try show(in: session, capabilities) }
      for tile in tiles { tile.player.pause() }
      // First: a signal that nobody has taken yet ends the process when the terminal is given back.
      let saved = Result { try save() }
      session.end()
      try conclude(outcome, saved, session)
    } catch let error as TerminalError {
      throw CommandFailure(reason: error.description)
    }
  }

  /// Tells what went wrong, now that there is a terminal to tell it on; dies by the signal that ended it.
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

  /// Runs until it is over; returns the signal that ended it, if it was one.
  private func show(
    in session: TerminalSession, _ capabilities: TerminalCapabilities
  ) throws -> TerminalSignal? {
    let time = MonotonicTimeSource()
    let end = seconds.map { time.now() + .seconds($0) }
    let input = TerminalInput(session: session)
    let tally = TerminalTally(tileCount: tiles.count)
    var wall = TerminalWall(
      tiles: tiles, size: session.size.drawable, columns: columns, fit: fit, showsOverlay: showsOverlay)
    var screen = TerminalScreen(
      writer: session.writer, size: wall.size, capabilities: capabilities, tally: tally)
    var gate = DrawGate()
    listen(waker: session.waker, tally: tally)
    for tile in tiles { tile.player.play() }

    while true {
      let now = time.now()
      if let end, now >= end { return nil }
      if failures.count == tiles.count { return nil }
      var next = end
      switch gate.decision(at: now, isIdle: session.writer.isIdle) {
      case .draw:
        let isChanged = try screen.draw(wall, at: now)
        gate.noteDraw(at: now, isChanged: isChanged)
        if wall.showsOverlay { gate.request(by: now + FigureRecorder.interval) }
        continue
      case .wait(let instant?): next = min(end ?? instant, instant)
      case .wait(nil): break
      }
      let timeout = next.map { Int(max(1, ($0 - now).milliseconds.rounded(.up))) }
      switch try input.next(timeout: timeout) {
      case .key(let key):
        guard let command = SceneCommand(key, isWall: !wall.isSingle) else { break }
        guard wall.perform(command) else { return nil }
        gate.request()
      case .mouse(let report):
        wall.take(report)
        gate.request()
      case .resize(let size), .resumed(let size):
        wall.resize(to: size.drawable)
        screen.forget()
        gate.request()
      case .interrupt(let signal): return signal
      case .endOfInput where end == nil: return nil
      case .wake: gate.request()
      case .outputTaken, .timeout, .endOfInput: break
      }
    }
  }

  /// Whatever a player tells: the loop looks for itself what there is to draw.
  private func listen(waker: TerminalWaker, tally: TerminalTally) {
    for (index, tile) in tiles.enumerated() {
      tile.player.onFrameChange { change in
        tally.note(change, of: index)
        waker.wake()
      }
      tile.player.onFinish { _ in waker.wake() }
      tile.player.onFailure { _ in waker.wake() }
    }
  }
}
