import GIFTimeline
import Testing

@testable import GIFCaching

/// Every playhead of small animations, and what a walk from frame to frame finds.
enum PlayheadCases {
  static let all: [Playhead] = (1...6).flatMap { count in
    (0..<count).flatMap { first in
      (first + 1...count).flatMap { end in
        (first..<end).flatMap { frame in
          directions.map { Playhead(frame: frame, direction: $0, range: first..<end) }
        }
      }
    }
  }

  static let directions: [Playhead.Direction] = [
    .forward, .reverse, .bounce(isReturning: false), .bounce(isReturning: true),
  ]

  /// The frames shown one after another from the playhead on, repetitions included.
  static func walk(_ playhead: Playhead, steps: Int) -> [Int] {
    let lowest = playhead.range.lowerBound
    let highest = playhead.range.upperBound - 1
    var frame = playhead.frame
    var way = 1
    switch playhead.direction {
    case .reverse, .bounce(isReturning: true): way = -1
    default: break
    }
    var isBounce = false
    if case .bounce = playhead.direction { isBounce = true }

    var shown: [Int] = []
    for _ in 0..<steps {
      shown.append(frame)
      if isBounce, lowest < highest {
        if frame + way > highest || frame + way < lowest { way = -way }
        frame += way
      } else if lowest < highest {
        frame += way
        if frame > highest { frame = lowest }
        if frame < lowest { frame = highest }
      }
    }
    return shown
  }
}

extension Playhead {
  /// The frames that come next, as a list.
  fileprivate func upcoming(_ count: Int) -> [Int] {
    var frames: [Int] = []
    forEachUpcoming(count) { frame in
      frames.append(frame)
      return true
    }
    return frames
  }
}

@Suite("Playhead")
struct PlayheadTests {
  @Test("The frames that come next are those of a walk", arguments: PlayheadCases.all)
  func upcoming(playhead: Playhead) {
    let walk = PlayheadCases.walk(playhead, steps: 40)
    for count in 0...40 { #expect(playhead.upcoming(count) == Array(walk.prefix(count))) }
  }

  @Test("The walk ends when it is told to")
  func early() {
    var seen: [Int] = []
    Playhead(frame: 1, range: 0..<3).forEachUpcoming(.max) { frame in
      seen.append(frame)
      return seen.count < 5
    }
    #expect(seen == [1, 2, 0, 1, 2])
  }

  @Test("The distance to a frame is the number of steps until it is shown", arguments: PlayheadCases.all)
  func distance(playhead: Playhead) {
    let walk = PlayheadCases.walk(playhead, steps: 40)
    for frame in -1...7 {
      #expect(playhead.distance(to: frame) == walk.firstIndex(of: frame))
    }
  }

  @Test("An empty range plays the one frame that is asked for")
  func emptyRange() {
    for direction in PlayheadCases.directions {
      let playhead = Playhead(frame: 4, direction: direction, range: 2..<2)
      #expect(playhead.upcoming(5) == [4])
      #expect(playhead.distance(to: 4) == 0)
      #expect(playhead.distance(to: 3) == nil)
    }
  }

  @Test("A playhead outside its range comes into it")
  func outside() {
    for direction in PlayheadCases.directions {
      let upcoming = Playhead(frame: 9, direction: direction, range: 2..<5).upcoming(4)
      #expect(upcoming.first == 9)
      #expect(Set(upcoming.dropFirst()) == [2, 3, 4])
    }
  }
}
