// One line of text for each value that a person may print.

internal import GIFDecoding
internal import GIFFlashes
internal import GIFLoading
internal import GIFTimeline

extension GIFPlayer.ID: CustomStringConvertible {
  public var description: String { "\(rawValue)" }
}

extension GIFPlayer: CustomStringConvertible {
  public var description: String { "player \(id): \(state.rawValue) at \(position)" }
}

extension FrameChange: CustomStringConvertible {
  /// Such as `player 3: frame 7 of 24, loop 2, play, 1 skipped, 0.004 seconds late`.
  public var description: String {
    var text = "player \(target): frame \(currentFrameIndex) of \(frameCount)\(isComplete ? "" : "+")"
    text += ", loop \(loop), \(cause.rawValue)"
    if skippedFrames > 0 { text += ", \(skippedFrames) skipped" }
    if lateness > .zero { text += ", \(lateness) late" }
    return text
  }
}

extension PlayerEvent: CustomStringConvertible {
  public var description: String {
    switch self {
    case .frameChange(let change): change.description
    case .loopCompleted(let completion): completion.description
    case .finished(let id): "player \(id): finished"
    case .stateChanged(let state): state.rawValue
    case .buffering(let change): change.description
    case .flashes(let state): "flashes: \(state)"
    case .loading(let phase): phase.description
    case .failed(let error): "failed: \(error)"
    }
  }
}

extension LoadingPhase: CustomStringConvertible {
  /// How much has come, or how the load has ended.
  public var description: String {
    switch self {
    case .loading(let state): "loading" + (state.map { ", \($0)" } ?? "")
    case .complete: "loaded"
    case .failed(let error): "loading failed: \(error)"
    }
  }
}

extension LoopCompletion: CustomStringConvertible {
  public var description: String {
    "player \(target): loop \(count) completed" + (remaining.map { ", \($0) left" } ?? "")
  }
}

extension BufferingChange: CustomStringConvertible {
  public var description: String {
    let length = "\(frameCount)\(isComplete ? "" : "+") frames known"
    return reason.map { "waits for the \($0.rawValue), \(length)" } ?? "goes on, \(length)"
  }
}

extension PlaybackSnapshot: CustomStringConvertible {
  public var description: String {
    var text = "\(state.rawValue), frame \(frame), loop \(loop), \(elapsed) elapsed, \(remainder) left"
    text += ", \(mode.rawValue)\(isReturning ? " on its way back" : ""), \(rate)x"
    if let range { text += ", frames \(range)" }
    return text
  }
}

extension PlaybackClock: CustomStringConvertible {
  public var description: String {
    "clock at \(now)" + (nextDeadline.map { ", next deadline in \($0 - now)" } ?? ", nothing due")
  }
}

extension SyncGroup: CustomStringConvertible {
  public var description: String {
    "group of \(players.count) players, \(isPlaying ? "playing" : "paused") at \(position), \(rate)x"
  }
}
