import GIFDecoding
import GIFPlayback
import GIFTimeline
import Testing

@Suite("PlaybackMachine: gaps, hidden players and late policies")
struct PlaybackMachineGapTests {
  static let minutes: Int64 = 60_000

  @Test(
    "Ten seconds late, the frame due is shown at once; five minutes late, playback goes on where it was")
  func suspension() {
    var rig = MachineRig([100, 200], suspension: .resume)
    rig.play()
    rig.wait(50)
    #expect(rig.wait(10_000) == (1...33).map { "loop! \($0)" } + ["loop 1 +66 ~50"])
    #expect(rig.wakesIn == 150)
    rig.pass(150 + 5 * Self.minutes)
    #expect(rig.tick().last == "loop 0 +2000")
    #expect(rig.wakesIn == 100)
    let loops = rig.machine.loopsReported
    rig.pass(101 + 5 * Self.minutes)
    #expect(rig.tick() == ["play 1"])
    #expect(rig.wakesIn == 200)
    #expect(rig.wait(200) == ["loop! \(loops + 1)", "loop 0"])
  }

  @Test("A frame's own long duration is no gap")
  func longDelay() {
    var rig = MachineRig([Int(10 * Self.minutes), 100], suspension: .resume)
    rig.play()
    #expect(rig.wait(9 * Self.minutes) == [])
    #expect(rig.wait(Self.minutes) == ["play 1"])
  }

  @Test("A pause of hours is no gap, nor are commands after it")
  func pause() {
    var rig = MachineRig([100, 200], suspension: .resume)
    rig.play()
    rig.wait(30)
    rig.pause()
    rig.wait(500 * Self.minutes)
    rig.order { $0.setRate(2, at: $1) }
    rig.play()
    #expect(rig.wakesIn == 35)
  }

  @Test("A hidden player asks for nothing and shows what is due once it is visible")
  func hidden() {
    var rig = MachineRig([100, 200], suspension: .resume)
    rig.play()
    rig.wait(50)
    rig.order { $0.setVisibility(.hidden, at: $1) }
    #expect(rig.wakesIn == nil)
    #expect(rig.wait(400) == [])
    #expect(rig.media == 450)
    #expect(rig.order { $0.setVisibility(.visible, at: $1) } == ["loop! 1", "appear 1"])
    rig.order { $0.setVisibility(.hidden, at: $1) }
    rig.pass(100 * Self.minutes)
    // Hours unseen are no suspension: the schedule went on.
    #expect(rig.order { $0.setVisibility(.visible, at: $1) }.count == 65)
    #expect(rig.media == 450 + 100 * Self.minutes)
  }

  @Test(
    "What a visible player shows after it has been hidden counts what passed unseen as neither late nor skipped",
    arguments: [LatePolicy.skip, .catchUp(max: 3), .wait])
  func unseenFrames(late: LatePolicy) {
    var rig = MachineRig([100, 100, 100, 100, 100, 100], late: late)
    rig.play()
    rig.wait(100)
    rig.order { $0.setVisibility(.hidden, at: $1) }
    rig.wait(250)
    rig.missing = [3, 4]
    #expect(rig.order { $0.setVisibility(.visible, at: $1) } == (late == .wait ? ["appear 2"] : []))
    guard late != .wait else { return }
    rig.missing = [4]
    #expect(rig.wait(10) == ["appear 3"])
    #expect(rig.wait(40) == [])
    rig.missing = []
    #expect(rig.wait(20) == ["play 4 ~20"])
  }

  @Test("Where time stands, what is to be seen is shown again, but what a command asked for only once")
  func seenAgainAtRest() {
    var rig = MachineRig([100, 200], plays: 1)
    func seenAgain(_ last: Int) -> [String] {
      rig.order { $0.setVisibility(.hidden, at: $1) }
      return rig.order { $0.setVisibility(.visible, lastFrame: last, at: $1) }
    }
    #expect(rig.order { machine, _ in machine.showPoster(1) } == ["seek 1"])
    #expect(seenAgain(1) == ["appear 1"] && rig.machine.state == .stopped)
    #expect(rig.play() == ["play 0"])
    rig.wait(50)
    rig.pause()
    #expect(seenAgain(0) == ["appear 0"] && rig.media == 50)
    rig.order { $0.setVisibility(.hidden, at: $1) }
    rig.order { $0.step(by: 1, at: $1) }
    #expect(rig.order { $0.setVisibility(.visible, lastFrame: 0, at: $1) } == ["step 1"])
    rig.play()
    #expect(rig.wait(300) == ["loop! 1 of 1", "finish"])
    #expect(seenAgain(1) == ["appear 1"] && rig.machine.state == .finished)
    rig.order { $0.stop(at: $1) }
    #expect(seenAgain(0) == ["appear 0"] && rig.machine.state == .stopped)
    #expect(rig.play() == [])
    #expect(rig.wait(100) == ["play 1"])
  }

  @Test("A stopped player that is played before its frame is there shows that frame first")
  func playedWhileAppearing() {
    var rig = MachineRig([100, 200])
    rig.play()
    rig.order { $0.stop(at: $1) }
    rig.order { $0.setVisibility(.hidden, at: $1) }
    rig.missing = [0]
    #expect(rig.order { $0.setVisibility(.visible, lastFrame: 0, at: $1) } == [])
    #expect(rig.play() == [])
    rig.missing = []
    #expect(rig.wait(500) == ["appear 0"])
    #expect(rig.wait(100) == ["play 1"])
  }

  @Test("A hidden player starts, seeks and pauses; its time begins with the first frame shown")
  func hiddenCommands() {
    var rig = MachineRig([100, 200])
    rig.machine.setVisibility(.hidden, at: rig.now)
    #expect(rig.play() == [])
    rig.wait(1_000)
    #expect(rig.order { $0.seek(toFrame: 1, at: $1) } == [])
    #expect(rig.order { $0.setVisibility(.visible, at: $1) } == ["seek 1"])
    #expect(rig.wakesIn == 200)
  }

  @Test("Catching up shows late frames for half their time, then is on time again")
  func catchUp() {
    var rig = MachineRig(Array(repeating: 100, count: 10), plays: 1, late: .catchUp(max: 3))
    rig.play()
    #expect(rig.wait(500) == ["play 2 +1 ~300"])
    #expect(rig.wakesIn == 50)
    #expect(rig.wait(20) == [])
    #expect(rig.wait(30) == ["play 3 ~250"])
    var reported: [String] = []
    while let wake = rig.wakesIn { reported += rig.wait(wake) }
    #expect(
      reported == [
        "play 4 ~200", "play 5 ~150", "play 6 ~100", "play 7 ~50", "play 8", "play 9", "loop! 1 of 1",
        "finish",
      ])
  }

  @Test("While catching up, a missing frame is awaited until it falls too far behind")
  func catchUpMissing() {
    var rig = MachineRig(Array(repeating: 100, count: 10), late: .catchUp(max: 2))
    rig.play()
    rig.missing = [1]
    #expect(rig.wait(100) == [])
    #expect(rig.machine.isWaiting && rig.outcome.playhead == 1)
    #expect(rig.wait(230) == [])
    #expect(rig.wait(70) == ["play 2 +1 ~200"])
    #expect(!rig.machine.isWaiting)
  }

  @Test("A pause while catching up shows what is due at once")
  func catchUpPause() {
    var rig = MachineRig(Array(repeating: 100, count: 10), late: .catchUp(max: 5))
    rig.play()
    #expect(rig.wait(500) == ["play 1 ~400"])
    #expect(rig.pause() == ["play 5 +3"])
    #expect(rig.wait(10_000) == [])
    rig.play()
    #expect(rig.wakesIn == 100)
  }

  @Test("The last frame has half its time, too, before the end is reported")
  func catchUpEnd() {
    var rig = MachineRig([100, 100, 100], plays: 1, late: .catchUp(max: 9))
    rig.play()
    #expect(rig.wait(1_000) == ["play 1 ~900"])
    #expect(rig.wait(50) == ["play 2 ~850"])
    #expect(rig.wakesIn == 50)
    #expect(rig.wait(50) == ["loop! 1 of 1", "finish"])
  }

  @Test("A tick within the last frame's half time schedules another one for the end")
  func catchUpEndSeen() {
    var rig = MachineRig([100, 100, 100], plays: 1, late: .catchUp(max: 9))
    rig.play()
    rig.wait(1_000)
    rig.wait(50)
    #expect(rig.wait(20) == [])
    #expect(rig.order { $0.setRate(1, at: $1) } == [])
    #expect(rig.wakesIn == 30)
    #expect(rig.wait(30) == ["loop! 1 of 1", "finish"])
  }

  @Test("Under `wait`, time stops for a missing frame and gives it all its time")
  func wait() {
    var rig = MachineRig([100, 200, 300], late: .wait)
    rig.play()
    rig.missing = [1]
    #expect(rig.wait(100) == [])
    #expect(rig.wakesIn == nil && rig.machine.bufferingReason == .decoder)
    #expect(rig.wait(5_000) == [])
    #expect(rig.media == 100)
    rig.missing = []
    #expect(rig.wait(30) == ["play 1 ~5030"])
    #expect(rig.wakesIn == 200 && rig.machine.bufferingReason == nil)
    #expect(rig.wait(200) == ["play 2"])
    #expect(rig.wait(300) == ["loop! 1", "loop 0"])
  }

  @Test("Under `wait`, a gap skips nothing, and small delays of the clock do not add up")
  func stallGap() {
    var rig = MachineRig([100, 100, 100, 100], plays: 1, late: .wait)
    rig.play()
    #expect(rig.wait(350) == ["play 1 ~250"])
    #expect(rig.wakesIn == 100)
    // 3 ms late, and nothing is lost by it.
    #expect(rig.wait(103) == ["play 2 ~3"])
    #expect(rig.wakesIn == 97)
    #expect(rig.wait(97) == ["play 3"])
    #expect(rig.wait(100) == ["loop! 1 of 1", "finish"])
  }

  @Test("A loop that ends in a wait is reported before the wait")
  func stallLoop() {
    var rig = MachineRig([100, 100], late: .wait)
    rig.play()
    rig.wait(100)
    rig.missing = [0]
    #expect(rig.wait(100) == ["loop! 1"])
    rig.missing = []
    #expect(rig.wait(10) == ["loop 0 ~10"])
  }

  @Test("Pause and play during a wait go on waiting")
  func stallPause() {
    var rig = MachineRig([100, 100], late: .wait)
    rig.play()
    rig.missing = [1]
    rig.wait(100)
    rig.pause()
    #expect(rig.machine.bufferingReason == nil)
    rig.wait(100)
    rig.play()
    #expect(rig.wakesIn == nil)
    rig.missing = []
    #expect(rig.wait(5).map { $0.prefix(6) } == ["play 1"])
    #expect(rig.wakesIn == 100)
  }

  @Test("What became due unseen, at the start of another schedule, is shown once seen", arguments: [0, 1, 2])
  func startOfAnotherSchedule(policy: Int) {
    let late = [LatePolicy.skip, .wait, .catchUp(max: 2)][policy]
    var rig = MachineRig([100, 100, 100], late: late)
    rig.play()
    rig.wait(100)
    rig.machine.setVisibility(.hidden, at: rig.now)
    rig.wait(120)
    let reverse = Timeline(delays: [100, 100, 100], loopCount: .forever, mode: .reverse)
    rig.order { $0.setTimeline(reverse, at: $1) }
    #expect(rig.machine.shownStep == -1)
    rig.pass(10)
    #expect(rig.order { $0.setVisibility(.visible, at: $1) } == ["appear 2"])
    #expect(rig.wakesIn.map { (1...100).contains($0) } == true)
  }

  @Test("Where no frame may be skipped, a pause keeps the frame after the one seen last")
  func pausesUnseen() {
    for plays in [nil, 3] {
      var rig = MachineRig([100, 100, 100, 100], plays: plays, late: .wait)
      rig.play()
      rig.wait(100)
      rig.order { $0.setVisibility(.hidden, at: $1) }
      rig.wait(550)
      rig.pause()
      #expect(rig.media == 200)
      #expect(rig.order { $0.setVisibility(.visible, lastFrame: 1, at: $1) } == ["appear 2"])
      rig.play()
      #expect(rig.wait(100) == ["play 3"])
      #expect(rig.wait(100) == ["loop! 1" + (plays.map { " of \($0)" } ?? ""), "loop 0"])
    }
  }

  @Test("A player whose last frame has been seen is at its end, also unseen")
  func endsUnseen() {
    var rig = MachineRig([100, 100], plays: 1, late: .wait)
    rig.play()
    rig.wait(100)
    rig.order { $0.setVisibility(.hidden, at: $1) }
    rig.wait(550)
    rig.pause()
    #expect(rig.machine.position(at: rig.now)?.isFinished == true)
  }

  @Test("The only frame of another range, missing until then, begins no loop")
  func onlyFrameOfAnotherRange() {
    var rig = MachineRig([100, 100])
    rig.play()
    rig.missing = [1]
    rig.wait(100)
    let only = Timeline(delays: [100, 100], loopCount: .forever, mode: .forward, range: 1..<2)
    rig.order { $0.setTimeline(only, at: $1) }
    rig.missing = []
    #expect(rig.wait(10) == ["play 1 ~10", "finish"])
  }
}
