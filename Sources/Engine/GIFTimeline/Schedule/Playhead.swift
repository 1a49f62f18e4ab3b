/// Where playback stands, which way it goes and whether it is seen: all that a cache needs to decode ahead.
package struct Playhead: Sendable, Hashable {
  /// The frame shown, or the one to show next.
  package var frame: Int
  /// The order of the frames after ``frame``.
  package var direction: Direction
  /// The frames that are played.
  package var range: Range<Int>
  /// When the frame after ``frame`` is due, in nanoseconds of the players' clock; nil while nothing is due,
  /// as in a pause.
  package var nextDue: Int64?
  /// When ``frame`` is needed, on the same clock; nil for at once, before anything else. Counts only while
  /// ``nextDue`` is nil.
  package var frameDue: Int64?
  /// Whether playback is over: once ``frame`` is shown, nothing follows until the next command.
  package var isFinished = false
  /// The rate that is set: how many times faster than in the file frames follow each other. 1 for a frame
  /// alone; reduced motion does not count.
  package var rate: Double
  /// How much it matters that frames are there in time.
  package var visibility: Visibility

  /// The order in which frames follow each other.
  package enum Direction: Sendable, Hashable {
    /// First to last, then from the first again.
    case forward
    /// Last to first, then from the last again.
    case reverse
    /// Forward and back; the flag says whether playback is on its way back.
    case bounce(isReturning: Bool)
  }

  package init(
    frame: Int, direction: Direction = .forward, range: Range<Int>, nextDue: Int64? = nil, rate: Double = 1,
    visibility: Visibility = .visible
  ) {
    self.frame = frame
    self.direction = direction
    self.range = range
    self.nextDue = nextDue
    self.rate = rate
    self.visibility = visibility
  }
}

extension Playhead {
  /// The frame that follows another one; turns round at the ends of a bounce.
  package func next(after position: Int, isReturning: inout Bool) -> Int {
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
