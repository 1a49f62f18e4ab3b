import GIFDecoding
import GIFTimeline
import Testing

@Suite("PlaybackMachine: settings while playing")
struct PlaybackMachineSettingTests {
  static let delays = [40, 10, 30, 20, 50]

  private static func timeline(_ mode: PlaybackMode, _ range: Range<Int>? = nil, plays: Int? = nil)
    -> Timeline
  {
    Timeline(delays: delays, loopCount: plays.map { .plays($0) } ?? .forever, mode: mode, range: range)
  }

  @Test(
    "Another mode keeps the frame, the rest of its time, and the loop", arguments: PlaybackMode.allCases
  )
  func mode(old: PlaybackMode) {
    for new in PlaybackMode.allCases {
      for time in stride(from: Int64(0), to: 700, by: 7) {
        var rig = MachineRig(Self.delays, mode: old)
        rig.play()
        rig.wait(time)
        let before = rig.machine.position(at: rig.now)
        let left = rig.wakesIn
        #expect(rig.order { $0.setTimeline(Self.timeline(new), at: $1) } == [])
        let after = rig.machine.position(at: rig.now)
        #expect(after?.frame == before?.frame && after?.offset == before?.offset)
        #expect(after?.loop == before?.loop)
        #expect(rig.wakesIn == left)
        // And goes on the new way.
        let next = rig.wait(left ?? 0).last
        let step = (after?.step ?? 0) + 1
        let order = Self.timeline(new).order
        #expect(next?.hasSuffix(" \(order[step % order.count])") == true)
      }
    }
  }

  @Test("From the way back of a bounce to another bounce the way back goes on")
  func bounceRange() {
    var rig = MachineRig(Self.delays, mode: .bounce)
    rig.play()
    rig.wait(155)
    #expect(rig.machine.position(at: rig.now)?.step == 5)
    rig.order { $0.setTimeline(Self.timeline(.bounce, 1..<5), at: $1) }
    #expect(rig.wait(rig.wakesIn ?? 0) == ["play 2"])
  }

  @Test("A range with the frame in it makes no jump; one without it begins its loop again")
  func range() {
    var rig = MachineRig(Self.delays)
    rig.play()
    rig.wait(60)
    #expect(rig.order { $0.setTimeline(Self.timeline(.forward, 1..<4), at: $1) } == [])
    #expect(rig.wakesIn == 20)
    #expect(rig.wait(20) == ["play 3"])
    #expect(rig.wait(20) == ["loop! 1", "loop 1"])
    #expect(rig.order { $0.setTimeline(Self.timeline(.forward, 3..<5), at: $1) } == ["seek 3"])
    #expect(rig.wakesIn == 20)
    #expect(rig.wait(20) == ["play 4"])
    #expect(rig.wait(50) == ["loop! 2", "loop 3"])
  }

  @Test("A setting before the start is for the start")
  func beforeStart() {
    var rig = MachineRig(Self.delays)
    rig.order { $0.setTimeline(Self.timeline(.reverse), at: $1) }
    #expect(!rig.machine.isActive)
    #expect(rig.play() == ["play 4"])
    var stopped = MachineRig(Self.delays)
    stopped.play()
    #expect(stopped.order { $0.stop(at: $1) } == ["seek 0"])
    stopped.order { $0.setTimeline(Self.timeline(.reverse), at: $1) }
    #expect(stopped.play() == ["play 4"])
  }

  @Test("A setting after the end is for the next time")
  func afterEnd() {
    var rig = MachineRig(Self.delays, plays: 1)
    rig.bring(to: "finished")
    #expect(rig.order { $0.setTimeline(Self.timeline(.reverse, plays: 1), at: $1) } == [])
    #expect(rig.machine.state == .finished)
    #expect(rig.play() == ["restart 4"])
  }

  @Test("A frame that was due and missing is still awaited under another mode")
  func missing() {
    var rig = MachineRig(Self.delays)
    rig.play()
    rig.missing = [1]
    rig.wait(43)
    #expect(rig.machine.isWaiting)
    rig.order { $0.setTimeline(Self.timeline(.bounce), at: $1) }
    #expect(rig.machine.isWaiting)
    rig.missing = []
    #expect(rig.wait(2) == ["play 1 ~5"])
    #expect(rig.wakesIn == 5)
  }

  @Test("A mode set during a pause keeps the rest of the frame's time")
  func paused() {
    var rig = MachineRig(Self.delays)
    rig.play()
    rig.wait(55)
    rig.pause()
    #expect(rig.order { $0.setTimeline(Self.timeline(.reverse), at: $1) } == [])
    rig.wait(1_000)
    rig.play()
    #expect(rig.wakesIn == 25)
    #expect(rig.wait(25) == ["play 1"])
  }

  @Test("Loops left count down, and are not known without an end")
  func loopsLeft() {
    var rig = MachineRig([10, 10], plays: 3)
    #expect(rig.machine.loopsLeft == 3)
    rig.play()
    var counts: [Int?] = []
    for _ in 0..<4 {
      rig.wait(20)
      counts.append(rig.machine.loopsLeft)
    }
    #expect(counts == [2, 1, 0, 0])
    #expect(MachineRig([10, 10]).machine.loopsLeft == nil)
  }

  @Test("Slow motion is a part of the speed")
  func slow() {
    var rig = MachineRig([100, 200], rate: 2)
    rig.play()
    rig.wait(25)
    rig.order { $0.setReducedMotion(.slow(0.25), at: $1) }
    #expect(rig.media == 50)
    #expect(rig.wakesIn == 100)
    rig.order { $0.setReducedMotion(.off, at: $1) }
    #expect(rig.wakesIn == 25)
    for odd in [Double.nan, -1, .infinity] {
      rig.order { $0.setReducedMotion(.slow(odd), at: $1) }
      #expect((0.05...2).contains(rig.machine.speed))
    }
  }

  @Test("With the first frame alone time stands; turned off, it plays on from there")
  func firstFrame() {
    var rig = MachineRig([100, 200])
    rig.order { $0.setReducedMotion(.firstFrame, at: $1) }
    #expect(rig.play() == ["play 0"])
    #expect(rig.machine.state == .playing && rig.wakesIn == nil)
    #expect(rig.wait(60_000) == [])
    rig.order { $0.setReducedMotion(.off, at: $1) }
    #expect(rig.wakesIn == 100)
    #expect(rig.wait(100) == ["play 1"])
    #expect(rig.order { $0.setReducedMotion(.firstFrame, at: $1) } == ["seek 0"])
    #expect(rig.wakesIn == nil)
    #expect(rig.wait(60_000) == [])
  }
}
