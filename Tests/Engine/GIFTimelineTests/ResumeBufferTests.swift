import GIFDecoding
import Testing

@testable import GIFTimeline

@Suite("PlaybackMachine: how much must have come before a wait for the source ends")
struct ResumeBufferTests {
  private static let millisecond: Int64 = 1_000_000

  /// A machine whose frames, of 100 ms each, come one after another, and its time.
  private struct Rig {
    var machine: PlaybackMachine
    private(set) var now = PlaybackInstant(nanoseconds: 500 * ResumeBufferTests.millisecond)
    /// The words of what was shown, and of each change between waiting and going on.
    private(set) var words: [String] = []
    private var reason: BufferingReason?
    private var count: Int

    init(frames: Int, buffer: Int64, rate: Double = 1, late: LatePolicy = .skip) {
      count = frames
      machine = PlaybackMachine(
        timeline: Self.timeline(frames, isComplete: false), rate: rate,
        rules: PlaybackRules(latePolicy: late, resumeBuffer: buffer * ResumeBufferTests.millisecond))
    }

    private static func timeline(_ frames: Int, mode: PlaybackMode = .forward, isComplete: Bool) -> Timeline {
      Timeline(
        delays: Array(repeating: 100, count: frames), loopCount: .plays(1), mode: mode, isComplete: isComplete
      )
    }

    mutating func come(_ frames: Int, isComplete: Bool = false) {
      count += frames
      machine.grow(to: Self.timeline(count, isComplete: isComplete), at: now)
      tick()
    }

    mutating func tick() {
      for event in machine.advance(at: now, isThere: { _, _ in true }).events {
        if case .shown(let shown) = event { words.append("\(shown.frame)") }
        if case .finished = event { words.append("finish") }
      }
      guard machine.bufferingReason != reason else { return }
      reason = machine.bufferingReason
      words.append(reason == nil ? "goes on" : "waits")
    }

    /// Ticks every 10 ms.
    mutating func pass(_ milliseconds: Int64) {
      for _ in 0..<milliseconds / 10 {
        now = now.advanced(byNanoseconds: 10 * ResumeBufferTests.millisecond)
        tick()
      }
    }

    mutating func command(_ body: (inout PlaybackMachine, PlaybackInstant) -> Void) {
      body(&machine, now)
      tick()
    }

    mutating func take() -> [String] {
      defer { words = [] }
      return words
    }
  }

  /// A machine that waits after one frame.
  private func waiting(buffer: Int64 = 300, rate: Double = 1, late: LatePolicy = .skip) -> Rig {
    var rig = Rig(frames: 1, buffer: buffer, rate: rate, late: late)
    rig.command { $0.play(at: $1) }
    rig.pass(500)
    #expect(rig.take() == ["0", "waits"])
    return rig
  }

  @Test(
    "A wait ends once so much has come, and the next frame then shows at once", arguments: LatePolicy.three)
  func enough(late: LatePolicy) {
    var rig = waiting(late: late)
    rig.come(1)
    rig.pass(100)
    rig.come(1)
    rig.pass(100)
    #expect(rig.take() == [] && rig.machine.mediaTime(at: rig.now) == 100 * Self.millisecond)
    rig.come(1)
    #expect(rig.take() == ["1", "goes on"])
    rig.pass(300)
    #expect(rig.take() == ["2", "3", "waits"])
  }

  @Test("A wait ends with the image, however little comes")
  func end() {
    var rig = waiting()
    rig.come(1)
    #expect(rig.take() == [])
    rig.come(0, isComplete: true)
    #expect(rig.take() == ["1", "goes on"])
    rig.pass(100)
    #expect(rig.take() == ["finish"])
  }

  @Test(
    "Twice as fast takes twice as many frames, half as fast half as many", arguments: [(2.0, 6), (0.5, 2)])
  func rate(rate: Double, frames: Int) {
    var rig = waiting(rate: rate)
    rig.come(frames - 1)
    #expect(rig.take() == [])
    rig.come(1)
    #expect(rig.take() == ["1", "goes on"])
  }

  @Test("Frames that come before the last one is over make no wait")
  func inTime() {
    var rig = Rig(frames: 1, buffer: 300)
    rig.command { $0.play(at: $1) }
    for _ in 0..<9 {
      rig.pass(90)
      rig.come(1)
    }
    #expect(rig.take() == (0...8).map { "\($0)" })
  }

  @Test("With nothing to be buffered each frame shows as it comes")
  func zero() {
    var rig = waiting(buffer: 0)
    rig.come(1)
    #expect(rig.take() == ["1", "goes on"])
  }

  @Test("A pause ends the wait, and playing waits on; a seek does not wait for more than its frame")
  func commands() {
    var rig = waiting()
    rig.come(1)
    rig.command { $0.pause(at: $1) }
    #expect(rig.take() == ["goes on"])
    rig.command { $0.play(at: $1) }
    #expect(rig.take() == ["waits"])
    rig.command { $0.setRate(1.5, at: $1) }
    #expect(rig.take() == [])
    rig.command { $0.seek(toFrame: 0, at: $1) }
    #expect(rig.take() == ["0", "goes on"])
    rig.pass(70)
    #expect(rig.take() == ["1"])
  }

  @Test("Another mode or range, a group, and hiding in between do not leave it waiting for ever")
  func settings() {
    var rig = waiting()
    rig.come(2)
    rig.command { machine, now in
      machine.setTimeline(
        Timeline(delays: [100, 100, 100], loopCount: .forever, range: 0..<2, isComplete: false), at: now)
    }
    rig.pass(110)
    #expect(rig.take() == ["goes on", "1", "0"])

    rig = waiting()
    rig.come(2)
    rig.command { machine, now in
      machine.holdBack(at: now)
      machine.startInGroup(at: now)
    }
    #expect(rig.take() == ["1", "goes on"])

    rig = waiting()
    rig.command { machine, now in machine.setVisibility(.hidden, at: now) }
    rig.come(2)
    rig.command { machine, now in machine.setVisibility(.visible, at: now) }
    #expect(rig.take() == ["goes on", "waits"])
    rig.come(1)
    #expect(rig.take() == ["1", "goes on"])
  }
}

extension LatePolicy {
  fileprivate static let three: [LatePolicy] = [.skip, .wait, .catchUp(max: 2)]
}
