internal import Gallop

/// The smallest program around the engine: plays a GIF and prints each frame that is shown.
///
///     swift run -c release embed-player GIFs/thrice.gif
@main
struct EmbedPlayer {
  static func main() async throws {
    guard let path = CommandLine.arguments.dropFirst().first else {
      print("usage: embed-player FILE.gif")
      return
    }
    let image = try GIFImage(contentsOfFile: path)
    print("\(path): \(image.width) x \(image.height), \(image.frameCount) frames, plays \(image.loopCount)")

    let player = GIFPlayer(image)
    player.onLoop { loop in
      print("loop \(loop.count) is over, \(loop.remaining.map { "\($0) left" } ?? "no end")")
    }
    let changes = player.frameChanges
    // The sequence ends with its player, so the task ends when the player is released.
    let printing = Task {
      for await change in changes {
        print("frame \(change.currentFrameIndex + 1) of \(change.frameCount), due at \(change.mediaTime)")
      }
    }
    await withCheckedContinuation { isOver in
      // An animation without end is stopped after its second loop.
      let ending = Once { isOver.resume() }
      player.onFinish { _ in ending.run() }
      player.onLoop { if $0.count == 2, $0.remaining == nil { ending.run() } }
      player.play()
    }
    player.pause()
    printing.cancel()
  }
}
