import GIFDecoding
import GIFTimeline
import Testing

@Suite("PlaybackMachine: single steps and speed")
struct PlaybackMachineStepTests {
  @Test("Steps pause and go round the ends of a loop")
  func steps() {
    var rig = MachineRig([100, 200, 300], plays: 2)
    rig.play()
    rig.wait(120)
    #expect(rig.order { $0.step(by: 1, at: $1) } == ["step 2"])
    #expect(rig.machine.state == .paused)
    #expect(rig.wakesIn == nil)
    #expect(rig.order { $0.step(by: 1, at: $1) } == ["step 0"])
    #expect(rig.media == 600)
    #expect(rig.order { $0.step(by: -2, at: $1) } == ["step 1"])
    #expect(rig.media == 100)
    #expect(rig.order { $0.step(by: 0, at: $1) } == [])
  }

  @Test("No step leads out of the animation")
  func clamps() {
    var rig = MachineRig([100, 200, 300], plays: 2)
    #expect(rig.order { $0.step(by: -1, at: $1) } == ["step 0"])
    #expect(rig.order { $0.step(by: 100, at: $1) } == ["step 2"])
    #expect(rig.media == 900)
    #expect(rig.order { $0.step(by: 1, at: $1) } == ["step 2"])
    #expect(rig.order { $0.step(by: -100, at: $1) } == ["step 0"])
    #expect(rig.media == 0)
  }

  @Test("The largest numbers of steps are as good as any", arguments: [nil, 3, Int.max])
  func hugeSteps(plays: Int?) {
    var rig = MachineRig([100, 200, 300], plays: plays)
    rig.play()
    rig.wait(100)
    for count in [Int.max, .max, .min, .min, 1, .max, -1, 1 << 40, -1 << 50] {
      let reported = rig.order { $0.step(by: count, at: $1) }
      #expect(reported.count == 1)
      #expect(reported.first?.hasPrefix("step ") == true)
      #expect(rig.media >= 0)
    }
    #expect(rig.play() == [])
    #expect(rig.wakesIn.map { (1...300).contains($0) } == true)
  }

  @Test("A step from the end goes to the last frame but one, and play goes on from there")
  func stepFromFinish() {
    var rig = MachineRig([100, 200, 300], plays: 1)
    rig.bring(to: "finished")
    #expect(rig.order { $0.step(by: -1, at: $1) } == ["step 1"])
    #expect(rig.machine.state == .paused)
    rig.play()
    #expect(rig.wait(200) == ["play 2"])
    #expect(rig.wait(300) == ["loop! 1 of 1", "finish"])
  }

  @Test("A bounce is stepped through there and back")
  func bounceSteps() {
    var rig = MachineRig([10, 20, 30, 40], mode: .bounce)
    rig.play()
    let forth = (0..<7).flatMap { _ in rig.order { $0.step(by: 1, at: $1) } }
    #expect(forth == [1, 2, 3, 2, 1, 0, 1].map { "step \($0)" })
    let back = (0..<7).flatMap { _ in rig.order { $0.step(by: -1, at: $1) } }
    #expect(back == [0, 1, 2, 3, 2, 1, 0].map { "step \($0)" })
  }

  @Test("A rate stretches and shortens the time", arguments: [0.05, 0.25, 0.5, 2, 4, 20])
  func rates(rate: Double) {
    var rig = MachineRig([100, 200], rate: rate)
    rig.play()
    #expect(rig.wakesIn == Int64(100 / rate))
    #expect(rig.wait(Int64(100 / rate)) == ["play 1"])
    #expect(rig.wait(Int64(200 / rate)) == ["loop! 1", "loop 0"])
  }

  @Test("Rates out of bounds are clipped")
  func clipping() {
    func rate(_ rate: Double) -> Double { MachineRig([10], rate: rate).machine.rate }
    #expect(rate(0) == 0.05)
    #expect(rate(-3) == 0.05)
    #expect(rate(.infinity) == 20)
    #expect(rate(-.infinity) == 0.05)
    #expect(rate(.nan) == 1)
    #expect(rate(1_000) == 20)
    var rig = MachineRig([100, 100])
    rig.play()
    rig.order { $0.setRate(.nan, at: $1) }
    #expect(rig.machine.rate == 1)
    #expect(rig.wakesIn == 100)
  }

  @Test("A change of rate makes no jump")
  func continuity() {
    var rig = MachineRig([1_000, 1_000], rate: 1)
    rig.play()
    var expected: Int64 = 0
    for (rate, milliseconds) in [(2.0, 100), (0.5, 120), (4, 30), (0.05, 200), (20, 3), (1, 50)]
      as [(Double, Int64)]
    {
      #expect(rig.media == expected)
      rig.order { $0.setRate(rate, at: $1) }
      #expect(rig.media == expected)
      #expect(rig.wait(milliseconds) == [])
      expected += Int64(Double(milliseconds) * rate)
      #expect(rig.media == expected)
    }
    #expect(rig.wakesIn == 1_000 - expected)
  }

  @Test("A rate set while time stands counts from then on, and starts nothing")
  func rateWhilePaused() {
    var rig = MachineRig([100, 200])
    rig.order { $0.setRate(2, at: $1) }
    #expect(!rig.machine.isActive)
    rig.play()
    #expect(rig.wakesIn == 50)
    rig.wait(20)
    rig.pause()
    rig.order { $0.setRate(0.5, at: $1) }
    #expect(rig.machine.state == .paused)
    #expect(rig.media == 40)
    rig.pass(5_000)
    rig.play()
    #expect(rig.wakesIn == 120)
  }

  @Test("A wake-up at any rate finds the next frame due", arguments: 1...400)
  func wakesAreNeverEarly(twentieths: Int) {
    // Odd delays and many rates, so that the quotients round either way.
    var rig = MachineRig([490, 980, 20, 1_050, 70, 30, 1_890], rate: Double(twentieths) / 20)
    rig.play()
    for step in 1...40 {
      guard let wake = rig.outcome.wakeAt else {
        Issue.record("no wake-up")
        return
      }
      rig.pass(nanoseconds: wake.nanoseconds - rig.now.nanoseconds)
      let reported = rig.tick().filter { !$0.hasPrefix("loop!") }
      #expect(reported == ["\(step % 7 == 0 ? "loop" : "play") \(step % 7)"])
      #expect(rig.outcome.wakeAt.map { $0 > rig.now } == true)
    }
  }
}
