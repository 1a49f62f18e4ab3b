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

  /// The frames of a range that an image has; nil for all.
  ///
  /// While the image loads, frames that have not come yet may be named.
  ///
  /// - Returns: false, and nothing changes, for a range without a frame of the image.
  package mutating func setRange(_ range: Range<Int>?, of image: GIFImage) -> Bool {
    guard let range else {
      self.range = nil
      return true
    }
    let possible = 0..<(isComplete ? image.frameCount : .max)
    let clipped = range.clamped(to: possible)
    guard !clipped.isEmpty else { return false }
    self.range = clipped
    return true
  }

  /// Leaves out of the range what the image does not have; a range without any of its frames becomes that of
  /// all.
  package mutating func clipRange(to image: GIFImage) {
    if !setRange(range, of: image) { range = nil }
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
