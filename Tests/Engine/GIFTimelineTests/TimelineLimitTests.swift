import GIFDecoding
import GIFTimeline
import Testing

@Suite("Timeline: at the limits of the numbers")
struct TimelineLimitTests {
  static let nanosecond: Int64 = 1
  static let century: Int64 = 100 * 365 * 86_400 * 1_000_000_000

  @Test("A century of loops ends on the right frame", arguments: PlaybackMode.allCases)
  func century(mode: PlaybackMode) throws {
    let delays = [170, 30, 410, 90, 20]
    let timeline = Timeline(delays: delays, loopCount: .forever, mode: mode)
    let model = WalkedTimeline(delays: delays, plays: nil, mode: mode, range: 0..<5)
    for offset in stride(from: Int64(-3_000_000_000), through: 3_000_000_000, by: 7_777_777) {
      let time = Self.century + offset
      let position = try #require(timeline.position(at: time))
      let inLoop = model.place(at: time % model.loopLength)
      #expect(position.loop == Int(time / model.loopLength))
      #expect(position.step == inLoop.step)
      #expect(position.frame == inLoop.frame)
      #expect(position.start <= time)
      #expect(position.nextChange.map { $0 > time } == true)
    }
  }

  @Test("The last nanosecond plays the last frame, the next one finishes")
  func lastNanosecond() throws {
    let timeline = Timeline(delays: [40, 60], loopCount: .plays(65_536))
    let total = try #require(timeline.totalNanoseconds)
    #expect(total == 6_553_600_000_000)
    let last = try #require(timeline.position(at: total - Self.nanosecond))
    #expect(last.frame == 1 && last.loop == 65_535 && !last.isFinished && last.nextChange == total)
    for time in [total, total + 1, 2 * total, Int64.max] {
      let over = try #require(timeline.position(at: time))
      #expect(over.frame == 1 && over.loop == 65_535 && over.isFinished && over.nextChange == nil)
      #expect(over.start == last.start)
    }
  }

  @Test("Times before the start count as the start")
  func negativeTimes() {
    for loopCount in [LoopCount.forever, .plays(1)] {
      let timeline = Timeline(delays: [40, 60], loopCount: loopCount)
      for time in [Int64.min, -Self.century, -1] {
        #expect(timeline.position(at: time) == timeline.position(at: 0))
      }
    }
  }

  @Test("Negative delays count as none, loop counts below one as one")
  func oddArguments() {
    let timeline = Timeline(delays: [-50, 20, .min, 30], loopCount: .plays(-7))
    #expect(timeline.loopCount == .plays(1))
    #expect(timeline.loopNanoseconds == 50_000_000)
    #expect(timeline.position(at: 0)?.frame == 1)
    #expect(timeline.position(at: 20_000_000)?.frame == 3)
    #expect(Timeline(delays: [10], loopCount: .plays(0)).loopCount == .plays(1))
  }

  @Test("More plays than time can count go on without end")
  func overflowingTotal() throws {
    let timeline = Timeline(delays: [400, 600], loopCount: .plays(.max))
    #expect(timeline.totalNanoseconds == nil)
    let position = try #require(timeline.position(at: Self.century))
    #expect(position.loop == Int(Self.century / 1_000_000_000))
    #expect(!position.isFinished)
  }

  @Test("Even the last instant that the numbers hold has a frame")
  func lastInstant() throws {
    for delays in [[400, 600], [1, 1], [10, 655_350]] {
      let timeline = Timeline(delays: delays, loopCount: .forever)
      for time in [Int64.max, Int64.max - 1, Int64.max - timeline.loopNanoseconds] {
        let position = try #require(timeline.position(at: time))
        #expect((0..<2).contains(position.frame))
        #expect(!position.isFinished)
      }
    }
  }

  @Test("The longest GIF there can be fits", arguments: PlaybackMode.allCases)
  func longestFile(mode: PlaybackMode) throws {
    let count = 1 << 17
    let timeline = Timeline(
      delays: Array(repeating: 655_350, count: count), loopCount: .plays(65_536), mode: mode)
    let steps = mode == .bounce ? 2 * count - 2 : count
    #expect(timeline.loopNanoseconds == Int64(steps) * 655_350_000_000)
    let position = try #require(timeline.position(at: timeline.loopNanoseconds - 1))
    #expect(position.step == steps - 1)
    let next = try #require(timeline.position(at: timeline.loopNanoseconds))
    #expect(next.loop == 1)
  }
}
