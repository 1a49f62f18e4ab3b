public import GIFDecoding

/// The schedule of an animation: which frame is due when. Pure and immutable.
///
/// Media time runs from 0 at rate 1 in nanoseconds. A loop is a fixed run of steps, each showing one frame for its
/// delay; loop n begins exactly n loop durations after the start, so nothing drifts however long it plays.
///
/// A place in the schedule is a ``Position``: loop, step and the time within the step. Every media time has one,
/// and ``Position/time`` leads back to it. Frames without a time of their own, which no media time leads to, have
/// places, too: ``position(ofStep:loop:offset:)``.
public struct Timeline: Sendable, Hashable {
  /// The frame shown at each step of one loop.
  public let order: [Int]
  /// When each step begins within its loop, and last the loop's duration.
  private let starts: [Int64]
  public let loopCount: LoopCount
  public let mode: PlaybackMode
  /// The frames that are played.
  public let range: Range<Int>
  /// Whether more frames may follow: then playback waits after the last one, and no loop ends.
  public let isComplete: Bool

  private static let nanosecondsPerMillisecond: Int64 = 1_000_000
  /// A century in milliseconds; no file gets near it, and in nanoseconds it is a third of what an `Int64` holds.
  private static let longestLoop: Int64 = 3_155_760_000_000

  /// - Parameters:
  ///   - delays: how long each frame of the whole animation shows, in milliseconds; negative ones count as 0.
  ///   - loopCount: total plays; less than one counts as one.
  ///   - range: the frames to play, clipped to those there are; an empty range plays all.
  ///   - isComplete: whether all frames are known; if not, frames may follow. A range that ends among those there are plays as ever. Otherwise
  ///     forward and bounce play what is there and then wait; reverse begins when the end is known.
  public init(
    delays: [Int], loopCount: LoopCount, mode: PlaybackMode = .forward, range: Range<Int>? = nil,
    isComplete: Bool = true
  ) {
    let all = 0..<delays.count
    let clipped = range.map { $0.clamped(to: all) } ?? all
    self.isComplete = isComplete || !(clipped.isEmpty || range.map { $0.upperBound > delays.count } ?? true)
    self.range = clipped.isEmpty && self.isComplete ? all : clipped
    self.mode = mode
    if case .plays(let count) = loopCount {
      self.loopCount = .plays(max(1, count))
    } else {
      self.loopCount = .forever
    }
    switch mode {
    case .reverse: order = !self.isComplete ? [] : self.range.reversed()
    case .bounce where self.isComplete:
      order = Array(self.range) + self.range.dropFirst().dropLast().reversed()
    case .forward, .bounce: order = Array(self.range)
    }
    var starts: [Int64] = [0]
    starts.reserveCapacity(order.count + 1)
    for frame in order {
      let sum = starts[starts.count - 1].addingClamped(Int64(max(0, delays[frame])))
      starts.append(min(Self.longestLoop, sum))
    }
    self.starts = starts.map { $0 * Self.nanosecondsPerMillisecond }
  }

  /// The schedule of an image.
  public init(
    _ image: GIFImage, delays policy: DelayPolicy = .browser, loopCount: LoopCount? = nil,
    mode: PlaybackMode = .forward, range: Range<Int>? = nil
  ) {
    self.init(
      delays: image.frames.map { $0.delayMilliseconds(policy) }, loopCount: loopCount ?? image.loopCount,
      mode: mode, range: range)
  }

  public var stepCount: Int { order.count }

  /// Nanoseconds of one loop, as far as it is known.
  public var loopDuration: Int64 { starts[starts.count - 1] }

  /// Nanoseconds of all plays; nil for an animation without end, or whose end is not known yet.
  public var totalDuration: Int64? {
    guard self.isComplete, case .plays(let count) = loopCount else { return nil }
    let (total, overflows) = loopDuration.multipliedReportingOverflow(by: Int64(count))
    return overflows ? nil : total
  }

  /// Whether time changes anything: not with a single step, nor where all delays are 0.
  public var isStill: Bool { self.isComplete && (stepCount < 2 || loopDuration == 0) }

  /// What is due at a media time; nil only where there is no frame at all. Times before 0 count as 0.
  ///
  /// Costs the logarithm of the number of steps.
  public func position(at time: Int64) -> Position? {
    guard stepCount > 0 else { return nil }
    let asked = max(0, time)
    if !self.isComplete, asked >= loopDuration { return end(atLoop: 0) }
    guard loopDuration > 0 else { return end(atLoop: 0) }
    if let totalDuration, asked >= totalDuration, case .plays(let count) = loopCount {
      return end(atLoop: count - 1)
    }
    // The end of the step must still be a number.
    let time = min(asked, .max - loopDuration)
    let loop = time / loopDuration
    let timeInLoop = time - loop * loopDuration
    let step = step(at: timeInLoop)
    return place(loop: Int(clamping: loop), step: step, offset: timeInLoop - starts[step])
  }

  /// The place so many nanoseconds into a step; nil only where there is no frame at all.
  ///
  /// Leads to every step, also to those that no media time leads to because they have no duration. Arguments beyond
  /// the schedule give the nearest place within it.
  public func position(ofStep step: Int, loop: Int, offset: Int64 = 0) -> Position? {
    guard stepCount > 0 else { return nil }
    let step = min(stepCount - 1, max(0, step))
    let length = duration(ofStep: step)
    return place(
      loop: min(lastLoop, max(0, loop)), step: step, offset: min(max(0, length - 1), max(0, offset)))
  }

  /// The media time at which a step of a loop begins.
  public func start(ofStep step: Int, loop: Int) -> Int64 { Int64(loop) * loopDuration + starts[step] }

  /// The nanoseconds that a step takes.
  public func duration(ofStep step: Int) -> Int64 { starts[step + 1] - starts[step] }

  /// The first step of a loop that shows a frame, or the one on the way back of a bounce; nil where it is not played.
  public func step(showing frame: Int, isReturning: Bool = false) -> Int? {
    guard range.contains(frame), stepCount > 0 else { return nil }
    if mode == .reverse { return range.upperBound - 1 - frame }
    let step = frame - range.lowerBound
    let returning = 2 * (range.count - 1) - step
    return isReturning && returning < stepCount && step > 0 ? returning : step
  }

  /// Whether a step lies on the way from the last frame to the first.
  public func isReturning(atStep step: Int) -> Bool { mode == .reverse || step >= range.count }

  /// The last loop there can be: of the plays, or of those that time can count.
  private var lastLoop: Int {
    let countable = loopDuration > 0 ? Int(clamping: .max / loopDuration - 2) : 0
    guard self.isComplete else { return 0 }
    guard case .plays(let count) = loopCount, loopDuration > 0 else { return countable }
    return min(count - 1, countable)
  }

  private func place(loop: Int, step: Int, offset: Int64) -> Position {
    let start = start(ofStep: step, loop: loop)
    return Position(
      loop: loop, step: step, frame: order[step], start: start, offset: offset,
      nextChange: start + duration(ofStep: step), isFinished: false)
  }

  private func end(atLoop loop: Int) -> Position {
    let last = stepCount - 1
    return Position(
      loop: loop, step: last, frame: order[last], start: start(ofStep: last, loop: loop),
      offset: duration(ofStep: last), nextChange: nil, isFinished: self.isComplete)
  }

  /// The last step that begins at or before a time within the loop and has a duration.
  private func step(at time: Int64) -> Int {
    var low = 0
    var high = stepCount
    while high - low > 1 {
      let middle = (low + high) / 2
      if starts[middle] <= time { low = middle } else { high = middle }
    }
    return low
  }
}

extension Timeline {
  /// A place in the schedule.
  public struct Position: Sendable, Hashable {
    /// Loops completed before.
    public let loop: Int
    /// The step within the loop.
    public let step: Int
    /// The frame that the step shows.
    public let frame: Int
    /// When the step began, in media nanoseconds since the start of the first loop.
    public let start: Int64
    /// Nanoseconds since the step began; at the end of all plays the whole of the last step.
    public let offset: Int64
    /// When it ends; nil where nothing follows.
    public let nextChange: Int64?
    /// Whether all plays are over; the position is then the last step, on which the animation rests.
    public let isFinished: Bool

    /// The media time of the place.
    public var time: Int64 { start + offset }

    /// Whether playback has come to the end of what is there and does not know what follows.
    public var awaitsFrames: Bool { nextChange == nil && !isFinished }
  }
}
