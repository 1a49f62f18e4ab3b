public import GIFDecoding

/// The schedule of an animation: which frame is due when. Pure and immutable.
///
/// Media time runs from 0 at rate 1 in nanoseconds. A loop is a fixed run of steps, each showing one frame for its
/// delay; loop n begins exactly n loop durations after the start, so nothing drifts however long it plays.
public struct Timeline: Sendable, Hashable {
  /// The frame shown at each step of one loop.
  public let order: [Int]
  /// When each step begins within its loop, and last the loop's duration.
  private let starts: [Int64]
  public let loopCount: LoopCount
  public let mode: PlaybackMode
  /// The frames that are played.
  public let range: Range<Int>

  private static let nanosecondsPerMillisecond: Int64 = 1_000_000
  /// A century in milliseconds; no file gets near it, and in nanoseconds it is a third of what an `Int64` holds.
  private static let longestLoop: Int64 = 3_155_760_000_000

  /// - Parameters:
  ///   - delays: how long each frame of the whole animation shows, in milliseconds; negative ones count as 0.
  ///   - loopCount: total plays; less than one counts as one.
  ///   - range: the frames to play, clipped to those there are; an empty range plays all.
  public init(
    delays: [Int], loopCount: LoopCount, mode: PlaybackMode = .forward, range: Range<Int>? = nil
  ) {
    let all = 0..<delays.count
    let clipped = range.map { $0.clamped(to: all) } ?? all
    self.range = clipped.isEmpty ? all : clipped
    self.mode = mode
    if case .plays(let count) = loopCount {
      self.loopCount = .plays(max(1, count))
    } else {
      self.loopCount = .forever
    }
    switch mode {
    case .forward: order = Array(self.range)
    case .reverse: order = self.range.reversed()
    case .bounce: order = Array(self.range) + self.range.dropFirst().dropLast().reversed()
    }
    var starts: [Int64] = [0]
    for frame in order {
      let sum = starts[starts.count - 1].addingReportingOverflow(Int64(max(0, delays[frame])))
      starts.append(sum.overflow ? Self.longestLoop : min(Self.longestLoop, sum.partialValue))
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

  /// Nanoseconds of one loop.
  public var loopDuration: Int64 { starts[starts.count - 1] }

  /// Nanoseconds of all plays; nil for an animation without end.
  public var totalDuration: Int64? {
    guard case .plays(let count) = loopCount else { return nil }
    let (total, overflows) = loopDuration.multipliedReportingOverflow(by: Int64(count))
    return overflows ? nil : total
  }

  /// Whether time changes anything: not with a single step, nor where all delays are 0.
  public var isStill: Bool { stepCount < 2 || loopDuration == 0 }

  /// What is due at a media time; nil only where there is no frame at all. Times before 0 count as 0.
  ///
  /// Costs the logarithm of the number of steps.
  public func position(at time: Int64) -> Position? {
    guard stepCount > 0 else { return nil }
    let asked = max(0, time)
    guard loopDuration > 0 else { return end(atLoop: 0) }
    if let totalDuration, asked >= totalDuration, case .plays(let count) = loopCount {
      return end(atLoop: count - 1)
    }
    // The end of the step must still be a number.
    let time = min(asked, .max - loopDuration)
    let loop = time / loopDuration
    let step = step(at: time - loop * loopDuration)
    let loopStart = loop * loopDuration
    return Position(
      loop: Int(loop), step: step, frame: order[step], start: loopStart + starts[step],
      nextChange: loopStart + starts[step + 1], isFinished: false)
  }

  /// The media time at which a step of a loop begins.
  public func start(ofStep step: Int, loop: Int) -> Int64 { Int64(loop) * loopDuration + starts[step] }

  /// The first step of a loop that shows a frame; nil where it is not played.
  public func step(showing frame: Int) -> Int? {
    guard range.contains(frame) else { return nil }
    return mode == .reverse ? range.upperBound - 1 - frame : frame - range.lowerBound
  }

  private func end(atLoop loop: Int) -> Position {
    let last = stepCount - 1
    return Position(
      loop: loop, step: last, frame: order[last], start: start(ofStep: last, loop: loop), nextChange: nil,
      isFinished: true)
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
    /// When it ends; nil where nothing follows.
    public let nextChange: Int64?
    /// Whether all plays are over; the position is then the last step, on which the animation rests.
    public let isFinished: Bool
  }
}
