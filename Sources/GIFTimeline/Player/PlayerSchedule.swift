package import GIFDecoding

/// The settings from which a player makes the time line of its image. Pure.
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

  package func timeline(of image: GIFImage) -> Timeline {
    let frames = image.frames.prefix(completeFrameCount(of: image))
    // The last loop count in the file wins, and that may come after the last frame.
    let loopCount = loopCount ?? (isComplete ? image.loopCount : .forever)
    return Timeline(
      delays: frames.map { $0.delayMilliseconds(delayPolicy) }, loopCount: loopCount, mode: mode,
      range: range,
      isComplete: isComplete)
  }

  /// Frames that do not change any more.
  package func completeFrameCount(of image: GIFImage) -> Int {
    let isCut = !isComplete && image.frames.last?.isTruncated == true
    return image.frameCount - (isCut ? 1 : 0)
  }
}
