/// The verdict of IRIS, Electronic Arts' analyser of videos, for comparison.
///
/// It looks at the mean of whole frames, where at least a quarter of the pixels differ, and at one play
/// (github.com/electronicarts/IRIS; the thresholds are those of its configuration).
package struct IrisJudge: Sendable {
  /// The verdict for what was shown up to a frame, the worse the greater.
  package enum Verdict: Int, Sendable, Comparable {
    case passes
    /// At least four changes within a second.
    case warns
    /// Four to six changes in the seconds before each of very many frames of the last five seconds.
    case failsExtended
    /// More than six changes within a second.
    case fails

    package static func < (first: Verdict, second: Verdict) -> Bool { first.rawValue < second.rawValue }
  }

  /// What IRIS looks at in a frame.
  struct Measure: Sendable, Equatable {
    /// The mean of all pixels.
    var mean: Float
    /// The part of the pixels that differ from the frame before.
    var changedShare: Float
  }

  private var (luminance, red): (Channel, Channel)

  init() {
    luminance = Channel(threshold: 0.1, dark: 0.8)
    // No red counts as light.
    red = Channel(threshold: 20, dark: 321)
  }

  /// Takes a frame that appears at a time in milliseconds.
  mutating func take(luminance measure: Measure, red redMeasure: Measure, at time: Int) -> Verdict {
    max(luminance.take(measure, at: time), red.take(redMeasure, at: time))
  }

  /// The changes of luminance, or of red.
  private struct Channel: Sendable {
    let threshold: Float
    /// The darker frame of a change is below this.
    let dark: Float
    private var mean: Float = 0
    /// The differences of frames in one direction, within a second, and their sum.
    private var differences: [Float] = [0]
    private var sum: Float = 0
    private var changes = Tally()
    private var extended = Tally()
    private var leg = FrameWindow(milliseconds: 1000)
    private var second = FrameWindow(milliseconds: 1000)
    private var fourSeconds = FrameWindow(milliseconds: 4000)
    private var fiveSeconds = FrameWindow(milliseconds: 5000)
    private var hasBegun = false

    init(threshold: Float, dark: Float) {
      self.threshold = threshold
      self.dark = dark
    }

    mutating func take(_ measure: Measure, at time: Int) -> Verdict {
      let excess = leg.add(time)
      let (passed, passedExtended) = (second.add(time), fiveSeconds.add(time))
      _ = fourSeconds.add(time)
      defer {
        mean = measure.mean
        hasBegun = true
      }
      guard hasBegun else { return .passes }
      let difference = measure.changedShare >= 0.25 ? measure.mean - mean : 0
      let isChange = accumulate(difference, excess: excess, darker: min(mean, measure.mean))
      changes.advance(passed)
      extended.advance(passedExtended)
      changes.add(isChange)
      extended.add((4...6).contains(changes.count))
      if changes.count > 6 { return .fails }
      if changes.count >= 4 { return extended.count >= fourSeconds.count ? .failsExtended : .warns }
      return .passes
    }

    /// Adds a difference to those of the same direction.
    ///
    /// - Returns: whether that is a change.
    private mutating func accumulate(_ difference: Float, excess: Int, darker: Float) -> Bool {
      let former = sum
      if Self.isSameDirection(former, difference) {
        for _ in 0..<min(excess, differences.count) { sum -= differences.removeFirst() }
        differences.append(difference)
        sum += difference
      } else {
        leg.restart()
        differences = [difference]
        sum = difference
      }
      if Self.isSameDirection(former, sum), abs(former) >= threshold { return false }
      return abs(sum) >= threshold && darker < dark
    }

    private static func isSameDirection(_ first: Float, _ second: Float) -> Bool {
      (first <= 0 && second <= 0) || (first >= 0 && second >= 0)
    }
  }

  /// How many of the frames within a period had something.
  private struct Tally: Sendable {
    private var flags = [false]
    private(set) var count = 0

    mutating func advance(_ frames: Int) {
      for _ in 0..<min(frames, flags.count) where flags.removeFirst() { count -= 1 }
    }

    mutating func add(_ flag: Bool) {
      flags.append(flag)
      if flag { count += 1 }
    }
  }

  /// The frames that appeared within a period.
  private struct FrameWindow: Sendable {
    let milliseconds: Int
    private var times: [Int] = []

    init(milliseconds: Int) { self.milliseconds = milliseconds }

    var count: Int { times.count }

    /// Adds a frame.
    ///
    /// - Returns: how many frames are no longer in the period.
    mutating func add(_ time: Int) -> Int {
      let leaving = times.prefix { time - $0 >= milliseconds }.count
      times.removeFirst(leaving)
      times.append(time)
      return leaving
    }

    /// Keeps the last frame only.
    mutating func restart() { times.removeFirst(max(0, times.count - 1)) }
  }
}
