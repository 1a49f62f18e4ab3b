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
    let clock = PlaybackClock(drivenWith: { .now })
    let end = command.seconds.map { clock.now + .seconds($0) }
    let recorder = command.tracing.makeRecorder()
    let services = command.services(clock: clock, recorder: recorder) { [waker = window.waker] in waker.wake()
    }
    let unseen = UnseenFiles(command.files, reading: command.reading, range: command.range)
    let log = PlayLog(command, reportsAtOnce: true)
    if !command.isOneByOne, command.files.count > 1 {
      unseen.start { [waker = window.waker] in waker.wake() }
    }
    let saver = PartSaver { [waker = window.waker] in waker.wake() }
    defer {
      unseen.stop()
      saver.stop()
    }
    var playlist = command.isOneByOne ? PlaylistPosition(count: command.files.count, at: clock.now) : nil
    // The window's size, and what its user has chosen: the former stage itself would go on playing.
    var former: (width: Int, height: Int, scale: Int, choice: Choice)?
    // How many files to go on, or back; nil while the file plays.
    var offset: Int?
    var isClosed = false
    try command.tracing.saving(recorder) {
      do {
        repeat {
          let items = playlist.map { $0.current..<$0.current + 1 } ?? command.files.indices
          let scene = makeScene(items, services, with: former?.choice)
          scene.onSave = { saver.save($2, of: $1, named: command.files[items.lowerBound + $0]) }
          // A file that a tile opens is not opened out of sight.
          scene.onItemEvent = { item, event in
            log.take(event.kind, of: items.lowerBound + item)
            switch event.kind {
            case .loaded, .failed: unseen.skip(items.lowerBound + item)
            default: break
            }
          }
          scene.onEvent = { log.print(EventLine($0).numbered(from: items.lowerBound)) }
          scene.onQuit = { isClosed = true }
          scene.onFullscreen = { window.setFullscreen($0) }
          // The window's first input is its size.
          let stage = Stage(
            root: scene, width: former?.width ?? 1, height: former?.height ?? 1,
            scale: former?.scale ?? 1, clock: clock)
          stage.glyphs = font
          offset = nil
          if let playlist { log.begin(playlist.current) }
          var loop = WindowLoop(window: window, stage: stage)
          loop.onKey = { key in
            if playlist != nil, let step = PlaylistPosition.offset(of: key) {
              offset = step
            } else {
              scene.press(key)
            }
          }
          loop.shouldContinue = {
            try Interruption.check()
            unseen.takeFindings().forEach(log.take)
            if let message = saver.takeMessage() { scene.state.show(message: message, at: clock.now) }
            if let error = log.outputError { throw error }
            let isKept = command.keepOpen && log.haveAllFailed
            if let playlist, offset == nil, !isKept, let end = playlist.end(log.progress, at: clock.now),
              end <= clock.now
            {
              offset = 1
            }
            let isOver = log.isOver && !isKept || end.map { clock.now >= $0 } ?? false
            return !isClosed && !isOver && offset == nil
          }
          try loop.run()
          let choice = Choice(state: scene.state, resizeMode: scene.imageProperties.resizeMode)
          former = (stage.surface.width, stage.surface.height, stage.scale, choice)
        } while offset.map { playlist?.move(by: $0, at: clock.now) == true } ?? false
      } catch let error as WindowError {
        throw CommandFailure(reason: error.description)
      }
    }
    try log.outcomes.check(command.reading.messages)
  }

  /// What the user has chosen for all files, where they play one after another.
  private struct Choice {
    let state: SceneState
    let resizeMode: ResizeMode
  }

  /// The scene of some of the files.
  private func makeScene(_ items: Range<Int>, _ services: StageServices, with choice: Choice?) -> PlayerScene
  {
    var options = sceneOptions(items)
    if let choice { options.image.resizeMode = choice.resizeMode }
    let scene = PlayerScene(options, services: services)
    if let choice {
      scene.state = choice.state.with(itemCount: items.count)
      scene.arrange()
    }
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
    guard let picture = GIFHeader.size(of: command.files[0]) else { return (960, 600) }
    return PlayerScene.windowSize(for: picture, screen: room)
  }

  private func sceneOptions(_ range: Range<Int>) -> PlayerScene.Options {
    let items = range.map { index in
      let path = command.files[index]
      return GridItem(id: index, source: path, caption: Printable.text(OutputFile.baseName(of: path)))
    }
    var options = PlayerScene.Options(items: items)
    options.image = command.imageProperties
    options.image.background = .checker
    if let columns = command.columns { options.columns = .count(columns) }
    options.showsOverlay = command.debug
    return options
  }
}
