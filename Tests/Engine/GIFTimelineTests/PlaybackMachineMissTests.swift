import GIFDecoding
import GIFTimeline
import Testing

@Suite("PlaybackMachine: missing frames")
struct PlaybackMachineMissTests {
  @Test("Time stands until the first frame is there")
  func firstPicture() {
    var rig = MachineRig([100, 200])
    rig.missing = [0]
    #expect(rig.play() == [])
    #expect(rig.machine.isWaiting)
    #expect(rig.outcome.playhead == 0)
    #expect(rig.wakesIn == nil)
    #expect(rig.wait(5_000) == [])
    #expect(rig.media == 0)
    rig.missing = []
    #expect(rig.wait(10) == ["play 0"])
    #expect(!rig.machine.isWaiting)
    #expect(rig.wakesIn == 100)
  }

  @Test("Time stands until the target of a seek is there, although other frames are")
  func seekTarget() {
    var rig = MachineRig([100, 200, 300])
    rig.play()
    rig.missing = [2]
    #expect(rig.order { $0.seek(toFrame: 2, at: $1) } == [])
    #expect(rig.outcome.playhead == 2)
    #expect(rig.wait(1_000) == [])
    #expect(rig.media == 300)
    #expect(rig.order { $0.seek(toFrame: 1, at: $1) } == ["seek 1"])
    #expect(rig.wakesIn == 200)
  }

  @Test("A first frame that arrives during a pause is shown and starts no time")
  func pauseBeforeFirst() {
    var rig = MachineRig([100, 200])
    rig.missing = [0]
    rig.play()
    #expect(rig.pause() == [])
    rig.missing = []
    #expect(rig.wait(50) == ["play 0"])
    #expect(rig.wait(5_000) == [])
    #expect(rig.media == 0)
    rig.play()
    #expect(rig.wakesIn == 100)
  }

  @Test("A later miss never stops the time")
  func laterMiss() {
    var rig = MachineRig([100, 200, 300])
    rig.missing = [1]
    rig.play()
    #expect(rig.wait(100) == [])
    #expect(rig.machine.isWaiting)
    #expect(rig.outcome.playhead == 1)
    #expect(rig.wakesIn == 200)
    rig.missing = []
    #expect(rig.wait(30) == ["play 1 ~30"])
    #expect(!rig.machine.isWaiting)
    #expect(rig.wakesIn == 170)
    #expect(rig.wait(170) == ["play 2"])
  }

  @Test("A frame that never comes is skipped and counted with the next")
  func passedOver() {
    var rig = MachineRig([100, 200, 300])
    rig.missing = [1]
    rig.play()
    rig.wait(100)
    #expect(rig.wait(200) == ["play 2 +1"])
    #expect(rig.wait(300) == ["loop! 1", "loop 0"])
  }

  @Test("The newest frame that is there stands in for a missing one, with its own lateness")
  func newestAvailable() {
    var rig = MachineRig([100, 100, 100, 100, 100, 100])
    rig.missing = [3, 4]
    rig.play()
    #expect(rig.wait(450) == ["play 2 +1 ~250"])
    #expect(rig.machine.isWaiting)
    #expect(rig.outcome.playhead == 4)
    #expect(rig.wakesIn == 50)
    rig.missing = [4]
    #expect(rig.tick() == ["play 3 ~150"])
    #expect(rig.tick() == [])
    rig.missing = []
    #expect(rig.tick() == ["play 4 ~50"])
    #expect(!rig.machine.isWaiting)
  }

  @Test("A frame older than the one shown never comes back")
  func neverBack() {
    var rig = MachineRig([100, 100, 100, 100])
    rig.play()
    rig.wait(200)
    rig.missing = [2, 3]
    #expect(rig.wait(100) == [])
    #expect(rig.wait(100) == ["loop! 1", "loop 0 +1"])
    rig.missing = [0, 1, 2, 3]
    #expect(rig.wait(100) == [])
  }

  @Test("A frame of the loop before may stand in, at its latest place only")
  func acrossTheLoop() {
    var rig = MachineRig([100, 100, 100])
    rig.play()
    rig.missing = [0, 1]
    #expect(rig.wait(400) == ["loop! 1", "play 2 +1 ~200"])
    // Two loops later the same frame counts at its latest place.
    #expect(rig.wait(600) == ["loop! 2", "loop! 3", "loop 2 +5 ~200"])
    rig.missing = []
    #expect(rig.tick() == ["loop 1 +1"])
  }

  @Test("The end waits for the last frame")
  func lastPictureMissing() {
    var rig = MachineRig([100, 200, 300], plays: 1)
    rig.missing = [2]
    rig.play()
    #expect(rig.wait(300) == ["play 1 ~200"])
    #expect(rig.wait(5_000).allSatisfy { $0 == "loop! 1 of 1" })
    #expect(rig.machine.state == .playing)
    #expect(rig.wakesIn == nil)
    rig.missing = []
    let reported = rig.wait(10)
    #expect(reported.first == "play 2 ~5010")
    #expect(reported.last == "finish")
    #expect(rig.wait(10_000) == [])
  }

  @Test("The lateness is in real time at any rate", arguments: [0.5, 2, 4])
  func latenessAtRate(rate: Double) {
    var rig = MachineRig([400, 400], rate: rate)
    rig.play()
    rig.pass(Int64(400 / rate) + 40)
    #expect(rig.tick() == ["play 1 ~40"])
  }

  @Test("The machine asks for the frame due as due, and for others as stand-ins")
  func dueFlag() {
    var rig = MachineRig([100, 100, 100, 100])
    rig.play()
    rig.pass(300)
    var asked: [String] = []
    _ = rig.machine.advance(at: rig.now) { frame, isDue in
      asked.append("\(frame)\(isDue ? "!" : "")")
      return false
    }
    #expect(asked == ["3!", "2", "1"])
  }
}
