public import GIFDecoding

/// The schedule of an animation: which frame is due when. Immutable.
///
/// Media time starts at 0 and runs in nanoseconds at rate 1. A loop is a fixed sequence of steps, each
/// showing one frame for its delay. Loop n begins exactly n loop durations after the start, so nothing
/// drifts.
///
/// A place in the schedule is a ``Position``: loop, step and the time within the step. Every media time has
/// one. Frames without a duration, which no media time leads to, have places, too.
public struct Timeline: Sendable, Hashable {
  /// The frame shown at each step of one loop.
  package let order: [Int]
  /// When each step begins within its loop, and last the loop's duration.
  private let starts: [Int64]
  package let loopCount: LoopCount
  package let mode: PlaybackMode
  /// The frames that are played.
  public let range: Range<Int>
  /// Whether all frames are known. If not, playback waits after the last one, and no loop ends.
  package let isComplete: Bool

  private static let nanosecondsPerMillisecond: Int64 = 1_000_000
  /// A century in milliseconds: far beyond any file, and in nanoseconds a third of what an `Int64` holds.
  private static let longestLoop: Int64 = 3_155_760_000_000

  /// - Parameters:
  ///   - delays: how long each frame of the whole animation shows, in milliseconds; negative ones count as 0.
  ///   - loopCount: total plays; less than one counts as one.
  ///   - range: the frames to play, clipped to those there are; an empty range plays all.
  ///   - isComplete: whether all frames are known. If not, a range that ends among the known ones plays as
  ///     usual; otherwise forward and bounce play what is there and then wait, and reverse begins when the
  ///     end is known.
  package init(
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

  /// Makes the schedule of an image.
  ///
  /// - Parameters:
  ///   - loopCount: total plays; nil for what the file says.
  ///   - range: the frames to play; nil for all.
  public init(
    _ image: GIFImage, delayPolicy: DelayPolicy = .browser, loopCount: LoopCount? = nil,
    mode: PlaybackMode = .forward, range: Range<Int>? = nil
  ) {
    self.init(
      delays: image.frames.map { $0.delayMilliseconds(delayPolicy) }, loopCount: loopCount ?? image.loopCount,
      mode: mode, range: range)
  }

  package var stepCount: Int { order.count }

  /// Nanoseconds of one loop, as far as is known.
  package var loopNanoseconds: Int64 { starts[starts.count - 1] }

  /// Nanoseconds of all plays; nil if they are without end, or the end is not known yet.
  package var totalNanoseconds: Int64? {
    guard self.isComplete, case .plays(let count) = loopCount else { return nil }
    let (total, overflows) = loopNanoseconds.multipliedReportingOverflow(by: Int64(count))
    return overflows ? nil : total
  }

  /// Whether time changes nothing: with a single step, or if all delays are 0.
  package var isStill: Bool { self.isComplete && (stepCount < 2 || loopNanoseconds == 0) }

  /// What is due at a media time in nanoseconds; nil only without frames. Times before 0 count as 0.
  ///
  /// - Complexity: O(log n), where n is the number of steps.
  package func position(at time: Int64) -> Position? {
    guard stepCount > 0 else { return nil }
    let asked = max(0, time)
    if !self.isComplete, asked >= loopNanoseconds { return end(atLoop: 0) }
    guard loopNanoseconds > 0 else { return end(atLoop: 0) }
    if let totalNanoseconds, asked >= totalNanoseconds, case .plays(let count) = loopCount {
      return end(atLoop: count - 1)
    }
    // The end of the step must still be a number.
    let time = min(asked, .max - loopNanoseconds)
    let loop = time / loopNanoseconds
    let timeInLoop = time - loop * loopNanoseconds
    let step = step(at: timeInLoop)
    return place(loop: Int(clamping: loop), step: step, offset: timeInLoop - starts[step])
  }

  /// The place this many nanoseconds into a step, also one without a duration; nil only without frames.
  /// Arguments beyond the schedule give the nearest place within it.
  package func position(ofStep step: Int, loop: Int, offset: Int64 = 0) -> Position? {
    guard stepCount > 0 else { return nil }
    let step = min(stepCount - 1, max(0, step))
    let length = duration(ofStep: step)
    return place(
      loop: min(lastLoop, max(0, loop)), step: step, offset: min(max(0, length - 1), max(0, offset)))
  }

  /// The media time at which a step of a loop begins.
  package func start(ofStep step: Int, loop: Int) -> Int64 { Int64(loop) * loopNanoseconds + starts[step] }

  /// The nanoseconds that a step takes.
  package func duration(ofStep step: Int) -> Int64 { starts[step + 1] - starts[step] }

  /// The first step of a loop that shows a frame, or the one on the way back of a bounce; nil if it is not
  /// played.
  package func step(showing frame: Int, isReturning: Bool = false) -> Int? {
    guard range.contains(frame), stepCount > 0 else { return nil }
    if mode == .reverse { return range.upperBound - 1 - frame }
    let step = frame - range.lowerBound
    let returning = 2 * (range.count - 1) - step
    return isReturning && returning < stepCount && step > 0 ? returning : step
  }

  /// Whether a step lies on the way from the last frame to the first.
  package func isReturning(atStep step: Int) -> Bool { mode == .reverse || step >= range.count }

  /// The last loop there can be: of the plays, or of those that time can count.
  private var lastLoop: Int {
    let countable = loopNanoseconds > 0 ? Int(clamping: .max / loopNanoseconds - 2) : 0
    guard self.isComplete else { return 0 }
    guard case .plays(let count) = loopCount, loopNanoseconds > 0 else { return countable }
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
    /// The number of the loop, from 0: as many were completed before.
    public let loop: Int
    /// The step within the loop.
    package let step: Int
    /// The frame that the step shows.
    public let frame: Int
    /// When the step began, in media nanoseconds since the start of the first loop.
    package let start: Int64
    /// Nanoseconds since the step began; at the end of all plays the whole of the last step.
    package let offset: Int64
    /// When it ends; nil if nothing follows.
    package let nextChange: Int64?
    /// Whether all plays are over; the position is then the last step, on which the animation rests.
    public let isFinished: Bool

    /// The media time of the place.
    package var time: Int64 { start + offset }

    /// Whether playback has come to the end of what is there and does not know what follows.
    package var awaitsFrames: Bool { nextChange == nil && !isFinished }
  }
}
