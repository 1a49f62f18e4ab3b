import Foundation
import GIFDecoding
import GIFTestSupport
import GIFTimeline
import Testing

@testable import GIFFlashes
@testable import GIFPlayback

@Suite("What a player does about flashes, as decisions")
struct FlashGuardTests {
  private static let start = PlaybackInstant(nanoseconds: 5_000_000_000)

  private func instant(_ milliseconds: Int) -> PlaybackInstant {
    Self.start.advanced(byNanoseconds: Int64(milliseconds) * 1_000_000)
  }

  /// A rig that plays; it blinks once each 50 hundredths of a second unless said otherwise.
  private func rig(
    _ policy: FlashPolicy, delay: Int = 50, lights: [Bool] = [false, true], late: LatePolicy = .skip
  ) throws -> FlashRig {
    let frames = BlinkingFrames(lights: lights, delays: lights.map { _ in delay })
    var rig = FlashRig(frames, try frames.image(), policy: policy, late: late)
    rig.perform(at: Self.start) { $0.machine.play(at: $1) }
    return rig
  }

  /// Goes from deadline to deadline.
  private func run(_ rig: inout FlashRig, to end: Int) {
    while let next = rig.nextInstant, next <= instant(end) { rig.advance(to: next) }
  }

  private func frames(_ rig: FlashRig) -> [Int] { rig.changes.map(\.frame) }

  @Test("What passes plays as ever, under each policy", arguments: FlashPolicy.allCases)
  func passes(policy: FlashPolicy) throws {
    var rig = try rig(policy)
    run(&rig, to: 2_000)
    #expect(rig.changes.map { ($0.time - Self.start.nanoseconds) / 1_000_000 } == [0, 500, 1000, 1500, 2000])
    #expect(rig.flashes.state == (policy == .allow ? .unjudged : .passes))
  }

  @Test("What fails is held at its first frame, and plays when the user asks")
  func holds() throws {
    var rig = try rig(.hold, delay: 10)
    run(&rig, to: 10_000)
    #expect(frames(rig) == [0])
    guard case .held(let report) = rig.flashes.state else { return #expect(Bool(false), "not held") }
    #expect(report?.result == .fails)
    rig.flashes.policy = .warn
    rig.perform(at: instant(10_000))
    run(&rig, to: 10_500)
    #expect(frames(rig) == [0, 1, 0, 1, 0, 1])
    guard case .warned = rig.flashes.state else { return #expect(Bool(false), "not warned") }
  }

  @Test("What fails plays at the greatest rate that passes, with a margin")
  func slows() throws {
    var rig = try rig(.slow, delay: 10)
    run(&rig, to: 20_000)
    let seven = try #require(rig.shortestSeven)
    #expect(seven >= 1_000_000_000)
    // Six changes take a second and the margin.
    #expect(seven < 1_060_000_000)
    guard case .slowed(let rate, _) = rig.flashes.state else { return #expect(Bool(false), "not slowed") }
    #expect(abs(rate - 0.6 / 1.05) < 0.001)
  }

  @Test(
    "Nothing moves before the verdict, except where it only warns",
    arguments: [FlashPolicy.hold, .slow, .warn])
  func waits(policy: FlashPolicy) throws {
    let frames = BlinkingFrames(lights: [false, true], delays: [50, 50])
    var rig = FlashRig(frames, try frames.image(), policy: policy)
    rig.judgingTime = 3_000_000_000
    rig.perform(at: Self.start) { $0.machine.play(at: $1) }
    run(&rig, to: 2_900)
    #expect(rig.flashes.state == .judging)
    #expect(self.frames(rig).count == (policy == .warn ? 6 : 1))
    run(&rig, to: 3_600)
    #expect(self.frames(rig).count == (policy == .warn ? 8 : 2))
  }

  @Test(
    "What passes without the margin passes, and plays a little more slowly",
    arguments: [FlashPolicy.hold, .slow])
  func margin(policy: FlashPolicy) throws {
    // Seven changes take 1,020 ms: 2.94 flashes a second.
    var rig = try rig(policy, delay: 17)
    run(&rig, to: 3_000)
    #expect(rig.flashes.state == .passes)
    let gaps = rig.changes.map(\.time).adjacentGaps
    #expect(gaps.count > 10)
    #expect(gaps.allSatisfy { (175_000_000...179_000_000).contains($0) }, "\(gaps)")
  }

  @Test("A warning is about the rate at which it plays")
  func warning() throws {
    var rig = try rig(.warn, delay: 17)
    run(&rig, to: 2_000)
    #expect(rig.flashes.state == .passes)
    rig.perform(at: instant(2_000)) { $0.machine.setRate(1.03, at: $1) }
    run(&rig, to: 3_000)
    #expect(rig.flashes.state.name == "warned")
  }

  @Test("What cannot be judged stays where it is to be held, and otherwise plays without a verdict")
  func unjudged() throws {
    for (policy, state) in [
      (FlashPolicy.hold, FlashState.held(nil)), (.slow, .held(nil)), (.warn, .unjudged),
    ] {
      var rig = try rig(.allow, delay: 10)
      rig.judgingTime = .max / 4
      rig.flashes.policy = policy
      rig.perform(at: instant(50))
      rig.flashes.take(nil, of: try #require(rig.questions.first).viewing)
      rig.perform(at: instant(60))
      #expect(rig.flashes.state == state)
    }
  }

  @Test("A smaller size is judged anew, unless the larger one lies within a field")
  func smallerSizes() throws {
    for (width, isAsked) in [(800, true), (360, true), (320, false)] {
      var rig = try rig(.allow, delay: 18)
      rig.flashes.shownSize = PixelSize(width: width, height: width * 3 / 4)
      rig.flashes.policy = .hold
      rig.perform(at: instant(50))
      run(&rig, to: 3_000)
      #expect(rig.flashes.state == .passes)
      rig.judgingTime = 5_000_000_000
      rig.flashes.shownSize = PixelSize(width: 240, height: 180)
      rig.perform(at: instant(3_000))
      #expect(!rig.questions.isEmpty == isAsked, "\(width)")
      #expect((rig.flashes.state == .judging) == isAsked, "\(width)")
    }
  }

  @Test("A frame that becomes visible in the middle has all its time")
  func appears() throws {
    var rig = try rig(.hold, delay: 18)
    run(&rig, to: 400)
    rig.perform(at: instant(400)) { $0.setVisibility(.hidden, at: $1) }
    // The fourth frame was due at 540 ms, and the fifth is at 720.
    rig.perform(at: instant(700)) { $0.setVisibility(.visible, at: $1) }
    run(&rig, to: 2_000)
    let times = rig.changes.map { ($0.time - Self.start.nanoseconds) / 1_000_000 }
    #expect(times[..<5] == [0, 180, 360, 700, 880])
  }

  @Test("A player that stops unseen, to be judged anew, goes on with the frame after the one seen last")
  func stopsUnseen() throws {
    var rig = try rig(.slow, delay: 20, lights: [false, true, false, true])
    rig.judgingTime = 100_000_000
    run(&rig, to: 600)
    // Frames 0, 1 and 2 have been seen; 3 and 0 pass unseen.
    rig.perform(at: instant(600)) { $0.setVisibility(.hidden, at: $1) }
    rig.perform(at: instant(1_050)) { $0.machine.setRate(1.1, at: $1) }
    #expect(rig.flashes.state == .judging)
    rig.perform(at: instant(1_100)) { $0.setVisibility(.visible, at: $1) }
    run(&rig, to: 3_000)
    #expect(frames(rig)[..<5] == [0, 1, 2, 3, 0])
  }

  @Test("A higher rate is judged anew; a lower one is not")
  func rates() throws {
    var rig = try rig(.hold)
    run(&rig, to: 1_200)
    rig.perform(at: instant(1_200)) { $0.machine.setRate(0.5, at: $1) }
    #expect(rig.questions.isEmpty)
    #expect(rig.flashes.state == .passes)
    rig.perform(at: instant(1_300)) { $0.machine.setRate(4, at: $1) }
    run(&rig, to: 5_000)
    #expect(frames(rig) == [0, 1, 0])
    rig.perform(at: instant(5_000)) { $0.machine.setRate(1, at: $1) }
    run(&rig, to: 5_700)
    #expect(frames(rig) == [0, 1, 0, 1])
  }

  @Test("A GIF that is too small to fail is not judged; a larger size is")
  func sizes() throws {
    var rig = try rig(.allow, delay: 10)
    run(&rig, to: 100)
    rig.flashes.shownSize = PixelSize(width: 120, height: 90)
    rig.flashes.policy = .hold
    rig.perform(at: instant(150))
    #expect(rig.questions.isEmpty)
    run(&rig, to: 500)
    #expect(frames(rig).count == 6)
    rig.flashes.shownSize = PixelSize(width: 240, height: 180)
    rig.perform(at: instant(550))
    run(&rig, to: 5_000)
    #expect(frames(rig).count == 6)
    rig.flashes.shownSize = PixelSize(width: 120, height: 90)
    rig.perform(at: instant(5_000))
    run(&rig, to: 5_400)
    #expect(frames(rig).count >= 10)
    // Beside others of its size it may flash in its own part of a field only.
    rig.flashes.sharing = .full
    rig.perform(at: instant(5_450))
    let count = frames(rig).count
    run(&rig, to: 9_000)
    #expect(frames(rig).count == count)
  }

  @Test("Between two orders of frames nothing moves for a second")
  func rests() throws {
    var rig = try rig(.hold, delay: 18, lights: [false, true, false, true, true, true])
    run(&rig, to: 700)
    let count = frames(rig).count
    rig.perform(at: instant(700)) { $0.setRange(4..<6, at: $1) }
    run(&rig, to: 1_500)
    #expect(frames(rig).count == count)
    let last = try #require(rig.changes.last).time
    run(&rig, to: 5_000)
    // The jump comes a second after what was seen last, and what follows it a second later.
    let later = rig.changes[count...].map(\.time)
    #expect(later[0] == last + 1_000_000_000)
    #expect(later[1] >= later[0] + 1_000_000_000)
  }

  @Test("A frame that is late by more than the margin delays those after it")
  func keepsPace() throws {
    var rig = try rig(.slow, delay: 18)
    run(&rig, to: 400)
    #expect(frames(rig).count == 3)
    let due = try #require(rig.nextInstant)
    // It comes when the one after it would be due.
    rig.advance(to: due.advanced(byNanoseconds: 150_000_000))
    let late = try #require(rig.changes.last).time
    run(&rig, to: 2_000)
    #expect(rig.changes[4].time == late + 180_000_000)
  }

  @Test("What catches up would be shown for half its time: under a policy that limits motion it is skipped")
  func neverCatchesUp() throws {
    var rig = try rig(.hold, delay: 20, late: .catchUp(max: 10))
    run(&rig, to: 400)
    rig.advance(to: instant(1_500))
    run(&rig, to: 4_000)
    #expect((rig.shortestSeven ?? .max) >= 1_000_000_000)
    #expect(rig.changes.map(\.time).adjacentGaps.allSatisfy { $0 >= 150_000_000 })
  }
}

extension [Int64] {
  fileprivate var adjacentGaps: [Int64] { zip(self, dropFirst()).map { $1 - $0 } }
}
