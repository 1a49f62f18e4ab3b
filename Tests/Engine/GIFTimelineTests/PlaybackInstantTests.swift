import GIFPlayback
import GIFTimeline
import Testing

@Suite("PlaybackInstant and manual time")
struct PlaybackInstantTests {
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
    let time = ManualTime(start: PlaybackInstant(nanoseconds: 100))
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
    var last = PlaybackInstant.now
    #expect(last.nanoseconds > 0)
    for _ in 0..<1_000 {
      let now = PlaybackInstant.now
      #expect(now >= last)
      last = now
    }
  }

  @Test("Numbers that no count holds are clamped; NaN counts as 0")
  func clampedNumbers() {
    #expect(Int64(clamping: Double.nan) == 0)
    #expect(Int64(clamping: Double.infinity) == .max)
    #expect(Int64(clamping: -Double.infinity) == .min)
    #expect(Int64(clamping: 0x1p63) == .max)
    #expect(Int64(clamping: -1.9) == -1)
  }
}
