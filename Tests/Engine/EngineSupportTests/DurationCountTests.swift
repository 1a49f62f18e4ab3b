import EngineSupport
import Testing

@Suite("Durations as counts")
struct DurationCountTests {
  @Test("In whole nanoseconds, cut off towards nought")
  func wholeNanoseconds() {
    #expect(Duration.zero.wholeNanoseconds == 0)
    #expect(Duration.seconds(3).wholeNanoseconds == 3_000_000_000)
    #expect(Duration.milliseconds(-1_500).wholeNanoseconds == -1_500_000_000)
    #expect(Duration.nanoseconds(7).wholeNanoseconds == 7)
    #expect(Duration(secondsComponent: 0, attosecondsComponent: 999_999_999).wholeNanoseconds == 0)
    #expect(Duration(secondsComponent: 0, attosecondsComponent: -999_999_999).wholeNanoseconds == 0)
    #expect(
      Duration(secondsComponent: 1, attosecondsComponent: 1_999_999_999).wholeNanoseconds == 1_000_000_001)
    #expect(Duration.seconds(290 * 365 * 86_400).wholeNanoseconds == 9_145_440_000_000_000_000)
  }

  @Test("In whole microseconds, cut off towards nought")
  func wholeMicroseconds() {
    #expect(Duration.zero.wholeMicroseconds == 0)
    #expect(Duration.seconds(3).wholeMicroseconds == 3_000_000)
    #expect(Duration.nanoseconds(1_999).wholeMicroseconds == 1)
    #expect(Duration.nanoseconds(-1_999).wholeMicroseconds == -1)
    #expect(Duration.seconds(9_000_000_000_000).wholeMicroseconds == 9_000_000_000_000_000_000)
  }

  @Test("What is too long becomes the longest there is", arguments: [Int64.max, 9_300_000_000_000, 1 << 62])
  func saturation(seconds: Int64) {
    #expect(Duration.seconds(seconds).wholeNanoseconds == .max)
    #expect(Duration.seconds(-seconds).wholeNanoseconds == .min)
    #expect(Duration.seconds(seconds).wholeMicroseconds == .max)
    #expect(Duration.seconds(-seconds).wholeMicroseconds == .min)
    #expect(Duration.seconds(Int64.min).wholeNanoseconds == .min)
  }

  @Test("The last whole second that fits does")
  func edges() {
    #expect(Duration.seconds(9_223_372_036).wholeNanoseconds == 9_223_372_036_000_000_000)
    #expect(Duration.seconds(9_223_372_037).wholeNanoseconds == .max)
    #expect(Duration.nanoseconds(Int64.max).wholeNanoseconds == .max)
    #expect(Duration.nanoseconds(Int64.min + 1).wholeNanoseconds == .min + 1)
  }

  @Test("As floating-point numbers, of any size")
  func counts() {
    #expect(Duration.microseconds(1_500).millisecondCount == 1.5)
    #expect(Duration.nanoseconds(-250).millisecondCount == -0.00025)
    #expect(Duration.milliseconds(2).nanosecondCount == 2e6)
    #expect(Duration(secondsComponent: 0, attosecondsComponent: 500_000_000).nanosecondCount == 0.5)
    #expect(Duration.seconds(Int64.max).nanosecondCount > 9e27)
    #expect(Duration.seconds(Int64.max).millisecondCount > 9e21)
  }
}
