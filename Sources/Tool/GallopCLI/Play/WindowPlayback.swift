internal import ArgumentParser
internal import GIFStage
internal import Gallop
internal import Glibc
internal import WindowDisplay

/// Playback in a window: one GIF, or a grid of several.
struct WindowPlayback {
  private let command: PlayCommand

  init(_ command: PlayCommand) { self.command = command }

  func run() throws {
    Interruption.watch()
    let (window, font) = try opened()
    let clock = PlaybackClock(drivenWith: MonotonicTimeSource())
    let end = command.seconds.map { clock.now + .seconds($0) }
    let recorder = command.tracing.makeRecorder()
    var services = services(clock: clock, waker: window.waker)
    if let recorder {
      services.onPlayer = { recorder.record($0, as: SourceReading.name(of: $1)) }
    }
    let unseen = UnseenFiles(command.files, reading: command.reading, range: command.range)
    let log = SceneLog(files: command.files, printsEvents: command.events, unseen: unseen)
    if !command.isOneByOne, command.files.count > 1 {
      unseen.start { [waker = window.waker] in waker.wake() }
    }
    defer { unseen.stop() }
    var turn = command.isOneByOne ? PlaylistTurn(count: command.files.count, at: clock.now) : nil
    // The window's size: the former stage itself would go on playing.
    var former: (width: Int, height: Int, scale: Int)?
    var isFullscreen = false
    try command.tracing.saving(recorder) {
      do {
        repeat {
          let items = turn.map { $0.current..<$0.current + 1 } ?? command.files.indices
          let scene = makeScene(items, services, log, window)
          scene.isFullscreen = isFullscreen
          // The window's first input is its size.
          let stage = Stage(
            root: scene, width: former?.width ?? 1, height: former?.height ?? 1,
            scale: former?.scale ?? 1, clock: clock)
          stage.glyphs = font
          log.beginTurn(isStepping: turn != nil, endsAfterLoop: command.loops == nil)
          var loop = WindowLoop(window: window, stage: stage)
          loop.onKey = { key in
            let offset = PlaylistTurn.offset(
              single: SceneCommand(key, isWall: false), wall: SceneCommand(key, isWall: true))
            if turn != nil, let offset { log.offset = offset } else { scene.press(key) }
          }
          loop.shouldContinue = {
            try Interruption.check()
            unseen.takeFindings().forEach(log.take)
            if let failure = log.failure { throw failure }
            if let turn, log.offset == nil, let end = turn.end(log.progress, at: clock.now), end <= clock.now
            {
              log.offset = 1
            }
            return !log.isOver && log.offset == nil && (end.map { clock.now < $0 } ?? true)
          }
          try loop.run()
          former = (stage.surface.width, stage.surface.height, stage.scale)
          isFullscreen = scene.isFullscreen
        } while log.offset.map { turn?.move(by: $0, at: clock.now) == true } ?? false
      } catch let error as WindowError {
        throw CommandFailure(reason: error.description)
      }
    }
    try log.outcomes.check(command.reading.messages)
  }

  /// The scene of some of the files, numbered as on the command line.
  private func makeScene(_ items: Range<Int>, _ services: StageServices, _ log: SceneLog, _ window: Window)
    -> PlayerScene
  {
    let first = items.lowerBound
    let scene = PlayerScene(sceneOptions(items), services: services)
    scene.onItemEvent = { log.handle($1.kind, ofItem: first + $0) }
    scene.onEvent = { log.print(EventLine($0).numbered(from: first)) }
    scene.onQuit = { log.isOver = true }
    scene.onFullscreen = { window.setFullscreen($0) }
    scene.onSave = { FrameFile.save($1, frame: $2, of: command.files[first + $0]) }
    return scene
  }

  private func opened() throws -> (Window, SystemFont?) {
    // No thread of ours writes meanwhile, and what the libraries have to say is in the error.
    try ForeignMessages.withoutThem {
      do throws(WindowError) {
        return (try Window(title: title) { windowSize(room: $0) }, SystemFont())
      } catch {
        throw CommandFailure(reason: error.description)
      }
    }
  }

  private var title: String {
    let name = Printable.text(OutputFile.baseName(of: command.files[0]))
    return command.files.count == 1 ? "\(name) - Gallop" : "\(command.files.count) GIFs - Gallop"
  }

  /// The size of a single GIF or of the first that plays, or large enough for a grid of two dozen; the window
  /// manager may change it.
  private func windowSize(room: PixelSize?) -> (width: Int, height: Int) {
    if let size = command.windowSize { return (size.width, size.height) }
    guard command.files.count == 1 || command.isOneByOne else {
      return (min(1280, room?.width ?? 1280), min(800, room?.height ?? 800))
    }
    guard let picture = FrameFile.size(of: command.files[0]) else { return (960, 600) }
    return PlayerScene.windowSize(for: picture, screen: room)
  }

  private func sceneOptions(_ range: Range<Int>) -> PlayerScene.Options {
    let items = range.map { index in
      let path = command.files[index]
      return GridItem(id: index, source: path, caption: Printable.text(OutputFile.baseName(of: path)))
    }
    var options = PlayerScene.Options(items: items)
    options.image.rate = command.speed
    options.image.mode = command.mode
    options.image.range = command.range.map { $0.lower..<($0.upper ?? .max) }
    options.image.delayPolicy = command.delays
    options.image.latePolicy = command.late
    options.image.loopCount = command.loops.map { $0 == 0 ? .forever : .plays($0) }
    options.image.resizeMode = command.resizeMode
    options.image.background = .checker
    options.image.autoplays = command.autoplays
    options.image.playsOnHover = command.play == .hover
    if let columns = command.columns { options.columns = .count(columns) }
    options.showsOverlay = command.debug
    return options
  }

  private func services(clock: PlaybackClock, waker: WindowWaker) -> StageServices {
    let loader = CommandLoader(reading: command.reading, range: command.range)
    var services = StageServices(clock: clock, loader: loader)
    services.wake = { waker.wake() }
    return services
  }
}

/// Prints the events of a scene, and keeps the failures that end the program.
private final class SceneLog {
  private let files: [String]
  private let printsEvents: Bool
  private let unseen: UnseenFiles
  var isOver = false
  /// The error of the output, which the main loop throws.
  private(set) var failure: (any Error)?
  private var failed: Set<Int> = []
  private var warned: Set<Int> = []
  private var isStepping = false
  private var endsAfterLoop = false
  /// How far the file is whose turn it is, where they play one after another.
  private(set) var progress = PlaylistTurn.Progress.playing
  /// How many files to go on, or back; nil while the turn lasts.
  var offset: Int?
  /// The frames of that file; 0 until all are known.
  private var frameCount = 0
  private var hasWarnings = false
  private var isCutOff = false

  var outcomes: FileOutcomes {
    FileOutcomes(
      used: files.count - failed.count, failed: failed.count, hasWarnings: hasWarnings, isCutOff: isCutOff)
  }

  init(files: [String], printsEvents: Bool, unseen: UnseenFiles) {
    self.files = files
    self.printsEvents = printsEvents
    self.unseen = unseen
  }

  /// Begins the turn of a file.
  ///
  /// - Parameters:
  ///   - isStepping: whether files play one after another.
  ///   - endsAfterLoop: whether an endless animation gives way after a loop.
  func beginTurn(isStepping: Bool, endsAfterLoop: Bool) {
    (self.isStepping, self.endsAfterLoop) = (isStepping, endsAfterLoop)
    (progress, offset, frameCount) = (.playing, nil, 0)
  }

  func handle(_ event: ViewEvent.Kind, ofItem item: Int) {
    note(event)
    switch event {
    case .failed(let error) where error.partialImage != nil:
      let name = SourceReading.name(of: files[item])
      StandardError.note("\(name): \(error.warning(for: name))")
      isCutOff = true
      warn(item, error.partialImage?.diagnostics ?? [])
    case .failed(let error) where failed.insert(item).inserted:
      let name = SourceReading.name(of: files[item])
      fail(name, error.reason(for: name))
      unseen.skip(item)
    case .loaded(let image):
      // A failed item may be loaded again.
      failed.remove(item)
      unseen.skip(item)
      warn(item, image.diagnostics)
    default: break
    }
    if let line = EventLine(target: item, event) { print(line) }
  }

  /// Counts and reports a file that is out of sight.
  func take(_ finding: UnseenFiles.Finding) {
    switch finding.outcome {
    case .success(let diagnostics): warn(finding.item, diagnostics)
    case .failure(let failure) where failed.insert(finding.item).inserted:
      print(EventLine(target: finding.item, failure: failure.reason))
      fail(SourceReading.name(of: files[finding.item]), failure.reason)
    case .failure: break
    }
  }

  private func fail(_ name: String, _ reason: String) {
    CommandFailure(subject: name, reason: reason).report()
    if failed.count == files.count, !isStepping { isOver = true }
  }

  private func note(_ event: ViewEvent.Kind) {
    switch event {
    case .loaded(let image): frameCount = image.frameCount
    case .failed(let error) where error.partialImage != nil: frameCount = error.partialImage?.frameCount ?? 0
    case .failed: progress = .failed
    case .finished: progress = .over(isStill: frameCount == 1)
    case .loopCompleted(let completion) where completion.remaining == nil && endsAfterLoop && frameCount > 0:
      progress = .over(isStill: frameCount == 1)
    default: break
    }
  }

  private func warn(_ item: Int, _ diagnostics: [GIFDiagnostic]) {
    guard !diagnostics.isEmpty, warned.insert(item).inserted else { return }
    hasWarnings = true
    for line in Warnings.lines(SourceReading.name(of: files[item]), diagnostics) { StandardError.note(line) }
  }

  func print(_ line: EventLine) {
    guard printsEvents, failure == nil else { return }
    do {
      try JSONLine.print(line)
    } catch {
      failure = error
    }
  }
}
