internal import Foundation
internal import GIFStage
internal import Gallop
internal import GallopFoundation
internal import WindowDisplay

/// Plays GIFs in a window: one fills it, several are a wall.
///
///     swift run -c release windowed-player GIFs/gallop.gif
///     swift run -c release windowed-player https://example.org/horse.gif GIFs/*.gif
///
/// `?` shows the keys, q quits, s saves the frame shown as a PNG file in the current folder. With
/// `WINDOWED_PLAYER_SECONDS=1` in the environment the window closes by itself.
@main
@MainActor
struct WindowedPlayer {
  static func main() throws {
    let sources = Array(CommandLine.arguments.dropFirst())
    guard !sources.isEmpty else {
      print("usage: windowed-player FILE-OR-URL...")
      exit(64)
    }
    do {
      try play(sources)
    } catch {
      print("\(error)")
      exit(1)
    }
  }

  private static func play(_ sources: [String]) throws {
    let size = (width: 960, height: 600)
    let window = try Window(title: "\(sources.count) GIFs", width: size.width, height: size.height)
    // The loop drives the clock: nothing changes between two turns of it.
    let clock = PlaybackClock(drivenWith: { .now })
    var services = StageServices(clock: clock)
    services.wake = { [waker = window.waker] in waker.wake() }
    let items = sources.enumerated().map { number, source in
      GridItem(id: number, source: source, caption: (source as NSString).lastPathComponent)
    }
    let scene = PlayerScene(PlayerScene.Options(items: items), services: services)
    var (isOver, seen) = (false, Set<Int>())
    scene.onQuit = { isOver = true }
    scene.onFullscreen = { window.setFullscreen($0) }
    scene.onSave = { item, image, part in save(part, of: image, named: items[item].caption) }
    scene.onItemEvent = { item, event in
      switch event.kind {
      case .frameChanged: seen.insert(item)
      case .failed(let error): print(error)
      default: break
      }
    }

    var loop = WindowLoop(
      window: window, stage: Stage(root: scene, width: size.width, height: size.height, clock: clock))
    loop.onKey = { scene.press($0) }
    let end = ProcessInfo.processInfo.environment["WINDOWED_PLAYER_SECONDS"].flatMap { Double($0) }
      .map { clock.now + .seconds($0) }
    loop.shouldContinue = { !isOver && end.map { clock.now < $0 } ?? true }
    try loop.run()
    print("\(seen.count) of \(items.count) GIFs have shown a frame")
  }

  /// Saves a frame as PNG or the range as a GIF, and returns the message that the window shows.
  private static func save(_ part: SavedPart, of image: GIFImage, named name: String) -> String {
    do {
      switch part {
      case .frame(let frame):
        var renderer = try FrameRenderer(image)
        return try write(try renderer.frame(at: frame).pixels.pngData(), to: "\(name)-\(frame).png")
      case .range(let frames):
        var edit = GIFEdit()
        edit.frames = Array(frames)
        return try write(
          Data(try image.edited(edit)), to: "\(name)-\(frames.lowerBound)-\(frames.upperBound - 1).gif")
      }
    } catch {
      return error.localizedDescription
    }
  }

  private static func write(_ data: Data, to name: String) throws -> String {
    try data.write(to: URL(fileURLWithPath: name), options: .withoutOverwriting)
    return "saved \(name)"
  }
}
