internal import Gallop
internal import Glibc

/// Plays a GIF while it loads, and prints how far both have come.
///
///     swift run -c release progressive-player GIFs/gallop.gif
///     swift run -c release progressive-player https://example.org/horse.gif
///
/// A file arrives in pieces, as from a slow server. Exit status 1 if it cannot be loaded or shows nothing
/// meanwhile.
@main
struct ProgressivePlayer {
  static func main() async {
    guard let address = CommandLine.arguments.dropFirst().first else {
      print("usage: progressive-player FILE-OR-URL")
      exit(64)
    }
    let player = GIFPlayer(loading: address, loader: SlowLoader())
    let events = player.events(limit: 10_000)
    player.play()
    var shown = 0
    var shownWhileLoading = 0
    reading: for await event in events {
      switch event {
      case .loading(.loading(let state)):
        guard let state else { continue }
        shownWhileLoading = shown
        print("\(state), \(shown) shown")
      case .loading(.complete):
        print("complete: \(player.image.frameCount) frames, \(shownWhileLoading) shown while it was loading")
      case .loading(.failed(let error)):
        print("\(error)")
        if let partial = error.partialImage { print("\(partial.frameCount) frames had arrived") }
        exit(1)
      case .frameChange: shown += 1
      case .buffering(let change): print(change)
      case .loopCompleted, .finished, .failed: break reading
      case .stateChanged, .flashes: break
      }
    }
    if shownWhileLoading == 0, !address.contains("://") { exit(1) }
  }
}
