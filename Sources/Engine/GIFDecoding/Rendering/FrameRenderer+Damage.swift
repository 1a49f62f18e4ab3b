// What shows through the gaps of a damaged frame.

extension FrameRenderer {
  /// Draws a damaged frame again where Chromium draws it on another picture than that of `base`, or on one
  /// that it has not disposed of.
  mutating func redrawDamaged(_ frame: FrameInfo, drawnOn base: Int?) throws(GIFError) {
    guard let status = log.statuses[frame.index], let wanted = try gapBase(of: frame, status: status)
    else { return }
    let isDisposed = wanted != frame.requiredFrame && undo?.state != .showing(wanted)
    guard wanted != base || isDisposed else { return }
    try follow(plan(to: wanted))
    try draw(frame)
  }

  /// The frame whose picture shows through a damaged one; nil where that makes no difference or nothing shows
  /// through.
  ///
  /// A sound frame covers what the frames between it and the required one drew, so for it any of them is as
  /// good. A damaged one shows the frame that Chromium's decoder still holds, in order of playing (row 25).
  mutating func gapBase(of frame: FrameInfo, status: FrameStatus) throws(GIFError) -> Int? {
    guard image.damagePolicy == .chromium, status == .failed || status == .truncated,
      let required = frame.requiredFrame
    else { return nil }
    return max(required, try heldFrame(after: frame.index - 1) ?? required)
  }

  /// The frame that Chromium's decoder holds beside the one it has shown last, and can draw others on.
  ///
  /// In playing order it holds what it has just shown, if that is sound. A frame takes over the picture it is
  /// drawn on; only a frame that restores what was before it leaves that picture to the next one.
  private mutating func heldFrame(after last: Int) throws(GIFError) -> Int? {
    var passed: [Int] = []
    var index = last
    var held: Int?
    while index >= 0 {
      if let known = heldFrames[index] {
        held = known
        break
      }
      passed.append(index)
      if image.frames[index].disposal != .previous {
        held = try isSound(index) ? index : nil
        break
      }
      if image.frames[index].isKeyframe { break }
      index -= 1
    }
    for frame in passed.reversed() {
      // What lies before the frame that it requires is of no use to it, and is not kept.
      if let required = image.frames[frame].requiredFrame, let found = held, found <= required { held = nil }
      heldFrames[frame] = .some(held)
    }
    return held
  }

  /// Whether a frame is complete; decodes what has to be decoded to know.
  private mutating func isSound(_ index: Int) throws(GIFError) -> Bool {
    var chain = [index]
    while log.statuses[chain[chain.count - 1]] == nil,
      let required = image.frames[chain[chain.count - 1]].requiredFrame
    {
      chain.append(required)
    }
    var plane = IndexPlane()
    swap(&plane, &scratch)
    for step in chain.reversed() where log.statuses[step] == nil && log.isDrawable(image.frames[step]) {
      try checkCancellation()
      let outcome = decoder.decode(
        image.frames[step], of: image, into: &plane, isCancelled: isCancelled)
      if let failure = outcome.failure { throw failure }
      log.enter(outcome, for: image.frames[step])
    }
    scratch = plane
    return log.statuses[index] == .complete
  }
}
