public import GIFDecoding
public import GIFLoading

/// A command to the playback of an image. Without an image, commands only decide whether the next one plays.
public enum ImageCommand: Sendable, Hashable {
  /// Plays; a finished animation starts again.
  case play
  /// Pauses.
  case pause
  /// Plays if paused or finished, pauses if playing, loads again and plays if nothing can be shown.
  case toggle
  /// Plays from the start.
  case restart
  /// Seeks to a frame; playback continues from there.
  case seek(toFrame: Int)
  /// Pauses and steps by a number of frames.
  case step(by: Int)
  /// Loads the image again from its source.
  case reload
}

/// The state of an image's loading.
public enum ImagePhase: Sendable {
  /// There is no source.
  case empty
  /// There is a source, and the image is hidden.
  case waiting
  /// The image arrives; nil before its first bytes.
  case loading(LoadingState?)
  /// The image is complete.
  case ready(GIFImage)
  /// The image cannot be loaded or played. After an interrupted transfer, the part in the error plays.
  case failed(GIFLoadingError)
}

extension ImagePhase: CustomStringConvertible {
  /// The phase, with the progress or the reason of a failure.
  public var description: String {
    switch self {
    case .empty: "empty"
    case .waiting: "waiting"
    case .loading(let state): "loading" + (state.map { ", \($0)" } ?? "")
    case .ready(let image): "ready, \(image.frameCount) frames of \(image.width) x \(image.height)"
    case .failed(let error): "failed: \(error)"
    }
  }
}

extension ImageCommand: CustomStringConvertible {
  /// The command in words.
  public var description: String {
    switch self {
    case .play: "play"
    case .pause: "pause"
    case .toggle: "toggle"
    case .restart: "restart"
    case .seek(let frame): "seek to frame \(frame)"
    case .step(let count): "step by \(count)"
    case .reload: "reload"
    }
  }
}
