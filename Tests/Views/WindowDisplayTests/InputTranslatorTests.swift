import GIFPlayback
import GIFStage
import GIFTimeline
import Testing

@testable import WindowDisplay

@Suite("InputTranslator: from a window's input to a stage's")
struct InputTranslatorTests {
  @Test("On a dense screen points become pixels")
  func density() {
    var translator = InputTranslator()
    #expect(
      translator.resized(pixels: (1600, 1200), points: (800, 600))
        == .resized(width: 1600, height: 1200, scale: 2))
    #expect(translator.pressed(x: 10, y: 20) == .pointer(PointerEvent(.began, x: 20, y: 40)))
    #expect(translator.moved(x: 11, y: 20) == .pointer(PointerEvent(.moved, x: 22, y: 40)))
    #expect(translator.released(x: -1, y: 0) == .pointer(PointerEvent(.ended, x: -2, y: 0)))
  }

  @Test("The scale is the nearest whole number in 1 - 4, for any window")
  func scales() {
    for (pixels, points, scale) in [
      (800, 800, 1), (1000, 800, 1), (1200, 800, 2), (8000, 800, 4), (0, 0, 1), (1, -5, 1),
    ] {
      var translator = InputTranslator()
      _ = translator.resized(pixels: (pixels, pixels), points: (points, points))
      #expect(translator.scale == scale, "\(pixels) / \(points)")
    }
  }

  @Test("A pointer that is not pressed hovers; a release without a press is ignored")
  func buttons() {
    var translator = InputTranslator()
    #expect(translator.moved(x: 3, y: 4) == .hover(x: 3, y: 4))
    #expect(translator.released(x: 3, y: 4) == nil)
    #expect(translator.pressed(x: 3, y: 4) != translator.moved(x: 3, y: 4))
  }

  @Test("The wheel scrolls down when turned towards the user; fine turns add up; invalid values are ignored")
  func wheel() {
    var translator = InputTranslator()
    _ = translator.moved(x: 7, y: 8)
    #expect(translator.wheelTurned(notches: -1, isFlipped: false) == .wheel(pixels: 60, x: 7, y: 8))
    #expect(translator.wheelTurned(notches: 2, isFlipped: false) == .wheel(pixels: -120, x: 7, y: 8))
    #expect(translator.wheelTurned(notches: 1, isFlipped: true) == .wheel(pixels: 60, x: 7, y: 8))
    var sum = 0
    for _ in 0..<50 {
      if case .wheel(let pixels, _, _) = translator.wheelTurned(notches: -0.01, isFlipped: false) {
        sum += pixels
      }
    }
    #expect(sum == 30)
    #expect(translator.wheelTurned(notches: .nan, isFlipped: false) == nil)
    #expect(translator.wheelTurned(notches: -.infinity, isFlipped: false) == nil)
    #expect(translator.wheelTurned(notches: -1e30, isFlipped: false) == .wheel(pixels: 60_000, x: 7, y: 8))
  }

  @Test("A held key repeats movements, not toggles")
  func heldKeys() {
    let translator = InputTranslator()
    for code in [32, 27, 13, 113, 114, 100] as [Int32] {
      #expect(translator.key(code: code, isRepeat: false) != nil)
      #expect(translator.key(code: code, isRepeat: true) == nil, "\(code)")
    }
    for code in [43, 45, 9, InputTranslator.scanCode(79), InputTranslator.scanCode(81)] as [Int32] {
      #expect(translator.key(code: code, isRepeat: true) == translator.key(code: code), "\(code)")
    }
  }

  @Test("Keys: letters, arrows, the number pad, and nothing for the rest")
  func keys() {
    let translator = InputTranslator()
    func key(_ code: Int32) -> StageKey? {
      translator.key(code: code)
    }
    #expect(key(32) == .space && key(27) == .escape && key(13) == .enter && key(9) == .tab)
    #expect(key(114) == .character("r") && key(61) == .character("=") && key(43) == .character("+"))
    #expect(key(1 << 30 | 79) == .right && key(1 << 30 | 80) == .left)
    #expect(key(1 << 30 | 58) == .function(1) && key(1 << 30 | 68) == .function(11))
    #expect(key(1 << 30 | 87) == .character("+") && key(1 << 30 | 86) == .character("-"))
    for code in [Int32(0), -1, 8, 0xD800, .max, .min, 1 << 30 | 225] { #expect(key(code) == nil, "\(code)") }
  }
}

@Suite("WindowLoop: one turn")
struct WindowLoopTests {
  @Test("Consecutive resizes and moves are merged; other input keeps its order")
  func merged() {
    let inputs: [WindowInput] = [
      .resized(width: 1, height: 1, scale: 1), .resized(width: 2, height: 2, scale: 1),
      .pointer(PointerEvent(.began, x: 0, y: 0)), .pointer(PointerEvent(.moved, x: 1, y: 0)),
      .pointer(PointerEvent(.moved, x: 2, y: 0)), .pointer(PointerEvent(.ended, x: 3, y: 0)),
      .pointer(PointerEvent(.moved, x: 4, y: 0)), .key(.space), .pointer(PointerEvent(.moved, x: 5, y: 0)),
      .exposed, .exposed, .key(.space), .key(.space),
    ]
    let kept = [1, 2, 4, 5, 6, 7, 8, 10, 11, 12].map { inputs[$0] }
    #expect(WindowLoop.merged(inputs) == kept)
    #expect(WindowLoop.merged([]).isEmpty)
  }

  @Test("It sleeps until the next instant, rounded down, within its limit")
  func sleeps() {
    let now = PlaybackInstant(nanoseconds: 1_000_000_000)
    func sleep(_ nanoseconds: Int64?) -> Int {
      WindowLoop.sleep(
        until: nanoseconds.map { PlaybackInstant(nanoseconds: now.nanoseconds + $0) }, from: now,
        atMost: .milliseconds(50))
    }
    #expect(sleep(nil) == 50 && sleep(0) == 0 && sleep(-5) == 0)
    #expect(sleep(1) == 1 && sleep(999_999) == 1 && sleep(2_900_000) == 2 && sleep(9_000_000_000) == 50)
  }
}
