internal import ArgumentParser
internal import GIFCaching
internal import GIFDecoding
internal import GIFLoading
internal import GIFPlayback
internal import GIFStage
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
    let recorder = command.tracing.makeRecorder()
    var services = services(clock: clock, waker: window.waker)
    if let recorder {
      services.onPlayer = { recorder.record($0, as: SourceReading.name(of: $1)) }
    }
    let scene = PlayerScene(sceneOptions, services: services)
    let log = SceneLog(files: command.files, printsEvents: command.events)
    scene.onItemEvent = { log.handle($1.kind, ofItem: $0) }
    scene.onEvent = { log.print(EventLine($0)) }
    scene.onQuit = { log.isOver = true }
    scene.onFullscreen = { window.setFullscreen($0) }
    scene.onSave = { FrameFile.save($1, frame: $2, of: command.files[$0]) }

    // The window's first input is its size.
    let stage = Stage(root: scene, width: 1, height: 1, clock: clock)
    stage.glyphs = font
    let end = command.seconds.map { clock.now + .seconds($0) }
    var loop = WindowLoop(window: window, stage: stage)
    loop.onKey = { scene.press($0) }
    loop.shouldContinue = {
      try Interruption.check()
      if let failure = log.failure { throw failure }
      return !log.isOver && (end.map { clock.now < $0 } ?? true)
    }
    try command.tracing.saving(recorder) {
      do {
        try loop.run()
      } catch let error as WindowError {
        throw CommandFailure(reason: error.description)
      }
    }
    try log.outcomes.check(command.reading.messages)
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

  /// The size of a single GIF, or large enough for a grid of two dozen; the window manager may change it.
  private func windowSize(room: PixelSize?) -> (width: Int, height: Int) {
    if let size = command.windowSize { return (size.width, size.height) }
    guard command.files.count == 1 else {
      return (min(1280, room?.width ?? 1280), min(800, room?.height ?? 800))
    }
    guard let picture = FrameFile.size(of: command.files[0]) else { return (960, 600) }
    return PlayerScene.windowSize(for: picture, screen: room)
  }

  private var sceneOptions: PlayerScene.Options {
    let items = command.files.enumerated().map { index, path in
      GridItem(id: index, source: path, caption: Printable.text(OutputFile.baseName(of: path)))
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
  var isOver = false
  /// The error of the output, which the main loop throws.
  private(set) var failure: (any Error)?
  private var failed: Set<Int> = []

  private var hasWarnings = false
  private var isCutOff = false

  var outcomes: FileOutcomes {
    FileOutcomes(
      used: files.count - failed.count, failed: failed.count, hasWarnings: hasWarnings, isCutOff: isCutOff)
  }

  init(files: [String], printsEvents: Bool) {
    self.files = files
    self.printsEvents = printsEvents
  }

  func handle(_ event: ViewEvent.Kind, ofItem item: Int) {
    switch event {
    case .failed(let error) where error.partialImage != nil:
      let name = SourceReading.name(of: files[item])
      StandardError.note("\(name): \(error.warning(for: name))")
      isCutOff = true
      warn(item, error.partialImage?.diagnostics ?? [])
    case .failed(let error) where failed.insert(item).inserted:
      let name = SourceReading.name(of: files[item])
      CommandFailure(subject: name, reason: error.reason(for: name)).report()
      if failed.count == files.count { isOver = true }
    case .loaded(let image):
      // A failed item may be loaded again.
      failed.remove(item)
      warn(item, image.diagnostics)
    default: break
    }
    if let line = EventLine(target: item, event) { print(line) }
  }

  private func warn(_ item: Int, _ diagnostics: [GIFDiagnostic]) {
    hasWarnings = hasWarnings || !diagnostics.isEmpty
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
