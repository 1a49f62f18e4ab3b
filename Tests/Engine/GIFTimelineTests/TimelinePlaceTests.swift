import GIFDecoding
import GIFTimeline
import Testing

@Suite("Timeline: places and back to their times")
struct TimelinePlaceTests {
  @Test("Every time leads to a place that leads back to it", arguments: TimelineTests.small)
  func timeToPlace(delays: [Int]) {
    for timeline in Self.timelines(delays) {
      let end = timeline.totalNanoseconds ?? .max
      for time in stride(from: Int64(0), through: 3 * timeline.loopNanoseconds + 2, by: 2_500_000) {
        for time in [time, time + 1] {
          let place = timeline.position(at: time)
          // Where all delays are 0 there is but one moment.
          let expected = timeline.loopNanoseconds == 0 ? 0 : min(time, end)
          guard place?.time == expected, place.map({ $0.offset >= 0 }) == true else {
            Issue.record(
              "\(delays) \(timeline.mode) \(timeline.range) at \(time): \(String(describing: place))")
            return
          }
        }
      }
    }
  }

  @Test(
    "Every step of every loop has a place, also those without a time of their own",
    arguments: TimelineTests.small)
  func placeToTime(delays: [Int]) {
    for timeline in Self.timelines(delays) {
      for loop in 0..<3 {
        for step in 0..<timeline.stepCount {
          let length = timeline.duration(ofStep: step)
          for offset in Set([0, length / 2, max(0, length - 1)]) {
            let place = timeline.position(ofStep: step, loop: loop, offset: offset)
            let lastLoop = timeline.loopCount == .plays(2) ? 1 : timeline.loopNanoseconds == 0 ? 0 : 2
            #expect(place?.step == step && place?.frame == timeline.order[step])
            #expect(place?.loop == min(loop, timeline.loopNanoseconds == 0 ? 0 : lastLoop))
            #expect(place?.offset == offset)
            guard length > 0, let place else { continue }
            #expect(timeline.position(at: place.time) == place)
          }
        }
      }
    }
  }

  private static func timelines(_ delays: [Int]) -> [Timeline] {
    TimelineTests.ranges(of: delays.count).flatMap { range in
      PlaybackMode.allCases.flatMap { mode in
        [LoopCount.forever, .plays(2)].map {
          Timeline(delays: delays, loopCount: $0, mode: mode, range: range)
        }
      }
    }
  }

  @Test("Arguments beyond the schedule give the nearest place", arguments: PlaybackMode.allCases)
  func clamps(mode: PlaybackMode) {
    for loopCount in [LoopCount.forever, .plays(3), .plays(.max)] {
      let timeline = Timeline(delays: [10, 0, 30], loopCount: loopCount, mode: mode)
      for step in [Int.min, -1, 0, 1, 99, .max] {
        for loop in [Int.min, -1, 0, 5, .max] {
          for offset in [Int64.min, -1, 0, 1, .max] {
            let place = timeline.position(ofStep: step, loop: loop, offset: offset)
            #expect(place.map { (0..<timeline.stepCount).contains($0.step) && $0.loop >= 0 } == true)
            #expect(place.map { $0.time >= 0 && $0.offset >= 0 } == true)
          }
        }
      }
      if loopCount == .plays(3) { #expect(timeline.position(ofStep: 0, loop: 7)?.loop == 2) }
    }
    #expect(Timeline(delays: [], loopCount: .forever).position(ofStep: 0, loop: 0) == nil)
  }

  @Test("On the way back of a bounce frames have steps of their own, but for the ends")
  func returning() {
    let timeline = Timeline(delays: [10, 20, 30, 40, 50], loopCount: .forever, mode: .bounce, range: 1..<5)
    #expect(timeline.order == [1, 2, 3, 4, 3, 2])
    #expect((0..<6).map { timeline.step(showing: $0) } == [nil, 0, 1, 2, 3, nil])
    #expect((0..<6).map { timeline.step(showing: $0, isReturning: true) } == [nil, 0, 5, 4, 3, nil])
    #expect((0..<6).map { timeline.isReturning(atStep: $0) } == [false, false, false, false, true, true])
    for mode in [PlaybackMode.forward, .reverse] {
      let timeline = Timeline(delays: [10, 20, 30], loopCount: .forever, mode: mode)
      for frame in 0..<3 {
        #expect(timeline.step(showing: frame, isReturning: true) == timeline.order.firstIndex(of: frame))
      }
    }
  }

  @Test("While frames may follow, playback comes to the end of what is there and no further")
  func open() throws {
    for mode in [PlaybackMode.forward, .bounce] {
      let timeline = Timeline(delays: [10, 20, 30], loopCount: .plays(2), mode: mode, isComplete: false)
      #expect(!timeline.isComplete && timeline.order == [0, 1, 2])
      #expect(timeline.totalNanoseconds == nil && !timeline.isStill)
      #expect(timeline.position(at: 59_999_999)?.nextChange == 60_000_000)
      for time in [Int64(60_000_000), 61_000_000, .max] {
        let edge = try #require(timeline.position(at: time))
        #expect(edge.awaitsFrames && !edge.isFinished)
        #expect(edge.frame == 2 && edge.loop == 0 && edge.time == 60_000_000)
      }
    }
    let reverse = Timeline(delays: [10, 20], loopCount: .forever, mode: .reverse, isComplete: false)
    #expect(!reverse.isComplete && reverse.position(at: 0) == nil)
    #expect(!Timeline(delays: [10], loopCount: .forever, isComplete: false).isStill)
  }

  @Test("A range that ends among the frames that are there is not open")
  func closedRange() {
    func timeline(_ range: Range<Int>) -> Timeline {
      Timeline(delays: [10, 20, 30], loopCount: .plays(2), mode: .reverse, range: range, isComplete: false)
    }
    #expect(timeline(0..<2).isComplete && timeline(0..<2).order == [1, 0])
    #expect(timeline(1..<3).isComplete && timeline(1..<3).totalNanoseconds == 100_000_000)
    #expect(!timeline(1..<4).isComplete)
    #expect(!timeline(5..<9).isComplete)
    #expect(timeline(5..<9).stepCount == 0)
    #expect(!timeline(-5 ..< -2).isComplete)
  }

  @Test("A frame without a duration can be stepped to and sought, and is left as soon as time runs")
  func zeroFrames() {
    var rig = MachineRig([100, 0, 0, 50], plays: 2)
    #expect(rig.order { $0.step(by: 1, at: $1) } == ["step 1"])
    #expect(rig.order { $0.step(by: 1, at: $1) } == ["step 2"])
    #expect(rig.order { $0.step(by: 1, at: $1) } == ["step 3"])
    #expect(rig.order { $0.step(by: -1, at: $1) } == ["step 2"])
    #expect(rig.wait(1_000) == [])
    #expect(rig.media == 100)
    #expect(rig.order { $0.seek(toFrame: 1, at: $1) } == ["seek 1"])
    #expect(rig.order { $0.step(by: 4, at: $1) } == ["step 1"])
    #expect(rig.media == 250)
    #expect(rig.play() == ["play 3 +1"])
    #expect(rig.wakesIn == 50)
  }

  @Test("A still image of frames without durations is stepped through, and rests on its last frame")
  func zeroStill() {
    var rig = MachineRig([0, 0, 0])
    #expect(rig.order { $0.seek(toFrame: 0, at: $1) } == ["seek 0"])
    #expect(rig.order { $0.step(by: 1, at: $1) } == ["step 1"])
    #expect(rig.play() == ["play 2", "finish"])
    #expect(rig.order { $0.step(by: -2, at: $1) } == ["step 0"])
  }

  @Test("Delays beyond all numbers do not overflow at any rate", arguments: [0.05, 1, 20])
  func hugeDelays(rate: Double) {
    var rig = MachineRig([.max, .max / 2], rate: rate)
    #expect(rig.play() == ["play 0"])
    #expect(rig.outcome.wakeAt.map { $0 > rig.now } == true)
    rig.pass(nanoseconds: .max / 2)
    rig.tick()
    #expect(rig.machine.position(at: PlaybackInstant(nanoseconds: .max)) != nil)
    #expect(rig.machine.mediaTime(at: PlaybackInstant(nanoseconds: .min)) >= 0)
  }
}
