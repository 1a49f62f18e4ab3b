internal import GIFDecoding

extension AnimatedImageView.Phase: CustomStringConvertible {
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

extension AnimatedImageView.Command: CustomStringConvertible {
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
