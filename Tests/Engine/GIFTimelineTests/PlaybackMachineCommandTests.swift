import GIFCaching
import GIFDecoding
import GIFPlayback
import GIFTimeline
import Testing

@Suite("PlaybackMachine: commands")
struct PlaybackMachineCommandTests {
  @Test("Nothing is shown or due before the first command")
  func idle() {
    var rig = MachineRig([100, 200])
    #expect(!rig.machine.isActive)
    #expect(rig.tick() == [])
    #expect(rig.wakesIn == nil)
    rig.order { machine, now in machine.stop(at: now) }
    #expect(!rig.machine.isActive)
  }

  @Test("Play shows the first frame and schedules a tick at its end")
  func play() {
    var rig = MachineRig([100, 200])
    #expect(rig.play() == ["play 0"])
    #expect(rig.machine.state == .playing)
    #expect(rig.wakesIn == 100)
    #expect(rig.wait(99) == [])
    #expect(rig.wakesIn == 1)
    #expect(rig.wait(1) == ["play 1"])
    #expect(rig.wakesIn == 200)
    #expect(rig.play() == [])
    #expect(rig.wakesIn == 200)
  }

  @Test("A pause keeps the rest of the frame's time")
  func pause() {
    var rig = MachineRig([100, 200])
    rig.play()
    rig.pass(60)
    #expect(rig.pause() == [])
    #expect(rig.machine.state == .paused)
    #expect(rig.wakesIn == nil)
    #expect(rig.wait(10_000) == [])
    #expect(rig.media == 60)
    #expect(rig.play() == [])
    #expect(rig.wakesIn == 40)
    #expect(rig.wait(40) == ["play 1"])
  }

  @Test("A pause that comes after a deadline shows what was due before it")
  func latePause() {
    var rig = MachineRig([100, 200, 300])
    rig.play()
    rig.pass(150)
    let reported = rig.pause()
    #expect(reported.map { $0.prefix(6) } == ["play 1"])
    #expect(rig.wakesIn == nil)
    #expect(rig.order { $0.step(by: 1, at: $1) } == ["step 2"])
  }

  @Test("A frame that arrives during a pause is shown if it was due")
  func arrivalDuringPause() {
    var rig = MachineRig([100, 200, 300])
    rig.missing = [1]
    rig.play()
    #expect(rig.wait(120) == [])
    #expect(rig.pause() == [])
    #expect(rig.machine.isWaiting)
    rig.missing = []
    #expect(rig.wait(5_000).map { $0.prefix(6) } == ["play 1"])
    #expect(!rig.machine.isWaiting)
  }

  @Test("Stop goes back to the first frame, once")
  func stop() {
    var rig = MachineRig([100, 200])
    rig.play()
    rig.wait(150)
    #expect(rig.order { $0.stop(at: $1) } == ["seek 0"])
    #expect(rig.machine.state == .stopped)
    #expect(rig.media == 0)
    #expect(rig.wakesIn == nil)
    #expect(rig.order { $0.stop(at: $1) } == [])
    #expect(rig.wait(1_000) == [])
    #expect(rig.play() == [])
    #expect(rig.wakesIn == 100)
  }

  @Test("Restart starts over from every state", arguments: ["stopped", "playing", "paused", "finished"])
  func restart(state: String) {
    var rig = MachineRig([100, 200], plays: 1)
    rig.bring(to: state)
    #expect(rig.order { $0.restart(at: $1) } == ["restart 0"])
    #expect(rig.machine.state == .playing)
    #expect(rig.wakesIn == 100)
    #expect(rig.wait(100) == ["play 1"])
    #expect(rig.wait(200) == ["loop! 1 of 1", "finish"])
  }

  @Test(
    "A seek shows its target at once; only playing goes on",
    arguments: ["stopped", "playing", "paused", "finished"])
  func seek(state: String) {
    var rig = MachineRig([100, 200, 300], plays: 2)
    rig.bring(to: state)
    #expect(rig.order { $0.seek(toFrame: 2, at: $1) } == ["seek 2"])
    #expect(rig.machine.state == (state == "playing" ? .playing : .paused))
    #expect(rig.wakesIn == (state == "playing" ? 300 : nil))
    #expect(rig.media == 300)
    #expect(rig.play() == [])
    #expect(rig.wakesIn == 300)
    #expect(rig.wait(300) == ["loop! 1 of 2", "loop 0"])
  }

  @Test("A seek to a frame stays in its loop; a frame that is not played is ignored")
  func seekWithinLoop() {
    var rig = MachineRig([100, 200, 300, 400], range: 1..<3)
    rig.play()
    rig.wait(1_100)
    #expect(rig.outcome.events.count > 0)
    #expect(rig.order { $0.seek(toFrame: 1, at: $1) } == ["seek 1"])
    #expect(rig.media == 1_000)
    #expect(rig.order { $0.seek(toFrame: 0, at: $1) } == [])
    #expect(rig.order { $0.seek(toFrame: 3, at: $1) } == [])
    #expect(rig.order { $0.seek(toFrame: -1, at: $1) } == [])
    #expect(rig.wakesIn == 200)
  }

  @Test("A seek to a time shows the frame that is due then and keeps the rest of its time")
  func seekToMedia() {
    var rig = MachineRig([100, 200, 300], plays: 3)
    rig.play()
    #expect(rig.order { $0.seek(toMedia: 750 * MachineRig.millisecond, at: $1) } == ["seek 1"])
    #expect(rig.wakesIn == 150)
    #expect(rig.order { $0.seek(toMedia: -5, at: $1) } == ["seek 0"])
    #expect(rig.media == 0)
    #expect(rig.order { $0.seek(toMedia: .max, at: $1) } == ["seek 2"])
    rig.pass(1)
    #expect(rig.tick() == ["loop! 3 of 3", "finish"])
  }

  @Test("Without an end a seek may go very far")
  func seekFar() {
    var rig = MachineRig([100, 200, 300])
    rig.play()
    #expect(rig.order { $0.seek(toMedia: .max, at: $1) }.count == 1)
    #expect(rig.wakesIn.map { (0...300).contains($0) } == true)
    rig.pass(300)
    #expect(rig.tick().count >= 1)
  }

  @Test("The cache looks ahead from what is due, the way it goes")
  func playhead() {
    var rig = MachineRig([100, 100, 100, 100], mode: .bounce, range: 1..<4)
    rig.play()
    #expect(rig.machine.playhead(rig.outcome)?.direction == .bounce(isReturning: false))
    rig.wait(300)
    let head = rig.machine.playhead(rig.outcome)
    #expect(head?.frame == 2)
    #expect(head?.direction == .bounce(isReturning: true))
    #expect(head?.range == 1..<4)
    rig.missing = [1]
    rig.wait(100)
    #expect(rig.machine.playhead(rig.outcome)?.frame == 1)
  }
}

extension MachineRig {
  /// Plays a finite animation into a state.
  mutating func bring(to state: String) {
    guard state != "stopped" else { return }
    play()
    switch state {
    case "paused": pause()
    case "finished":
      pass(1_000_000)
      tick()
    default: break
    }
  }
}
