import GIFDecoding
import GIFPlayback
import GIFTestSupport
import GIFTimeline
import Testing

/// Reverse has nothing to show before the end is known: the one way from a schedule with steps to one
/// without.
@Suite("PlaybackMachine: a schedule without steps")
struct PlaybackMachineEmptyTests {
  static let delays = [40, 10, 30]

  private static func open(_ mode: PlaybackMode, frames: Int = 3) -> Timeline {
    Timeline(delays: Array(delays.prefix(frames)), loopCount: .forever, mode: mode, isComplete: false)
  }

  private static func closed(_ mode: PlaybackMode) -> Timeline {
    Timeline(delays: delays, loopCount: .forever, mode: mode)
  }

  /// A machine that has shown something of an image that loads, and was then turned round.
  private static func turned(_ begin: (inout MachineRig) -> Void) -> MachineRig {
    var rig = MachineRig([])
    rig.machine = PlaybackMachine(timeline: open(.forward))
    begin(&rig)
    rig.order { $0.setTimeline(open(.reverse), at: $1) }
    return rig
  }

  /// Ways to have come to a place that is held: sought, stepped, paused and sought, stopped.
  private static let beginnings: [@Sendable (inout MachineRig) -> Void] = [
    { rig in
      rig.play()
      rig.order { $0.seek(toFrame: 2, at: $1) }
    },
    { rig in rig.order { $0.step(by: 1, at: $1) } },
    { rig in
      rig.play()
      rig.wait(45)
      rig.order { $0.pause(at: $1) }
      rig.order { $0.seek(toMedia: 45_000_000, at: $1) }
    },
    { rig in
      rig.play()
      rig.missing = [1]
      rig.order { $0.seek(toFrame: 1, at: $1) }
    },
  ]

  @Test("There is no place left, and no command leads to one", arguments: 0..<4)
  func commands(beginning: Int) {
    let commands: [(inout PlaybackMachine, PlaybackInstant) -> Void] = [
      { $0.step(by: 1, at: $1) }, { $0.step(by: -1, at: $1) }, { $0.seek(toFrame: 1, at: $1) },
      { $0.seek(toMedia: 1 << 40, at: $1) }, { $0.play(at: $1) }, { $0.pause(at: $1) }, { $0.stop(at: $1) },
      { $0.restart(at: $1) }, { $0.beginScrubbing(at: $1) }, { $0.endScrubbing(at: $1) },
      { $0.setReducedMotion(.firstFrame, at: $1) }, { $0.setRate(2, at: $1) },
    ]
    for command in commands {
      var rig = Self.turned(Self.beginnings[beginning])
      #expect(rig.machine.position(at: rig.now) == nil)
      #expect(rig.order(command) == [])
      #expect(rig.wait(500) == [])
      #expect(rig.machine.position(at: rig.now) == nil && rig.outcome.wakeAt == nil)
    }
  }

  @Test("Playing waits for the source, and begins at the last frame once that is known")
  func begins() {
    var rig = Self.turned(Self.beginnings[0])
    #expect(rig.wait(100) == [])
    #expect(rig.machine.bufferingReason == .source)
    #expect(rig.order { $0.grow(to: Self.closed(.reverse), at: $1) } == ["seek 2"])
    #expect(rig.wait(30) == ["play 1"])
    #expect(rig.wait(10) == ["play 0"])
    #expect(rig.wait(40) == ["loop! 1", "loop 2"])
  }

  @Test("Turned back before the end is known, it begins with the first frame")
  func turnedBack() {
    var rig = Self.turned(Self.beginnings[0])
    #expect(rig.order { $0.setTimeline(Self.open(.forward), at: $1) } == ["seek 0"])
    #expect(rig.wait(40) == ["play 1"])
  }

  @Test("A pause stays one")
  func paused() {
    var rig = Self.turned(Self.beginnings[1])
    #expect(rig.order { $0.grow(to: Self.closed(.reverse), at: $1) } == ["seek 2"])
    #expect(rig.wait(500) == [] && rig.machine.state == .paused)
  }

  @Test("A machine without a command shows nothing")
  func stopped() {
    var rig = Self.turned { _ in }
    #expect(rig.order { $0.grow(to: Self.closed(.reverse), at: $1) } == [])
    #expect(rig.play() == ["play 2"])
  }

  @Test("Nothing traps and nothing outside the range is shown under any sequence", arguments: 0..<300)
  func random(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let policies: [LatePolicy] = [.skip, .wait, .catchUp(max: 2)]
    var rig = MachineRig([], late: policies.randomElement(using: &random) ?? .skip)
    func timeline(_ random: inout SeededGenerator) -> Timeline {
      let frames = Int.random(in: 0...4, using: &random)
      return Timeline(
        delays: (0..<frames).map { _ in Int.random(in: 0...3, using: &random) * 10 },
        loopCount: Bool.random(using: &random) ? .forever : .plays(.random(in: 1...3, using: &random)),
        mode: PlaybackMode.allCases.randomElement(using: &random) ?? .forward,
        range: Bool.random(using: &random) ? nil : 1..<Int.random(in: 2...5, using: &random),
        isComplete: Bool.random(using: &random))
    }
    for _ in 0..<200 {
      rig.missing = Set((0..<4).filter { _ in Int.random(in: 0..<4, using: &random) == 0 })
      rig.pass(Int64.random(in: 0...60, using: &random))
      let new = timeline(&random)
      let number = Int.random(in: -3...4, using: &random)
      let kind = Int.random(in: 0..<14, using: &random)
      rig.order { machine, now in
        switch kind {
        case 0, 1: machine.play(at: now)
        case 2: machine.pause(at: now)
        case 3: machine.stop(at: now)
        case 4: machine.restart(at: now)
        case 5: machine.seek(toFrame: number, at: now)
        case 6: machine.seek(toMedia: Int64(number) * 20_000_000, at: now)
        case 7: machine.step(by: number, at: now)
        case 8: machine.setTimeline(new, at: now)
        case 9: machine.grow(to: new, at: now)
        case 10:
          let state: PlaybackState = number < 0 ? .paused : .playing
          machine.restore(new, at: new.position(at: 15_000_000), rate: 1, state: state)
        case 11: machine.setStride(max(1, number), at: now)
        case 12: machine.beginScrubbing(at: now)
        default: machine.endScrubbing(at: now)
        }
      }
      for case .shown(let shown) in rig.outcome.events {
        #expect(rig.machine.timeline.range.contains(shown.frame))
      }
      #expect((rig.machine.position(at: rig.now) == nil) == (rig.machine.timeline.stepCount == 0))
      if let frame = rig.machine.position(at: rig.now)?.frame {
        #expect(rig.machine.timeline.range.contains(frame))
      }
    }
  }
}
