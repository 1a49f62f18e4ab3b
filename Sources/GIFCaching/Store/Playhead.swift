/// Where playback stands and which way it goes: what a cache needs to know to look ahead.
public struct Playhead: Sendable, Hashable {
  /// The frame shown or about to be shown.
  public var frame: Int
  /// Frames in the order in which they come next, starting behind ``frame``; a rule, not a list.
  public var direction: Direction
  /// The frames that are played at all.
  public var range: Range<Int>
  /// When the frame after ``frame`` is due, in nanoseconds of the clock that all players share; nil while nothing is
  /// due, as in a pause.
  public var nextDue: Int64?
  /// When ``frame`` is to be there, on the same clock, for a player whose time stands until then; nil where that is at
  /// once, before anything else. Counts only while ``nextDue`` is nil.
  public var frameDue: Int64?
  /// How many times faster than the file says frames follow each other.
  public var rate: Double

  public enum Direction: Sendable, Hashable {
    case forward
    case reverse
    /// Forward and back; the flag tells which way it goes now.
    case bounce(isReturning: Bool)
  }

  public init(
    frame: Int, direction: Direction = .forward, range: Range<Int>, nextDue: Int64? = nil, rate: Double = 1
  ) {
    self.frame = frame
    self.direction = direction
    self.range = range
    self.nextDue = nextDue
    self.rate = rate
  }

  /// Calls `body` with the current frame and those after it in playing order, at most `count` in all and in a bounce
  /// some of them twice, until it returns false. Playback is taken to go on: an animation that is about to end may
  /// be played again. Costs no memory.
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

  /// How many frames pass until `frame` is next shown; nil where it is not played.
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

  private func next(after position: Int, isReturning: inout Bool) -> Int {
    guard range.count > 1, range.contains(position) else { return range.lowerBound }
    if case .bounce = direction {
      if position == range.upperBound - 1 { isReturning = true }
      if position == range.lowerBound { isReturning = false }
      return isReturning ? position - 1 : position + 1
    }
    if isReturning { return position == range.lowerBound ? range.upperBound - 1 : position - 1 }
    return position + 1 == range.upperBound ? range.lowerBound : position + 1
  }
}

/// How much it matters that a player's pictures are there in time.
public enum Visibility: Int, Sendable, Hashable, Comparable {
  /// Nobody sees it: nothing is decoded for it, and its memory goes first.
  case hidden
  /// It may be seen soon, as the neighbours of what a list shows.
  case near
  /// It is seen.
  case visible

  public static func < (left: Visibility, right: Visibility) -> Bool { left.rawValue < right.rawValue }
}
