import GIFDecoding
import GIFTimeline
import Testing

@Suite("PlaybackMachine: every small animation, against a count of ticks")
struct PlaybackModelTests {
  static let animations: [[Int]] =
    TimelineTests.delayLists([10, 30], count: 2) + TimelineTests.delayLists([10, 30], count: 3)
    + [[10, 20, 30, 40], [0, 10, 20], [20, 0, 10], [10, 20, 0], [10, 0, 0, 30]]

  static let policies: [LatePolicy] = [.skip, .catchUp(max: 0), .catchUp(max: 1), .catchUp(max: 3), .wait]

  /// Milliseconds between ticks, over and over: often, seldom, and seldom with hurried ones after it.
  static let gaps = [[5], [35], [90, 1, 9, 2, 5, 3], [25, 4, 6, 7]]

  @Test("Modes, ranges, speeds, loops and late policies", arguments: animations)
  func exhaustive(delays: [Int]) {
    for range in TimelineTests.ranges(of: delays.count) where isMoving(delays, range) {
      for mode in PlaybackMode.allCases {
        for plays in [1, 2, nil] {
          for twiceRate in [1, 2, 4] {
            for late in Self.policies {
              for gaps in Self.gaps {
                let ticked = TickedPlayer(
                  delays: delays, plays: plays, mode: mode, range: range, twiceRate: twiceRate, late: late)
                let rig = MachineRig(
                  delays, plays: plays, mode: mode, range: range, rate: Double(twiceRate) / 2, late: late)
                guard agree(rig, ticked, gaps: gaps) else {
                  Issue.record(
                    "\(delays) \(range) \(mode) \(plays ?? 0) x\(twiceRate)/2 \(late) gaps \(gaps)")
                  return
                }
              }
            }
          }
        }
      }
    }
  }

  private func isMoving(_ delays: [Int], _ range: Range<Int>) -> Bool {
    range.count > 1 && delays[range].contains { $0 > 0 }
  }

  /// Ticks both at the same times and compares their reports.
  private func agree(_ rig: MachineRig, _ ticked: TickedPlayer, gaps: [Int]) -> Bool {
    var (rig, ticked) = (rig, ticked)
    rig.play()
    _ = ticked.report()
    var time = 0
    var round = 0
    while time < 320 {
      let gap = gaps[round % gaps.count]
      round += 1
      time += gap
      for _ in 0..<gap { ticked.tick() }
      let reported = rig.wait(Int64(gap)).map { word in
        // The lateness and the number of plays are other tests' business.
        var word = word
        if let cut = word.firstRange(of: " ~") { word = String(word[..<cut.lowerBound]) }
        if let cut = word.firstRange(of: " of ") { word = String(word[..<cut.lowerBound]) }
        return word
      }
      let expected = ticked.report()
      guard reported == expected else {
        Issue.record("at \(time) ms: \(reported) instead of \(expected)")
        return false
      }
    }
    return true
  }
}
