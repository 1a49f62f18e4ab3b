internal import Gallop
internal import Glibc
internal import Synchronization

/// Plays a GIF while it loads, and prints how far both have come.
///
///     swift run -c release progressive-player GIFs/gallop.gif
///     swift run -c release progressive-player https://example.org/horse.gif
///
/// A file arrives in pieces, as from a slow server. Exit status 1 if it cannot be loaded or shows nothing meanwhile.
@main
struct ProgressivePlayer {
  static func main() async {
    guard let address = CommandLine.arguments.dropFirst().first else {
      print("usage: progressive-player FILE-OR-URL")
      exit(64)
    }
    do throws(GIFLoadingError) {
      try await play(GIFSource(address))
    } catch {
      print("\(error)")
      if let partial = error.partialImage { print("\(partial.frameCount) frames had arrived") }
      exit(1)
    }
  }

  private static func play(_ source: GIFSource) async throws(GIFLoadingError) {
    let shown = Atomic<Int>(0)
    var player: GIFPlayer?
    var shownWhileLoading = 0
    for try await state in SlowLoader().states(of: source) {
      // The first states may come before the size of the canvas.
      guard let image = state.image else { continue }
      if let player {
        player.update(image, isComplete: state.isFinished)
      } else {
        player = start(image, isComplete: state.isFinished) { shown.add(1, ordering: .relaxed) }
      }
      if !state.isFinished { shownWhileLoading = shown.load(ordering: .relaxed) }
      print(line(for: state, shown: shown.load(ordering: .relaxed)))
    }
    guard let player else { return }
    await endOfLoop(player)
    print("complete: \(player.image.frameCount) frames, \(shownWhileLoading) shown while it was loading")
    if shownWhileLoading == 0, case .file = source { exit(1) }
  }

  private static func start(
    _ image: GIFImage, isComplete: Bool, onFrame: @escaping @Sendable () -> Void
  ) -> GIFPlayer {
    var options = GIFPlayer.Options()
    // An incomplete image takes updates; playback waits on its last whole frame, and no loop ends before the last one.
    options.isComplete = isComplete
    let player = GIFPlayer(image, options: options)
    player.onFrameChange { _ in onFrame() }
    player.onBuffering { change in
      guard let reason = change.reason else { return }
      print("waits for the \(reason.rawValue) after \(change.frameCount) frames")
    }
    player.play()
    return player
  }

  private static func line(for state: LoadingState, shown: Int) -> String {
    let share = state.expectedByteCount.map { "\(100 * state.byteCount / max(1, $0)) %" }
    let frameCount = state.image?.frameCount ?? 0
    return "\(share ?? "\(state.byteCount) bytes") loaded, \(frameCount) frames, \(shown) shown"
  }

  /// Returns when the loop at hand has ended; at once for a still.
  private static func endOfLoop(_ player: GIFPlayer) async {
    guard player.image.frameCount > 1, player.state == .playing else { return }
    for await event in player.events() {
      switch event {
      case .loopCompleted, .finished, .failed: return
      default: break
      }
    }
  }
}
