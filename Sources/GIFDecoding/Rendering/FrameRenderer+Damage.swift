// What shows through the gaps of a damaged frame.

extension FrameRenderer {
  /// Draws a damaged frame anew where another picture shows through its gaps than when the file plays in order.
  mutating func settle(_ frame: FrameInfo, drawnOn base: Int?) throws(GIFError) {
    guard let lasting = try lastingBase(of: frame), lasting != base else { return }
    try follow(plan(to: lasting))
    try draw(frame)
  }

  /// The frame whose picture shows through a damaged one: the last sound frame before it that stays. Nil where
  /// nothing shows through. For a sound frame any base between is as good: it covers what they drew.
  private mutating func lastingBase(of frame: FrameInfo) throws(GIFError) -> Int? {
    guard image.damagePolicy == .chromium, let required = frame.requiredFrame,
      let status = log.statuses[frame.index], status == .failed || status == .truncated
    else { return nil }
    try learnStatuses(of: required..<frame.index)
    // What was found for a damaged frame before serves for all behind it: a run of them is looked through once.
    for step in stride(from: frame.index - 1, to: required, by: -1) {
      let isLasting = log.statuses[step] == .complete && image.frames[step].disposal != .restorePrevious
      guard let found = isLasting ? step : lastingBases[step] else { continue }
      lastingBases[frame.index] = max(found, required)
      return max(found, required)
    }
    lastingBases[frame.index] = required
    return required
  }

  /// Decodes what has not been decoded of some frames, to know whether they are sound. Each frame is looked at once,
  /// however many damaged ones look back over it.
  private mutating func learnStatuses(of frames: Range<Int>) throws(GIFError) {
    let touches =
      lookedThrough.lowerBound <= frames.upperBound && frames.lowerBound <= lookedThrough.upperBound
    let looked = touches ? lookedThrough : frames.lowerBound..<frames.lowerBound
    let before = frames.lowerBound..<max(frames.lowerBound, min(looked.lowerBound, frames.upperBound))
    let behind = max(frames.lowerBound, min(looked.upperBound, frames.upperBound))..<frames.upperBound
    var decoded = scratch.take() ?? DecodedFrame()
    for step in [before, behind].joined() where log.statuses[step] == nil {
      let frame = image.frames[step]
      guard frame.disposal != .restorePrevious, log.isDrawable(frame) else { continue }
      decoder.decode(frame, of: image, into: &decoded)
      if let failure = decoded.failure { throw failure }
      log.enter(decoded, for: frame)
    }
    scratch = decoded
    lookedThrough =
      min(looked.lowerBound, frames.lowerBound)..<max(looked.upperBound, frames.upperBound)
  }
}
