internal import ArgumentParser
internal import GIFStage
internal import Gallop
internal import TerminalDisplay

/// Playback in the terminal: one GIF or a wall of several, with a status line, keys and the mouse.
///
/// All files load at once, while the screen shows what has arrived. The loop draws the newest frames when the
/// last update is written, so a slow terminal skips frames.
struct TerminalPlayback {
  private let command: PlayCommand
  private let log: PlayLog

  init(_ command: PlayCommand) {
    self.command = command
    log = PlayLog(command, reportsAtOnce: false)
  }

  /// Plays until a key, a signal, the end of the time, or the failure of all files.
  func run() throws {
    guard
      let capabilities = TerminalCapabilities.detect(
        choice: command.chosenGraphics, glyphs: command.symbols)
    else {
      throw CommandFailure(
        reason: "standard output is not a terminal that can show pictures; "
          + "try --graphics symbols, or --headless")
    }
    let recorder = command.tracing.makeRecorder()
    do {
      // A terminal that is asked about kitty graphics may turn out to have them.
      let session = try TerminalSession(
        graphics: capabilities.questions.isEmpty ? capabilities.graphics : .kitty, usesMouse: true,
        followsMouse: command.play == .hover)
      let input = TerminalInput(session: session)
      let services = command.services(clock: .shared, recorder: recorder) { [waker = session.waker] in
        waker.wake()
      }
      let tiles = makeTiles(services)
      let outcome = Result { try show(tiles, services, in: session, input, capabilities) }
      for tile in tiles { tile.playback.perform(.pause) }
      // Before the session ends, as a pending signal then ends the process.
      let saved = Result { try command.tracing.save(recorder) }
      input.drainReplies()
      session.end()
      try conclude(outcome, saved, session)
    } catch let error as TerminalError {
      throw CommandFailure(reason: error.description)
    }
  }

  /// Reports warnings and failures on the restored terminal; ends the process by the signal that ended
  /// playback.
  private func conclude(
    _ outcome: Result<TerminalSignal?, any Error>, _ saved: Result<Void, any Error>,
    _ session: TerminalSession
  ) throws {
    log.reportAll()
    if case .failure(let failure as CommandFailure) = saved { failure.report() }
    if let signal = try outcome.get() { session.end(by: signal) }
    if case .failure = saved { throw ExitCode(1) }
    try log.outcomes.check(command.reading.messages)
  }

  private func makeTiles(_ services: StageServices) -> [TerminalTile] {
    var properties = command.imageProperties
    return command.files.map { file in
      properties.source = file
      return TerminalTile(properties, services: services)
    }
  }

  /// Runs the loop to its end; returns the signal that ended it.
  private func show(
    _ tiles: [TerminalTile], _ services: StageServices, in session: TerminalSession, _ input: TerminalInput,
    _ capabilities: TerminalCapabilities
  ) throws -> TerminalSignal? {
    var playlist = command.isOneByOne ? PlaylistPosition(count: tiles.count, at: PlaybackInstant.now) : nil
    let wall = TerminalWall(
      tiles: playlist == nil ? tiles : [tiles[0]], size: session.size.drawable, columns: command.columns,
      showsOverlay: command.debug, services: services)
    var isOver = false
    wall.onQuit = { isOver = true }
    let saver = PartSaver { [waker = session.waker] in waker.wake() }
    defer { saver.stop() }
    wall.onSave = { saver.save($2, of: $1, named: command.files[(playlist?.current ?? 0) + $0]) }
    for (index, tile) in tiles.enumerated() {
      tile.playback.onEvent = { [log, unowned wall, unowned tile] event in
        log.take(event, of: index)
        if case .frameChanged(let change) = event { wall.note(change, of: tile) }
      }
    }
    // The files load while the terminal answers.
    for tile in wall.tiles { tile.playback.visibility = .visible }
    if let playlist { log.begin(playlist.current) }
    // A file may have failed already.
    session.waker.wake()
    try input.ask(capabilities.questions)
    let end = command.seconds.map { PlaybackInstant.now + .seconds($0) }
    func makeScreen() -> TerminalScreen {
      TerminalScreen(
        writer: session.writer, size: wall.size, capabilities: capabilities.refined(by: input.replies),
        background: input.replies.background)
    }
    var screen = makeScreen()
    var schedule = DrawSchedule()
    /// Shows another file; returns false if there is none.
    func show(by offset: Int) -> Bool {
      guard playlist?.move(by: offset, at: PlaybackInstant.now) == true, let index = playlist?.current else {
        return false
      }
      let playback = tiles[index].playback
      wall.selectedTile.playback.perform(.pause)
      log.begin(index)
      wall.show(tiles[index])
      if playback.failure != nil { playback.perform(.reload) }
      playback.visibility = .visible
      if command.autoplays { playback.perform(.play) }
      screen.invalidate()
      schedule.request()
      return true
    }

    while !isOver, !log.isOver {
      let now = PlaybackInstant.now
      if let end, now >= end { return nil }
      var next = end
      if let follows = playlist?.end(log.progress, at: now) {
        if follows <= now {
          guard show(by: 1) else { return nil }
          continue
        }
        next = min(end ?? follows, follows)
      }
      switch schedule.decision(at: now, isIdle: session.writer.isIdle) {
      case .draw:
        let isChanged = try screen.draw(wall, at: now)
        schedule.noteDraw(at: now, isChanged: isChanged)
        if wall.state.showsOverlay { schedule.request(by: now + StatisticsRecorder.interval) }
        if let end = wall.state.messageEnd, end > now { schedule.request(by: end) }
        continue
      case .wait(let instant?): next = min(next ?? instant, instant)
      case .wait(nil): break
      }
      let timeout = next.map { Int(max(1, ($0 - now).milliseconds.rounded(.up))) }
      switch try input.next(timeout: timeout) {
      case .key(let key):
        guard let key = StageKey(key) else { break }
        if playlist != nil, let offset = PlaylistPosition.offset(of: key) {
          guard show(by: offset) else { return nil }
        } else if let command = SceneCommand(key, in: wall.state.content) {
          wall.apply(command)
          schedule.request()
        }
      case .mouse(let report):
        wall.take(report)
        schedule.request()
      case .resize(let size), .resumed(let size):
        wall.resize(to: size.drawable)
        screen.invalidate()
        schedule.request()
      case .answered:
        wall.resize(to: session.size.drawable)
        screen = makeScreen()
        schedule.request()
      case .interrupt(let signal): return signal
      case .endOfInput where end == nil: return nil
      case .wake:
        for tile in tiles { tile.playback.update() }
        if let message = saver.takeMessage() { wall.state.show(message: message, at: services.clock.now) }
        schedule.request()
      case .outputTaken, .timeout, .endOfInput: break
      }
    }
    return nil
  }
}
