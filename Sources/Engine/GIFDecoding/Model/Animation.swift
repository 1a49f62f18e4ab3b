/// What a file says of its animation, without a decoded pixel: what schedules, caches and players decide on.
///
/// A small value: copies share the frames. An image that loads gives a new one with each of its states.
package struct Animation: Sendable {
  /// The canvas in pixels.
  package var width: Int
  package var height: Int
  /// All frames in order: delays, rectangles, key frames and compressed bytes.
  package var frames: [FrameInfo]
  /// Total plays; one where the file has no loop extension.
  package var loopCount: LoopCount
  /// Whether the file came to its regular end.
  package var isComplete: Bool

  package init(
    width: Int, height: Int, frames: [FrameInfo], loopCount: LoopCount = .plays(1), isComplete: Bool = true
  ) {
    self.width = width
    self.height = height
    self.frames = frames
    self.loopCount = loopCount
    self.isComplete = isComplete
  }

  package var frameCount: Int { frames.count }

  package var canvas: PixelRect { PixelRect(x: 0, y: 0, width: width, height: height) }

  /// The size of the canvas, at least 1 x 1.
  package var size: PixelSize { PixelSize(clampingWidth: width, height: height) }

  /// The time of one play under a delay policy, in milliseconds.
  package func durationMilliseconds(_ policy: DelayPolicy = .browser) -> Int {
    frames.reduce(0) { sum, frame in
      let (total, overflows) = sum.addingReportingOverflow(frame.delayMilliseconds(policy))
      return overflows ? .max : total
    }
  }

  /// The part of the canvas in which frame `index` may differ from the frame before it, both undamaged.
  ///
  /// The union of its own rectangle and of what its predecessor's disposal changes; the whole canvas for
  /// frame 0.
  package func changedRect(of index: Int) -> PixelRect {
    let canvas = canvas
    guard index > 0, index < frameCount else { return canvas }
    let own = frames[index].rect.intersection(canvas)
    let previous = frames[index - 1]
    return previous.disposal == .keep ? own : own.union(previous.rect.intersection(canvas))
  }
}

// MARK: - Images that load

extension Animation {
  /// Whether `earlier` may be this animation when less of it had come: the same canvas, and the same frames
  /// but for a last one that was cut off.
  package func continues(_ earlier: Animation) -> Bool {
    let whole = earlier.frames.last?.isTruncated == true ? earlier.frames.dropLast() : earlier.frames[...]
    return width == earlier.width && height == earlier.height && frameCount >= earlier.frameCount
      && frames.prefix(whole.count) == whole
  }

  /// The last frame of an earlier state of this animation, where it is another one now.
  package func replacedFrame(since earlier: Animation) -> Int? {
    let last = earlier.frameCount - 1
    return earlier.frames.last == frames.prefix(last + 1).last ? nil : last
  }
}
