internal import GIFTimeline

// Which frames come next. Here and not beside the playhead: the cache asks for every frame that it holds, and
// code of another module is inlined only if it is public.

extension Playhead {
  /// Calls `body` with the current frame and those after it in playing order until it returns false, at most
  /// `count` times. A bounce gives some frames twice. The order assumes that playback goes on after its end.
  func forEachUpcoming(_ count: Int, _ body: (_ frame: Int) -> Bool) {
    guard !range.isEmpty else {
      _ = body(frame)
      return
    }
    var position = frame
    var isReturning = direction == .reverse || direction == .bounce(isReturning: true)
    for _ in 0..<count {
      guard body(position) else { return }
      position = next(after: position, isReturning: &isReturning)
    }
  }

  /// How many frames pass until `frame` is next shown; nil for a frame that is not played.
  func distance(to frame: Int) -> Int? {
    if frame == self.frame { return 0 }
    guard range.contains(frame) else { return nil }
    // A playhead outside the range enters it at the beginning.
    guard range.contains(self.frame) else { return 1 + frame - range.lowerBound }
    let count = range.count
    switch direction {
    case .forward:
      return (frame - self.frame + count) % count
    case .reverse:
      return (self.frame - frame + count) % count
    case .bounce(let isReturning):
      let first = range.lowerBound
      let last = range.upperBound - 1
      if isReturning {
        return frame <= self.frame ? self.frame - frame : self.frame - first + frame - first
      }
      return frame >= self.frame ? frame - self.frame : last - self.frame + last - frame
    }
  }
}
