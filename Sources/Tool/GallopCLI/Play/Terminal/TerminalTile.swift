internal import GIFStage

/// A GIF in the terminal. Belongs to the main thread.
final class TerminalTile {
  let playback: ImagePlayback
  /// The name in a caption.
  let caption: String
  /// The frames that have come since one was drawn.
  private var waitingFrames = 0

  init(_ properties: ImageProperties, services: StageServices) {
    playback = ImagePlayback(properties, services: services)
    caption = Printable.text(OutputFile.baseName(of: properties.source ?? ""))
  }

  /// Notes a new frame; those before it that were not drawn will be dropped.
  func noteFrame() { waitingFrames += 1 }

  /// Notes that the newest frame is drawn; returns how many before it are dropped.
  func noteDrawing() -> Int {
    defer { waitingFrames = 0 }
    return max(0, waitingFrames - 1)
  }

  /// Notes that the help covers the tile, whose frames are not dropped then.
  func noteCovered() { waitingFrames = 0 }

  /// What a line says of a GIF that has no frame, or is held at one; nil of others.
  var state: String? {
    if playback.failure != nil { return "cannot be shown" }
    if playback.isHeld {
      let action = playback.sharesField ? "a click plays it" : "space plays it"
      return FlashText.state(playback.flashState).map { "\($0); \(action)" }
    }
    return playback.shown == nil ? playback.progress : nil
  }
}
