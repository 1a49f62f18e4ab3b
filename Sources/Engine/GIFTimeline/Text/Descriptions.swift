// One line of text for each value that a person may print. The portable build leaves this folder out.

internal import GIFDecoding

extension PlaybackInstant: CustomStringConvertible {
  /// Seconds since the start that only the clock knows.
  public var description: String { Self.seconds(nanoseconds) }

  /// Nanoseconds as seconds, with as many digits as it needs.
  fileprivate static func seconds(_ nanoseconds: Int64) -> String { "\(Double(nanoseconds) / 1e9) s" }
}

extension FrameRate: CustomStringConvertible {
  public var description: String { "\(effective) of \(scheduled) frames a second" }
}

extension Timeline: CustomStringConvertible {
  public var description: String {
    let loops =
      switch loopCount {
      case .forever: "forever"
      case .plays(let count): "\(count) plays"
      }
    let length = "\(stepCount) steps of frames \(range)\(isComplete ? "" : "+")"
    return "\(length), \(mode.rawValue), \(PlaybackInstant.seconds(loopNanoseconds)) a loop, \(loops)"
  }
}

extension Timeline.Position: CustomStringConvertible {
  public var description: String {
    "frame \(frame) since \(PlaybackInstant.seconds(offset)), loop \(loop)\(isFinished ? ", finished" : "")"
  }
}
