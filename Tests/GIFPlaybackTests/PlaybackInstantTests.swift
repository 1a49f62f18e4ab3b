import Testing

@testable import GIFPlayback

@Suite("PlaybackInstant and the time sources")
struct PlaybackInstantTests {
  @Test("A duration becomes nanoseconds, cut off")
  func wholeNanoseconds() {
    #expect(Duration.seconds(3).wholeNanoseconds == 3_000_000_000)
    #expect(Duration.milliseconds(-1_500).wholeNanoseconds == -1_500_000_000)
    #expect(Duration.nanoseconds(7).wholeNanoseconds == 7)
    #expect(Duration(secondsComponent: 0, attosecondsComponent: 999_999_999).wholeNanoseconds == 0)
    #expect(Duration(secondsComponent: 0, attosecondsComponent: -999_999_999).wholeNanoseconds == 0)
    #expect(
      Duration(secondsComponent: 1, attosecondsComponent: 1_999_999_999).wholeNanoseconds == 1_000_000_001)
    #expect(Duration.seconds(290 * 365 * 86_400).wholeNanoseconds == 9_145_440_000_000_000_000)
  }

  @Test("A duration too long for nanoseconds becomes the longest")
  func saturation() {
    #expect(Duration.seconds(Int64.max).wholeNanoseconds == .max)
    #expect(Duration.seconds(10_000_000_000).wholeNanoseconds == .max)
    #expect(Duration.seconds(Int64.min).wholeNanoseconds == .min)
    #expect(Duration.seconds(-10_000_000_000).wholeNanoseconds == .min)
  }

  @Test("Sum and difference undo each other", arguments: [Int64(0), 1, -1, 16_666_667, 86_400_000_000_000])
  func arithmetic(nanoseconds: Int64) {
    let start = PlaybackInstant(nanoseconds: 5_000_000_001)
    let end = start + .nanoseconds(nanoseconds)
    #expect(end.nanoseconds == 5_000_000_001 + nanoseconds)
    #expect(end - start == .nanoseconds(nanoseconds))
    #expect((start < end) == (nanoseconds > 0))
  }

  @Test("A manual time moves forward only")
  func manualTime() {
    let time = ManualTimeSource(start: PlaybackInstant(nanoseconds: 100))
    #expect(time.now().nanoseconds == 100)
    time.advance(by: .nanoseconds(20))
    #expect(time.now().nanoseconds == 120)
    time.advance(by: .nanoseconds(-50))
    #expect(time.now().nanoseconds == 120)
    time.move(to: PlaybackInstant(nanoseconds: 110))
    #expect(time.now().nanoseconds == 120)
    time.move(to: PlaybackInstant(nanoseconds: 500))
    #expect(time.now().nanoseconds == 500)
  }

  @Test("The monotonic time never runs back")
  func monotonicTime() {
    let time = MonotonicTimeSource()
    var last = time.now()
    #expect(last.nanoseconds > 0)
    for _ in 0..<1_000 {
      let now = time.now()
      #expect(now >= last)
      last = now
    }
  }
}
