import GIFDecoding
import GIFTestSupport
import GIFTimeline
import Testing

@Suite("Timeline: the frame that is due")
struct TimelineTests {
  /// All lists of `count` delays out of a few.
  static func delayLists(_ choices: [Int], count: Int) -> [[Int]] {
    guard count > 0 else { return [[]] }
    return delayLists(choices, count: count - 1).flatMap { list in choices.map { list + [$0] } }
  }

  static func ranges(of count: Int) -> [Range<Int>] {
    (0..<count).flatMap { first in (first + 1...count).map { first..<$0 } }
  }

  static let small: [[Int]] =
    delayLists([0, 10, 25], count: 1) + delayLists([0, 10, 25], count: 2) + delayLists([0, 10, 25], count: 3)
    + delayLists([0, 30], count: 4)

  @Test("Agrees with a walk over the steps at every border of every small animation", arguments: small)
  func exhaustive(delays: [Int]) {
    for range in Self.ranges(of: delays.count) {
      for mode in PlaybackMode.allCases {
        for plays in [1, 2, 3, nil] {
          let model = WalkedTimeline(delays: delays, plays: plays, mode: mode, range: range)
          let timeline = Timeline(
            delays: delays, loopCount: plays.map { .plays($0) } ?? .forever, mode: mode, range: range)
          #expect(timeline.order == model.steps.map(\.frame))
          #expect(timeline.loopNanoseconds == model.loopLength)
          #expect(timeline.totalNanoseconds == plays.map { Int64($0) * model.loopLength })
          for time in model.interestingTimes(loops: 3) {
            let found = timeline.position(at: time).map(WalkedTimeline.Place.init)
            // One comparison a time: the macro's bookkeeping would cost more than the search.
            guard found == model.place(at: time) else {
              Issue.record(
                "\(delays) \(range) \(mode) \(plays ?? 0) at \(time): \(String(describing: found))")
              return
            }
          }
        }
      }
    }
  }

  @Test("A step starts where the position before its time ends", arguments: PlaybackMode.allCases)
  func starts(mode: PlaybackMode) {
    let timeline = Timeline(delays: [30, 70, 20, 110], loopCount: .forever, mode: mode)
    for loop in [0, 1, 5, 1_000_000] {
      for step in 0..<timeline.stepCount {
        let start = timeline.start(ofStep: step, loop: loop)
        let position = timeline.position(at: start)
        #expect(position?.step == step)
        #expect(position?.loop == loop)
        #expect(position?.start == start)
        if start > 0 { #expect(timeline.position(at: start - 1)?.nextChange == start) }
      }
    }
  }

  @Test("A played frame is found at its first step, others not at all", arguments: small)
  func stepShowing(delays: [Int]) {
    for range in Self.ranges(of: delays.count) {
      for mode in PlaybackMode.allCases {
        let timeline = Timeline(delays: delays, loopCount: .forever, mode: mode, range: range)
        for frame in -1...delays.count {
          #expect(timeline.step(showing: frame) == timeline.order.firstIndex(of: frame))
        }
      }
    }
  }

  @Test("A range is clipped to the frames there are; an empty one plays all")
  func clipping() {
    func range(_ range: Range<Int>?) -> Range<Int> {
      Timeline(delays: [10, 10, 10], loopCount: .forever, range: range).range
    }
    #expect(range(nil) == 0..<3)
    #expect(range(1..<2) == 1..<2)
    #expect(range(-4..<2) == 0..<2)
    #expect(range(2..<90) == 2..<3)
    #expect(range(1..<1) == 0..<3)
    #expect(range(7..<9) == 0..<3)
    #expect(range(-9 ..< -2) == 0..<3)
  }

  @Test("Each turn of a bounce is shown once")
  func bounce() {
    func order(_ count: Int) -> [Int] {
      Timeline(delays: Array(repeating: 10, count: count), loopCount: .forever, mode: .bounce).order
    }
    #expect(order(1) == [0])
    #expect(order(2) == [0, 1])
    #expect(order(3) == [0, 1, 2, 1])
    #expect(order(5) == [0, 1, 2, 3, 4, 3, 2, 1])
  }

  @Test("Still is what no time changes")
  func still() {
    func isStill(_ delays: [Int], _ range: Range<Int>? = nil) -> Bool {
      Timeline(delays: delays, loopCount: .forever, range: range).isStill
    }
    #expect(isStill([]))
    #expect(isStill([100]))
    #expect(isStill([0, 0, 0]))
    #expect(isStill([50, 60, 70], 1..<2))
    #expect(!isStill([0, 10]))
    #expect(!isStill([10, 10]))
  }

  @Test("Without a frame there is no position")
  func noFrames() {
    for loopCount in [LoopCount.forever, .plays(3)] {
      let timeline = Timeline(delays: [], loopCount: loopCount)
      #expect(timeline.position(at: 0) == nil)
      #expect(timeline.position(at: 1_000_000_000) == nil)
      #expect(timeline.step(showing: 0) == nil)
      #expect(timeline.loopNanoseconds == 0)
    }
  }

  @Test("An image's schedule follows its delays, its loop count and the policy")
  func image() throws {
    var writer = GIFWriter(width: 1, height: 1, palette: [0x000000, 0xFFFFFF])
    writer.loop(2)
    for delay in [0, 1, 2, 30] {
      writer.graphicsControl(delay: delay)
      writer.image(width: 1, height: 1, indices: [1])
    }
    writer.trailer()
    let image = try GIFImage(bytes: writer.bytes)
    let browser = Timeline(image)
    #expect(browser.loopCount == .plays(3))
    #expect(browser.loopNanoseconds == 520_000_000)
    #expect((0..<4).map { browser.start(ofStep: $0, loop: 0) } == [0, 100_000_000, 200_000_000, 220_000_000])
    #expect(Timeline(image, delayPolicy: .encoded).loopNanoseconds == 330_000_000)
    #expect(Timeline(image, delayPolicy: .constant(.milliseconds(7))).loopNanoseconds == 28_000_000)
    #expect(Timeline(image, delayPolicy: .minimum(.milliseconds(50))).loopNanoseconds == 450_000_000)
    #expect(Timeline(image, loopCount: .forever, mode: .reverse, range: 1..<3).order == [2, 1])
    #expect(Timeline(image, loopCount: .forever).totalNanoseconds == nil)
  }
}
