// What shows through the gaps of a damaged frame.

extension FrameRenderer {
  /// Draws a damaged frame anew where another picture shows through its gaps than when the file plays in order.
  mutating func settle(_ frame: FrameInfo, drawnOn base: Int?) {
    guard let lasting = lastingBase(of: frame), lasting != base else { return }
    follow(plan(to: lasting))
    draw(frame)
  }

  /// The frame whose picture shows through a damaged one: the last sound frame before it that stays. Nil where
  /// nothing shows through. For a sound frame any base between is as good: it covers what they drew.
  private mutating func lastingBase(of frame: FrameInfo) -> Int? {
    guard image.damagePolicy == .chromium, let required = frame.requiredFrame,
      let status = log.statuses[frame.index], status == .failed || status == .truncated
    else { return nil }
    var decoded = scratch.take() ?? DecodedFrame()
    for step in required..<frame.index where log.statuses[step] == nil {
      let between = image.frames[step]
      guard between.disposal != .restorePrevious, log.isDrawable(between) else { continue }
      decoder.decode(between, of: image, into: &decoded)
      log.enter(decoded, for: between)
    }
    scratch = decoded
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
}
