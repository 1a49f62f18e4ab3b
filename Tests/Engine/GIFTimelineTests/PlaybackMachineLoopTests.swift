import GIFDecoding
import GIFTimeline
import Testing

@Suite("PlaybackMachine: loops and the end")
struct PlaybackMachineLoopTests {
  @Test("The end comes once, after the last frame's own delay")
  func end() {
    var rig = MachineRig([100, 200], plays: 2)
    rig.play()
    #expect(rig.wait(100) == ["play 1"])
    #expect(rig.wait(200) == ["loop! 1 of 2", "loop 0"])
    #expect(rig.wait(100) == ["play 1"])
    #expect(rig.wakesIn == 200)
    #expect(rig.wait(199) == [])
    #expect(rig.wait(1) == ["loop! 2 of 2", "finish"])
    #expect(rig.machine.state == .finished)
    #expect(rig.wakesIn == nil)
    #expect(rig.media == 600)
    #expect(rig.wait(60_000) == [])
    #expect(rig.pause() == [])
    #expect(rig.machine.state == .finished)
  }

  @Test(
    "Every loop boundary is reported once, before the next loop's first frame",
    arguments: PlaybackMode.allCases
  )
  func boundaries(mode: PlaybackMode) {
    var rig = MachineRig([10, 20, 30], plays: 5, mode: mode)
    var reported = rig.play()
    while let wake = rig.wakesIn { reported += rig.wait(wake) }
    let loops = reported.enumerated().filter { $0.element.hasPrefix("loop!") }
    #expect(loops.map(\.element) == (1...5).map { "loop! \($0) of 5" })
    for (place, _) in loops.dropLast() { #expect(reported[place + 1].hasPrefix("loop ")) }
    #expect(reported.count { $0 == "finish" } == 1)
    #expect(reported.last == "finish")
    let steps = mode == .bounce ? 4 : 3
    #expect(reported.count == 5 * steps + 5 + 1)
  }

  @Test("Play after the end starts over, and ends again")
  func playAgain() {
    var rig = MachineRig([100, 200], plays: 1)
    for round in 0..<3 {
      #expect(rig.play() == [round == 0 ? "play 0" : "restart 0"])
      #expect(rig.media == 0)
      #expect(rig.wait(100) == ["play 1"])
      #expect(rig.wait(200) == ["loop! 1 of 1", "finish"])
    }
  }

  @Test("A gap over several loops reports each of them and skips to the right frame")
  func gapOverLoops() {
    var rig = MachineRig([100, 200], plays: 10)
    rig.play()
    #expect(rig.wait(3 * 300 + 150) == (1...3).map { "loop! \($0) of 10" } + ["loop 1 +6 ~50"])
    #expect(rig.wakesIn == 150)
    let reported = (4...9).map { "loop! \($0) of 10" }
    #expect(rig.wait(100_000) == reported + ["loop 1 +11 ~98250", "loop! 10 of 10", "finish"])
  }

  @Test("Of very many loops in one gap the last 64 are reported")
  func boundedLoops() {
    var rig = MachineRig([100, 200])
    rig.play()
    #expect(rig.wait(300_000) == (937...1_000).map { "loop! \($0)" } + ["loop 0 +1999"])
    #expect(rig.wait(300) == ["loop! 1001", "loop 0 +1"])
  }

  @Test("A gap that ends on the same frame of a later loop is a change")
  func gapToSameFrame() {
    var rig = MachineRig([100, 200])
    rig.play()
    #expect(rig.wait(600) == ["loop! 1", "loop! 2", "loop 0 +3"])
  }

  @Test("A still image finishes at once and never schedules a tick", arguments: [[100], [0], [0, 0, 0]])
  func still(delays: [Int]) {
    for plays in [nil, 1, 5] {
      var rig = MachineRig(delays, plays: plays)
      let last = delays.count - 1
      #expect(rig.play() == ["play \(last)", "finish"])
      #expect(rig.machine.state == .finished)
      #expect(rig.wakesIn == nil)
      #expect(rig.wait(10_000) == [])
      #expect(rig.play() == ["restart \(last)", "finish"])
      #expect(rig.wakesIn == nil)
    }
  }

  @Test("A range of one frame is a still image")
  func stillRange() {
    var rig = MachineRig([100, 200, 300], range: 1..<2)
    #expect(rig.play() == ["play 1", "finish"])
    #expect(rig.wakesIn == nil)
  }

  @Test("Without frames nothing happens")
  func noFrames() {
    var rig = MachineRig([])
    #expect(rig.play() == [])
    #expect(rig.order { $0.restart(at: $1) } == [])
    #expect(rig.order { $0.stop(at: $1) } == [])
    #expect(rig.order { $0.seek(toFrame: 0, at: $1) } == [])
    #expect(rig.order { $0.seek(toMedia: 5, at: $1) } == [])
    #expect(rig.order { $0.step(by: 1, at: $1) } == [])
    #expect(rig.machine.state == .stopped)
    #expect(!rig.machine.isActive)
  }

  @Test("Frames without a duration are skipped and counted")
  func zeroDelays() {
    var rig = MachineRig([100, 0, 0, 50, 0], plays: 1)
    #expect(rig.play() == ["play 0"])
    #expect(rig.wait(100) == ["play 3 +2"])
    #expect(rig.wait(50) == ["play 4", "loop! 1 of 1", "finish"])
  }

  @Test("A pause at the end of all time does not lose the end")
  func pauseAtTheEnd() {
    var rig = MachineRig([100, 200], plays: 1)
    rig.play()
    rig.wait(100)
    rig.pass(200)
    let reported = rig.pause() + rig.play() + rig.wait(1_000)
    #expect(reported.count { $0 == "finish" } == 1)
    #expect(reported.count { $0 == "loop! 1 of 1" } == 1)
  }

  @Test("At an even pace a late frame has all its time, the last one before the end as well")
  func evenPace() {
    var rig = MachineRig([100, 100, 100], plays: 1)
    rig.order { $0.setMotionLimit(.paced(1), at: $1) }
    rig.play()
    #expect(rig.wait(170) == ["play 1 ~70"])
    #expect(rig.wakesIn == 100)
    // Later than its own time: without a limit it would be over.
    #expect(rig.wait(350) == ["play 2 ~250"])
    #expect(rig.wakesIn == 100)
    #expect(rig.wait(99) == [])
    #expect(rig.wait(1) == ["loop! 1 of 1", "finish"])
    #expect(rig.play() == ["restart 0"])
  }

  @Test("At an even pace lateness within the margin is made up for")
  func evenPaceWithinTheMargin() {
    var rig = MachineRig([100, 100], plays: 1)
    rig.order { $0.setMotionLimit(.paced(1), at: $1) }
    rig.play()
    #expect(rig.wait(110) == ["play 1 ~10"])
    #expect(rig.wakesIn == 90)
    #expect(rig.wait(90) == ["loop! 1 of 1", "finish"])
  }
}
