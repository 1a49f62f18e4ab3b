// Descriptions of errors for people. The portable build leaves this folder out.

internal import GIFDecoding

extension GIFEditError: CustomStringConvertible {
  /// One sentence without a full stop: what is wrong, where, and what would do instead.
  public var description: String {
    let place = frame.map { "frame \($0)" } ?? "a frame"
    return switch code {
    case .noFrames: "no frame is left to write"
    case .noSuchFrame: "there is no frame \(value ?? -1): the \(limit ?? 0) frames count from 0"
    case .failedFrame: "\(place) is damaged, or builds on a damaged one, and shows no whole picture"
    case .canvasMismatch: "the canvases differ in size"
    case .canvasTooLarge:
      "the canvas of the output is too large: \(value ?? 0), the limit is \(limit ?? 0)"
    case .cropOutsideCanvas: "the part to keep is not all on the canvas"
    case .tooManyColors:
      "\(place) would have to be written anew with \(value ?? 0) colours; a palette has 256"
        + (nearest.isEmpty
          ? "" : "; the range could begin at frame " + nearest.map(String.init).joined(separator: " or "))
    case .delayOutOfRange:
      "a delay of \(value ?? 0) ms cannot be kept: GIFs have 20 to 655,350 ms in steps of 10"
    case .ruleOutOfRange: "the rate is 0.001 to 1000, the step at least 1, and a GIF plays 1 to 65,536 times"
    case .cancelled: "was cancelled"
    case .unreadable: reason.map { "\($0)" } ?? "cannot be read"
    case .notExact:
      "what was written does not show \(frame.map { "frame \($0)" } ?? "the same") as it is; this is a fault of "
        + "gallop: please report it with the file"
    }
  }
}
