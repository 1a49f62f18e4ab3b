internal import ArgumentParser
internal import EngineSupport
internal import GIFStage
internal import Gallop
internal import TerminalDisplay

/// Playback in the terminal: one GIF or a wall of several, with a status line, keys and the mouse.
///
/// All files load at once, while the screen shows what has arrived. The loop draws the newest frames when the
/// last update is written, so a slow terminal skips frames.
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

  /// Reports warnings and failures on the restored terminal; ends the process by the signal that ended
  /// playback.
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
    let services = Services(waker: session.waker, statistics: statistics, recorder: recorder)
    var turn = command.isOneByOne ? PlaylistTurn(count: tiles.count, at: MonotonicTimeSource().now()) : nil
    for index in tiles.indices where turn == nil || index == turn?.current { start(index, services) }
    // A file may have failed already.
    session.waker.wake()
    try input.ask(capabilities.questions)
    let time = MonotonicTimeSource()
    let end = command.seconds.map { time.now() + .seconds($0) }
    var wall = TerminalWall(
      tiles: turn.map { [tiles[$0.current]] } ?? tiles, size: session.size.drawable, columns: command.columns,
      fit: command.resizeMode, showsOverlay: command.debug)
    wall.playsOnHover = command.play == .hover
    func makeScreen() -> TerminalScreen {
      TerminalScreen(
        writer: session.writer, size: wall.size, capabilities: capabilities.refined(by: input.replies),
        background: input.replies.background, statistics: statistics)
    }
    var screen = makeScreen()
    var schedule = DrawSchedule()
    /// Shows another file; returns false if there is none.
    func show(by offset: Int) -> Bool {
      guard turn?.move(by: offset, at: time.now()) == true, let index = turn?.current else { return false }
      wall.selectedTile.pause()
      wall = TerminalWall(
        tiles: [tiles[index]], size: wall.size, columns: command.columns, fit: wall.fit,
        showsOverlay: wall.showsOverlay)
      wall.playsOnHover = command.play == .hover
      services.ended.withLock { _ = $0.remove(index) }
      if tiles[index].player == nil { start(index, services) }
      if command.autoplays { tiles[index].play() }
      screen.invalidate()
      schedule.request()
      return true
    }

    while true {
      let now = time.now()
      if let end, now >= end { return nil }
      if tiles.allSatisfy({ $0.failure != nil }) { return nil }
      var next = end
      if let follows = turn.flatMap({ $0.end(progress(of: $0.current, services), at: now) }) {
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
        if wall.showsOverlay { schedule.request(by: now + StatisticsRecorder.interval) }
        if let end = screen.messageEnd { schedule.request(by: end) }
        continue
      case .wait(let instant?): next = min(next ?? instant, instant)
      case .wait(nil): break
      }
      let timeout = next.map { Int(max(1, ($0 - now).milliseconds.rounded(.up))) }
      switch try input.next(timeout: timeout) {
      case .key(let key):
        if turn != nil,
          let offset = PlaylistTurn.offset(
            single: SceneCommand(key, in: .single), wall: SceneCommand(key, in: .wall))
        {
          guard show(by: offset) else { return nil }
          break
        }
        guard let command = SceneCommand(key, in: wall.content) else { break }
        switch wall.perform(command) {
        case .none: break
        case .quit: return nil
        case .save(let tile): screen.show(message: tile.saveFrame(), at: time.now())
        }
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

  /// What the files' players need and tell.
  private struct Services {
    let waker: TerminalWaker
    let statistics: TerminalStatistics
    let recorder: TraceRecorder?
    /// The endless animations that have completed a loop.
    let ended = Lock<Set<Int>>([])
  }

  /// Starts to load a file. Each event of a load or a player wakes the loop, which reads the states itself.
  private func start(_ index: Int, _ services: Services) {
    let (waker, statistics, ended) = (services.waker, services.statistics, services.ended)
    let name = tiles[index].name
    tiles[index].start(
      TerminalTile.Services(
        loader: CommandLoader(reading: command.reading, range: command.range), wake: { waker.wake() },
        onPlayer: { player in
          services.recorder?.record(player, as: name)
          player.onFrameChange { change in
            statistics.note(change, of: index)
            waker.wake()
          }
          player.onLoop { completion in
            guard completion.remaining == nil else { return }
            ended.withLock { _ = $0.insert(index) }
            waker.wake()
          }
          player.onBuffering { _ in waker.wake() }
          player.onFinish { _ in waker.wake() }
        }))
  }

  /// How far a file is where files play one after another.
  private func progress(of index: Int, _ services: Services) -> PlaylistTurn.Progress {
    let tile = tiles[index]
    if tile.failure != nil { return .failed }
    let isOver =
      tile.player?.state == .finished
      || command.loops == nil && services.ended.withLock { $0.contains(index) }
    return isOver && tile.progress == nil ? .over(isStill: tile.frameCount == 1) : .playing
  }
}
