internal import Gallop
internal import Glibc

/// Plays a GIF while it loads, and prints how far both have come.
///
///     swift run -c release progressive-player GIFs/gallop.gif
///     swift run -c release progressive-player https://example.org/horse.gif
///
/// A file arrives in pieces, as from a slow server. Exit status 1 if it cannot be loaded or shows nothing meanwhile.
@main
@MainActor
struct ProgressivePlayer {
  static func main() async {
    guard let address = CommandLine.arguments.dropFirst().first else {
      print("usage: progressive-player FILE-OR-URL")
      exit(64)
    }
    let screen = Screen()
    do throws(GIFLoadingError) {
      let source = try GIFSource(address)
      for try await state in SlowLoader().states(of: source) { screen.show(state) }
      await screen.endOfLoop()
      let shown = screen.shownWhileLoading
      print("complete: \(screen.player?.image.frameCount ?? 0) frames, \(shown) shown while it was loading")
      if shown == 0, source.path != nil { exit(1) }
    } catch {
      print("\(error)")
      if let partial = error.partialImage { print("\(partial.frameCount) frames had arrived") }
      exit(1)
    }
  }
}

/// What a view does with an image that arrives.
@MainActor
private final class Screen {
  private(set) var player: GIFPlayer?
  private(set) var shownWhileLoading = 0
  private var shown = 0
  /// The handlers end with the screen.
  private let subscriptions = SubscriptionScope()

  func show(_ state: LoadingState) {
    // The first states may come before the size of the canvas.
    guard let image = state.image else { return }
    if let player {
      player.update(image, isComplete: state.isComplete)
    } else {
      player = start(image, isComplete: state.isComplete)
    }
    if !state.isComplete { shownWhileLoading = shown }
    let share = state.expectedByteCount.map { "\(100 * state.byteCount / max(1, $0)) %" }
    print("\(share ?? "\(state.byteCount) bytes") loaded, \(image.frameCount) frames, \(shown) shown")
  }

  /// Starts with what has arrived. Playback waits on the last whole frame, and no loop ends before the image is complete.
  private func start(_ image: GIFImage, isComplete: Bool) -> GIFPlayer {
    var options = GIFPlayer.Options()
    options.isComplete = isComplete
    let player = GIFPlayer(image, options: options)
    // The handlers run on the main actor, as those of a view must.
    player.onFrameChange(deliverOn: .mainActor) { [weak self] _ in self?.shown += 1 }.store(in: subscriptions)
    player.onBuffering(deliverOn: .mainActor) { change in
      guard let reason = change.reason else { return }
      print("waits for the \(reason.rawValue) after \(change.frameCount) frames")
    }.store(in: subscriptions)
    player.play()
    return player
  }

  /// Returns when the loop at hand has ended; at once for a still.
  func endOfLoop() async {
    guard let player, player.image.frameCount > 1, player.state == .playing else { return }
    for await event in player.events() {
      switch event {
      case .loopCompleted, .finished, .failed: return
      default: break
      }
    }
  }
}
