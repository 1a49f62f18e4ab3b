internal import ArgumentParser
internal import GIFDecoding
internal import GIFPlayback
internal import GIFStage
internal import TerminalDisplay

/// Playback in the terminal: one GIF or a wall of several, with a status line, keys and the mouse.
///
/// All files load at once, while the screen shows what has arrived. The loop draws the newest frames when the last update
/// is written, so a slow terminal skips frames.
struct TerminalPlayback {
  private let command: PlayCommand
  private let tiles: [TerminalTile]

  init(_ command: PlayCommand) {
    self.command = command
    let autoplays = command.autoplays
    tiles = command.files.map { TerminalTile($0, options: command.playerOptions, autoplays: autoplays) }
  }

  /// Plays until a key, a signal, the end of the time, or the failure of all files.
  func run() throws {
    guard
      let capabilities = TerminalCapabilities.detect(
        choice: command.chosenGraphics, glyphs: command.symbols)
    else {
      throw CommandFailure(
        reason: "standard output is not a terminal that can show pictures; try --headless")
    }
    let recorder = command.tracing.makeRecorder()
    do {
      // A terminal that is asked about kitty graphics may turn out to have them.
      let session = try TerminalSession(
        graphics: capabilities.questions.isEmpty ? capabilities.graphics : .kitty, usesMouse: true,
        followsMouse: command.play == .hover)
      let input = TerminalInput(session: session)
      let outcome = Result { try show(in: session, input, capabilities, recorder) }
      for tile in tiles { tile.pause() }
      // Before the session ends, as a pending signal then ends the process.
      let saved = Result { try command.tracing.save(recorder) }
      input.drainReplies()
      session.end()
      try conclude(outcome, saved, session)
    } catch let error as TerminalError {
      throw CommandFailure(reason: error.description)
    }
  }

  /// Reports warnings and failures on the restored terminal; ends the process by the signal that ended playback.
  private func conclude(
    _ outcome: Result<TerminalSignal?, any Error>, _ saved: Result<Void, any Error>,
    _ session: TerminalSession
  ) throws {
    reportFiles()
    if case .failure(let failure as CommandFailure) = saved { failure.report() }
    if let signal = try outcome.get() { session.end(by: signal) }
    if case .failure = saved { throw ExitCode(1) }
    try outcomes.check(command.reading.messages)
  }

  private var outcomes: FileOutcomes {
    let failed = tiles.count { $0.failure != nil }
    return FileOutcomes(
      used: tiles.count - failed, failed: failed, hasWarnings: tiles.contains { !$0.diagnostics.isEmpty },
      isCutOff: tiles.contains { !$0.warnings.isEmpty })
  }

  /// Prints the warnings and failures of each file once.
  private func reportFiles() {
    var reported: Set<String> = []
    var warnings = Warnings(fileCount: tiles.count)
    for tile in tiles where reported.insert(tile.name).inserted {
      for warning in tile.warnings { StandardError.note("\(tile.name): \(warning)") }
      for line in warnings.add(tile.name, tile.diagnostics) { StandardError.note(line) }
      if let failure = tile.failure { CommandFailure(subject: tile.name, reason: failure).report() }
    }
    for line in warnings.summary { StandardError.note(line) }
  }

  /// Runs the loop to its end; returns the signal that ended it.
  private func show(
    in session: TerminalSession, _ input: TerminalInput, _ capabilities: TerminalCapabilities,
    _ recorder: TraceRecorder?
  ) throws -> TerminalSignal? {
    let statistics = TerminalStatistics(tileCount: tiles.count)
    // The files load while the terminal answers.
    start(waker: session.waker, statistics: statistics, recorder)
    try input.ask(capabilities.questions)
    let time = MonotonicTimeSource()
    let end = command.seconds.map { time.now() + .seconds($0) }
    var wall = TerminalWall(
      tiles: tiles, size: session.size.drawable, columns: command.columns, fit: command.resizeMode,
      showsOverlay: command.debug)
    wall.playsOnHover = command.play == .hover
    func makeScreen() -> TerminalScreen {
      TerminalScreen(
        writer: session.writer, size: wall.size, capabilities: capabilities.refined(by: input.replies),
        background: input.replies.background, statistics: statistics)
    }
    var screen = makeScreen()
    var schedule = DrawSchedule()

    while true {
      let now = time.now()
      if let end, now >= end { return nil }
      if tiles.allSatisfy({ $0.failure != nil }) { return nil }
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
      case .answered:
        wall.resize(to: session.size.drawable)
        screen = makeScreen()
        schedule.request()
      case .interrupt(let signal): return signal
      case .endOfInput where end == nil: return nil
      case .wake:
        for tile in tiles { tile.update() }
        schedule.request()
      case .outputTaken, .timeout, .endOfInput: break
      }
    }
  }

  /// Starts to load all files. Each event of a load or a player wakes the loop, which reads the states itself.
  private func start(waker: TerminalWaker, statistics: TerminalStatistics, _ recorder: TraceRecorder?) {
    let loader = CommandLoader(reading: command.reading, range: command.range)
    for (index, tile) in tiles.enumerated() {
      let name = tile.name
      tile.start(
        TerminalTile.Services(
          loader: loader, wake: { waker.wake() },
          onPlayer: { player in
            recorder?.record(player, as: name)
            player.onFrameChange { change in
              statistics.note(change, of: index)
              waker.wake()
            }
            player.onFinish { _ in waker.wake() }
          }))
    }
    // A file may have failed already.
    waker.wake()
  }
}
