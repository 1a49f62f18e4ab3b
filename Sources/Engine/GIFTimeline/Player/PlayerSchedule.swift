package import GIFDecoding

/// The settings from which a player makes the time line of its animation.
package struct PlayerSchedule: Sendable, Hashable {
  package var delayPolicy: DelayPolicy
  /// Total plays; nil for what the file says.
  package var loopCount: LoopCount?
  package var mode: PlaybackMode
  /// The frames to play; nil for all.
  package var range: Range<Int>?
  /// Whether all frames of the image are known.
  package var isComplete: Bool

  package init(
    delayPolicy: DelayPolicy = .browser, loopCount: LoopCount? = nil, mode: PlaybackMode = .forward,
    range: Range<Int>? = nil, isComplete: Bool = true
  ) {
    self.delayPolicy = delayPolicy
    self.loopCount = loopCount
    self.mode = mode
    self.range = range
    self.isComplete = isComplete
  }

  /// Takes those frames of a range that the animation has; nil for all.
  ///
  /// While the image loads, frames that have not come yet may be named.
  ///
  /// - Returns: false, and nothing changes, for a range without a frame of the animation.
  package mutating func setRange(_ range: Range<Int>?, of animation: Animation) -> Bool {
    guard let range else {
      self.range = nil
      return true
    }
    let possible = 0..<(isComplete ? animation.frameCount : .max)
    let clipped = range.clamped(to: possible)
    guard !clipped.isEmpty else { return false }
    self.range = clipped
    return true
  }

  /// Leaves out of the range what the animation does not have; a range without any of its frames becomes that
  /// of all.
  package mutating func clipRange(to animation: Animation) {
    if !setRange(range, of: animation) { range = nil }
  }

  package func timeline(of animation: Animation) -> Timeline {
    let frames = animation.frames.prefix(completeFrameCount(of: animation))
    // The last loop count in the file wins, and that may come after the last frame.
    let loopCount = loopCount ?? (isComplete ? animation.loopCount : .forever)
    return Timeline(
      delays: frames.map { $0.delayMilliseconds(delayPolicy) }, loopCount: loopCount, mode: mode,
      range: range, isComplete: isComplete)
  }

  /// Frames that no longer change.
  package func completeFrameCount(of animation: Animation) -> Int {
    let isCut = !isComplete && animation.frames.last?.isTruncated == true
    return animation.frameCount - (isCut ? 1 : 0)
  }
}
