import GIFDecoding
import GIFTestSupport
import Testing

@testable import GIFEditing

@Suite("The frames of an edit and their delays")
struct FrameSequenceTests {
  /// Frames of one pixel with these stored delays.
  private static func frames(_ delays: [Int]) throws -> [FrameInfo] {
    var writer = GIFWriter(width: 1, height: 1, palette: [0, 0xFFFFFF])
    for delay in delays {
      writer.graphicsControl(delay: delay)
      writer.image(width: 1, height: 1, indices: [0])
    }
    writer.trailer()
    return try GIFImage(bytes: writer.bytes).frames
  }

  private static func sequence(_ delays: [[Int]], _ change: (inout GIFEdit) -> Void) throws -> [[Int]] {
    var edit = GIFEdit()
    change(&edit)
    return try FrameSequence(delays.map(frames), edit: edit).frames.map {
      [$0.image, $0.frame, $0.centiseconds]
    }
  }

  @Test("Without operations every frame stays with its stored delay")
  func plain() throws {
    #expect(try Self.sequence([[0, 5], [7]]) { _ in } == [[0, 0, 0], [0, 1, 5], [1, 0, 7]])
  }

  @Test("Frames count through all images, in any order")
  func chosen() throws {
    #expect(
      try Self.sequence([[3, 4], [5]]) { $0.frames = [2, 0, 2] } == [[1, 0, 5], [0, 0, 3], [1, 0, 5]])
    #expect(throws: GIFEditError(.noSuchFrame, frame: 3, value: 3, limit: 3)) {
      try Self.sequence([[3, 4], [5]]) { $0.frames = [3] }
    }
    #expect(throws: GIFEditError(.noFrames)) { try Self.sequence([[3]]) { $0.frames = [] } }
  }

  @Test("Reversed, and bounced without the frames at the ends")
  func order() throws {
    #expect(try Self.sequence([[1, 2, 3, 4]]) { $0.order = .reversed }.map { $0[1] } == [3, 2, 1, 0])
    #expect(try Self.sequence([[1, 2, 3, 4]]) { $0.order = .bounced }.map { $0[1] } == [0, 1, 2, 3, 2, 1])
    #expect(try Self.sequence([[1]]) { $0.order = .bounced }.map { $0[1] } == [0])
  }

  @Test("A step adds the delays of the frames left out, as browsers play them")
  func step() throws {
    #expect(try Self.sequence([[5, 0, 7]]) { $0.step = 2 } == [[0, 0, 15], [0, 2, 7]])
    #expect(throws: GIFEditError.self) { try Self.sequence([[5]]) { $0.step = 0 } }
  }

  @Test("A sum may be longer than a frame can have")
  func longSum() throws {
    #expect(try Self.sequence([[65535, 1]]) { $0.step = 2 } == [[0, 0, 65545]])
    #expect(try Self.sequence([[65535, 65535]]) { $0.step = 2 } == [[0, 0, 131_070]])
  }

  /// What a rule makes of stored delays.
  private static func delays(_ stored: [Int], _ change: (inout GIFEdit) -> Void) throws -> [Int] {
    var edit = GIFEdit()
    change(&edit)
    var rule = try DelayRule(edit)
    return stored.enumerated().map { place, delay in
      rule.delay(
        of: SequenceFrame(image: 0, frame: place, centiseconds: delay), isLast: place == stored.count - 1)
    }
  }

  @Test("A rate divides what browsers play, and loses no time to rounding")
  func rate() throws {
    let delays = try Self.delays([Int](repeating: 5, count: 10)) { $0.rate = 2 }
    #expect(delays.reduce(0, +) == 25 && delays.allSatisfy { (2...3).contains($0) })
    #expect(try Self.delays([0]) { $0.rate = 0.5 } == [20])
    #expect(try Self.delays([3, 3]) { $0.rate = 10 } == [2, 2])
    #expect(try Self.delays([5000, 1]) { $0.rate = 0.01 } == [500_000, 1000])
    for rate in [0, -1, .infinity, .nan] {
      #expect(throws: GIFEditError.self) { try Self.delays([3]) { $0.rate = rate } }
    }
  }

  @Test("A delay for all, and one for the last")
  func delays() throws {
    let delays = try Self.delays([1, 2, 3]) {
      $0.delay = .milliseconds(40)
      $0.lastDelay = .seconds(2)
    }
    #expect(delays == [4, 4, 200])
    let invalid: [Duration] = [
      .milliseconds(10), .milliseconds(45), .seconds(656), .seconds(-1), .seconds(Int64.max),
      Duration(secondsComponent: 9_223_372_036_854_775, attosecondsComponent: 900_000_000_000_000_000),
    ]
    for delay in invalid {
      #expect(throws: GIFEditError.self) { try Self.delays([3]) { $0.delay = delay } }
    }
  }

  @Test("A delay that is too long for a frame is taken in parts, none of which browsers lengthen")
  func parts() {
    #expect(DelayRule.part(of: 65_535) == 65_535)
    #expect(DelayRule.part(of: 65_536) == 65_534)
    #expect(DelayRule.part(of: 500_000) == 65_535)
  }

  @Test("Frames that are not usable are left out where that is asked for")
  func skipped() throws {
    var edit = GIFEdit()
    let frames = [try Self.frames([1, 2, 3])]
    edit.skipsFailedFrames = true
    #expect(try FrameSequence(frames, edit: edit) { $1 != 1 }.frames.map(\.frame) == [0, 2])
    edit.skipsFailedFrames = false
    #expect(try FrameSequence(frames, edit: edit) { _, _ in false }.frames.count == 3)
  }
}
