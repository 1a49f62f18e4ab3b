import Testing

@testable import GallopCLI

/// What `--frames` takes, with the delays of ten frames: 100 ms each, but 200 ms for frame 3.
@Suite("Selections of frames")
struct FrameSelectionTests {
  private static let delays = [100, 100, 100, 200, 100, 100, 100, 100, 100, 100]

  @Test(
    "Each form names its frames",
    arguments: [
      ("0", [0]), ("9", [9]), ("2-4", [2, 3, 4]), ("2...4", [2, 3, 4]), ("2..<4", [2, 3]), ("4-4", [4]),
      ("8..", [8, 9]), ("8-", [8, 9]), ("8...", [8, 9]), ("-1", [9]), ("-10", [0]), ("-3..", [7, 8, 9]),
      ("-3--2", [7, 8]), ("-3..<-1", [7, 8]), ("1--8", [1, 2]), ("0-:4", [0, 4, 8]), ("1-8:3", [1, 4, 7]),
      ("1..<8:7", [1]), ("0..:5", [0, 5]), ("-4-:2", [6, 8]), ("0-:999999999", [0]),
      ("0,10s-:1", nil), ("0,3,5", [0, 3, 5]), ("5,3,0", [5, 3, 0]), ("0-2,1-3", [0, 1, 2, 1, 2, 3]),
      ("0-:4,-1,2", [0, 4, 8, 9, 2]),
    ] as [(String, [Int]?)])
  func forms(text: String, expected: [Int]?) throws {
    let selection = try FrameSelection(parsing: text)
    guard let expected else {
      #expect(throws: FileFailure.self) { try selection.frames(delays: Self.delays) }
      return
    }
    #expect(try selection.frames(delays: Self.delays) == expected)
  }

  @Test(
    "A time is the frame shown then; a range of times has the frames shown from its start until its end",
    arguments: [
      ("0s", [0]), ("99ms", [0]), ("100ms", [1]), ("0.1s", [1]), ("0.3s", [3]), ("499ms", [3]), ("0.5s", [4]),
      ("1.0999s", [9]), ("0s-0.1s", [0]), ("0s-100.001ms", [0, 1]), ("0.05s-0.15s", [0, 1]),
      ("0.3s-0.5s", [3]), ("0.3s...0.5s", [3, 4]), ("0.3s..<0.5s", [3]), ("0.4s...0.4s", [3]), ("1s-", [9]),
      ("0.9s..", [8, 9]), ("0.9s-60s", [8, 9]), ("0.9s...60s", [8, 9]), ("0s-:5", [0, 5]), ("7-1s", [7, 8]),
      ("0.9s--1", [8, 9]), ("0.9s-9", [8, 9]), ("0s,1s", [0, 9]),
    ])
  func times(text: String, expected: [Int]) throws {
    #expect(try FrameSelection(parsing: text).frames(delays: Self.delays) == expected)
  }

  @Test(
    "Frames that a file does not have are named with the reason",
    arguments: [
      ("10", "has 10 frames; frame 10 is not there"), ("-11", "has 10 frames; frame -11 is not there"),
      ("8-10", "has 10 frames; frames 8-10 are not all there"),
      ("8..<11", "has 10 frames; frames 8..<11 are not all there"),
      ("10..", "has 10 frames; frames 10.. are not all there"),
      ("0-:5,12", "has 10 frames; frame 12 is not there"),
      ("1.1s", "has 10 frames and lasts 1.100 s; frame 1.1s is not there"),
      ("2s-3s", "has 10 frames and lasts 1.100 s; frames 2s-3s are not all there"),
      ("5--8", "has 10 frames; of '5--8' the start is frame 5 and the end frame 2"),
    ])
  func missing(text: String, reason: String) throws {
    let selection = try FrameSelection(parsing: text)
    let failure = #expect(throws: FileFailure.self) { try selection.frames(delays: Self.delays) }
    #expect(failure?.reason == reason)
  }

  @Test("An image without frames has none to choose", arguments: ["0", "-1", "0-", "0s", "0-:10"])
  func noFrames(text: String) throws {
    let selection = try FrameSelection(parsing: text)
    #expect(throws: FileFailure.self) { try selection.frames(delays: []) }
  }

  @Test(
    "What cannot be read is refused with the reason",
    arguments: [
      ("", "it names no frame"), ("0,", "there is nothing before or behind a comma"),
      (",0", "there is nothing before or behind a comma"), ("5-2", "its start is after its end"),
      ("5...2", "its start is after its end"), ("5..<2", "its start is after its end"),
      ("-1--2", "its start is after its end"), ("2s-1s", "its start is after its end"),
      ("3..<3", "it has no frames: it ends where it starts"),
      ("1s-1s", "it has no frames: it ends where it starts"),
      ("2..5", "it is not clear whether the end belongs to it: write 2...5 with it, or 2..<5 without"),
      (
        "0,2..5:2",
        "'2..5:2': it is not clear whether the end belongs to it: write 2...5:2 with it, or 2..<5:2 without"
      ),
      ("..5", "a range begins with a frame, such as 0...5"),
      ("..<5", "a range begins with a frame, such as 0..<5"),
      ("5..<", "..< needs the end before which the range stops"), ("0-:0", "a step is at least 1"),
      ("5:2", "a step belongs to a range, such as 0-:10"), ("0-:", "nothing stands where a step is expected"),
      ("0-:x", "'x' stands where a step is expected"), ("-0", "-1 is the last frame; there is no -0"),
      ("-1s", "times count from the start"), ("1.5", "a time has a unit, such as 1.5s or 250ms"),
      ("1234567890", "a number has at most 9 digits"), ("3x", "'x' is left over"),
      ("1-2-3", "'-3' is left over"),
      ("0 ", "' ' is left over"),
      ("٣", "'٣' stands where a frame is expected: a number, -1 for the last, or a time such as 1.5s"),
    ])
  func refused(text: String, reason: String) {
    #expect(throws: FrameSelectionError(description: reason)) { try FrameSelection(parsing: text) }
  }

  @Test(
    "Only as much of a file is read as numbers from its start ask for",
    arguments: [
      ("7", 8), ("2-4", 5), ("2..<4", 4), ("0,12,3", 13), ("0..", nil), ("-1", nil), ("1s", nil),
      ("0-4:2", 5),
    ] as [(String, Int?)])
  func readCount(text: String, expected: Int?) throws {
    #expect(try FrameSelection(parsing: text).readCount == expected)
  }

  @Test(
    "play takes one range of numbers",
    arguments: [
      ("3", 3, 4), ("3-9", 3, 10), ("3...9", 3, 10), ("3..<9", 3, 9), ("3..", 3, nil), ("3-", 3, nil),
    ] as [(String, Int, Int?)])
  func playbackRange(text: String, lower: Int, upper: Int?) throws {
    let range = try PlaybackRange(parsing: text)
    #expect(range.lower == lower && range.upper == upper)
  }

  @Test(
    "play refuses other selections", arguments: ["0,3", "0-:2", "-1", "1s-2s", "0-3s", "0--1", "3-2", "x"])
  func noPlaybackRange(text: String) {
    #expect(throws: FrameSelectionError.self) { try PlaybackRange(parsing: text) }
  }
}
