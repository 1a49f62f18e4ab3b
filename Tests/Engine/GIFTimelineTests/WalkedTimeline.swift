import GIFTimeline

/// The reference for schedules: walks from step to step, loop by loop, and adds up delays. Slow and plain.
struct WalkedTimeline {
  struct Place: Equatable {
    var loop: Int
    var step: Int
    var frame: Int
    var start: Int64
    var nextChange: Int64?
    var isFinished: Bool

    init(loop: Int, step: Int, frame: Int, start: Int64, nextChange: Int64?, isFinished: Bool) {
      self.loop = loop
      self.step = step
      self.frame = frame
      self.start = start
      self.nextChange = nextChange
      self.isFinished = isFinished
    }

    init(_ position: Timeline.Position) {
      self.init(
        loop: position.loop, step: position.step, frame: position.frame, start: position.start,
        nextChange: position.nextChange, isFinished: position.isFinished)
    }
  }

  /// Frame and nanoseconds of each step of one loop.
  private(set) var steps: [(frame: Int, length: Int64)] = []
  /// Total plays; nil for ever.
  let plays: Int?

  init(delays: [Int], plays: Int?, mode: PlaybackMode, range: Range<Int>) {
    self.plays = plays
    var frames: [Int] = []
    for frame in range { frames.append(frame) }
    if mode == .reverse { frames.reverse() }
    if mode == .bounce {
      var back = range.upperBound - 2
      while back > range.lowerBound {
        frames.append(back)
        back -= 1
      }
    }
    for frame in frames { steps.append((frame, Int64(delays[frame]) * 1_000_000)) }
  }

  var loopLength: Int64 {
    var sum: Int64 = 0
    for step in steps { sum += step.length }
    return sum
  }

  /// Where the schedule stands at a time that is not negative.
  func place(at time: Int64) -> Place {
    var loop = 0
    var cursor: Int64 = 0
    while true {
      let loopStart = cursor
      for (number, step) in steps.enumerated() {
        let end = cursor + step.length
        if time < end {
          return Place(
            loop: loop, step: number, frame: step.frame, start: cursor, nextChange: end, isFinished: false)
        }
        cursor = end
      }
      if loopStart == cursor || plays == loop + 1 {
        let last = steps[steps.count - 1]
        return Place(
          loop: loop, step: steps.count - 1, frame: last.frame, start: cursor - last.length, nextChange: nil,
          isFinished: true)
      }
      loop += 1
    }
  }

  /// Every border in the first loops, and the nanosecond on either side.
  func interestingTimes(loops: Int) -> [Int64] {
    var times: Set<Int64> = [0, 1]
    var cursor: Int64 = 0
    for _ in 0..<loops {
      for step in steps {
        cursor += step.length
        times.formUnion([cursor - 1, cursor, cursor + 1])
      }
    }
    return times.filter { $0 >= 0 }.sorted()
  }
}
