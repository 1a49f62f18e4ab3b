/// Where playback stands and which way it goes: what a cache needs to know to look ahead.
public struct Playhead: Sendable, Hashable {
  /// The frame shown or about to be shown.
  public var frame: Int
  /// Frames in the order in which they come next, starting behind ``frame``; a rule, not a list.
  public var direction: Direction
  /// The frames that are played at all.
  public var range: Range<Int>

  public enum Direction: Sendable, Hashable {
    case forward
    case reverse
    /// Forward and back; the flag tells which way it goes now.
    case bounce(isReturning: Bool)
  }

  public init(frame: Int, direction: Direction = .forward, range: Range<Int>) {
    self.frame = frame
    self.direction = direction
    self.range = range
  }

  /// The next `count` frames in playing order, the current one first, each once. Playback is taken to go on: an
  /// animation that is about to end may be played again.
  func upcoming(_ count: Int) -> [Int] {
    guard !range.isEmpty else { return [frame] }
    var frames: [Int] = []
    var seen: Set<Int> = []
    var position = frame
    var isReturning = direction == .reverse || direction == .bounce(isReturning: true)
    // In a bounce every frame is met within two passes.
    for _ in 0..<min(count, range.count) * 2 + 1 where frames.count < count {
      if seen.insert(position).inserted { frames.append(position) }
      position = next(after: position, isReturning: &isReturning)
    }
    return frames
  }

  /// How many frames pass until `frame` is next shown; nil where it is not played.
  func distance(to frame: Int) -> Int? {
    guard range.contains(frame) else { return nil }
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

/// Window arithmetic: which pictures to decode and which to drop. Pure.
struct CacheWindow: Sendable {
  var policy: CachePolicy
  /// Bytes of one picture.
  let frameBytes: Int
  let frameCount: Int

  /// How many pictures may be held: what fits the budget, but never fewer than the current and the next one.
  var capacity: Int {
    let fitting = frameBytes > 0 ? policy.byteBudget / frameBytes : frameCount
    return min(frameCount, max(2, fitting))
  }

  /// The pictures to have, most urgent first: the current one, the next one and the read-ahead.
  func wanted(at playhead: Playhead) -> [Int] {
    playhead.upcoming(min(capacity, 1 + min(frameCount, max(1, policy.readAhead))))
  }

  /// The picture to drop so that another fits; nil where there is room.
  ///
  /// The one that playback comes to last goes first. What is wanted stays.
  func victim(among resident: some Collection<Int>, at playhead: Playhead) -> Int? {
    guard resident.count >= capacity else { return nil }
    // Frames outside the played range go before all others: nobody comes to them.
    return resident.max { (playhead.distance(to: $0) ?? .max, $0) < (playhead.distance(to: $1) ?? .max, $1) }
  }
}
