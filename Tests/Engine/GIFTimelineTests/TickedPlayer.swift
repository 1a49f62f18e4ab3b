import GIFDecoding
import GIFTimeline

/// The reference for playback: counts time up millisecond by millisecond and goes from step to step. No sums,
/// no searches, no wake-ups.
struct TickedPlayer {
  private let frames: [Int]
  /// Twice the milliseconds of each step, so that half the speed counts in whole numbers.
  private let lengths: [Int]
  private let plays: Int?
  private let late: LatePolicy
  /// Half milliseconds of media time in one of real time.
  private let pace: Int

  private var now = 0
  /// The step due, its loop, and the time spent in it.
  private var step = 0
  private var loop = 0
  private var spent = 0
  private var isOver = false
  private var isFinished = false
  /// Steps begun since the start; the number of the one shown.
  private var begun = 0
  private var shown = -1
  private var shownLoop = 0
  private var loopsTold = 0
  /// While catching up: when half the time of the frame shown is over.
  private var paceEnds = 0

  init(delays: [Int], plays: Int?, mode: PlaybackMode, range: Range<Int>, twiceRate: Int, late: LatePolicy) {
    var frames = Array(range)
    if mode == .reverse { frames.reverse() }
    if mode == .bounce {
      frames += range.reversed().filter { $0 != range.lowerBound && $0 != range.upperBound - 1 }
    }
    self.frames = frames
    lengths = frames.map { 2 * delays[$0] }
    self.plays = plays
    self.late = late
    pace = twiceRate
    skipEmpty()
  }

  /// One millisecond passes, unseen.
  mutating func tick() {
    now += 1
    guard shown >= 0, !isOver else { return }
    for _ in 0..<pace {
      spent += 1
      if spent == lengths[step] { next() }
      if isOver { return }
    }
  }

  private mutating func next() {
    if step == frames.count - 1, plays == loop + 1 {
      isOver = true
      return
    }
    spent = 0
    begun += 1
    step += 1
    if step == frames.count {
      step = 0
      loop += 1
    }
    skipEmpty()
  }

  private mutating func skipEmpty() {
    while lengths[step] == 0, lengths.contains(where: { $0 > 0 }), !isOver { next() }
  }

  /// What there is to report now, in words.
  mutating func report() -> [String] {
    guard !isFinished else { return [] }
    if shown < 0 { return first() }
    switch late {
    case .skip: return tell(begun, loop: loop, step: step, countsLoops: loop) + end()
    case .wait: return wait() + end()
    case .catchUp(let most): return catchUp(most)
    }
  }

  private mutating func first() -> [String] {
    shown = begun
    shownLoop = loop
    return ["play \(frames[step])"]
  }

  private mutating func wait() -> [String] {
    // Back from where time alone would be, to the frame after the one shown.
    let next = nextWithTime()
    if begun > next {
      begun = next
      step = begun % frames.count
      loop = begun / frames.count
      spent = 0
      isOver = false
    }
    return tell(begun, loop: loop, step: step, countsLoops: loop)
  }

  private func nextWithTime() -> Int {
    var number = shown + 1
    while lengths[number % frames.count] == 0, !isLast(number) { number += 1 }
    return number
  }

  private func isLast(_ number: Int) -> Bool { plays.map { number == $0 * frames.count - 1 } ?? false }

  private mutating func catchUp(_ most: Int) -> [String] {
    var words: [String] = []
    if begun > shown, now * 4 >= paceEnds {
      var number = max(shown + 1, begun - most)
      while number < begun, lengths[number % frames.count] == 0 { number += 1 }
      words = tell(
        number, loop: number / frames.count, step: number % frames.count, countsLoops: number / frames.count)
      // In quarters of a millisecond: half of the step's time at this speed.
      paceEnds = number < begun || isOver ? now * 4 + lengths[number % frames.count] * 2 / pace : 0
    }
    return shown == begun && now * 4 >= paceEnds ? words + end() : words
  }

  private mutating func tell(_ number: Int, loop: Int, step: Int, countsLoops: Int) -> [String] {
    var words: [String] = []
    while loopsTold < countsLoops {
      loopsTold += 1
      words.append("loop! \(loopsTold)")
    }
    guard number > shown else { return words }
    let skipped = number - shown - 1
    words.append(
      "\(loop > shownLoop ? "loop" : "play") \(frames[step])" + (skipped > 0 ? " +\(skipped)" : ""))
    shown = number
    shownLoop = loop
    return words
  }

  private mutating func end() -> [String] {
    guard isOver else { return [] }
    isFinished = true
    return ["loop! \(loop + 1)", "finish"]
  }
}
