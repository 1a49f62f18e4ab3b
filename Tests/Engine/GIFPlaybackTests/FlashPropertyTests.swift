import Foundation
import GIFDecoding
import GIFTestSupport
import GIFTimeline
import Testing

@testable import GIFFlashes
@testable import GIFPlayback

/// The environment asks for more with `GALLOP_FLASH_TIMELINES`.
@Suite("Whatever is asked of it, a player that holds or slows does not flash")
struct FlashPropertyTests {
  private static let count =
    ProcessInfo.processInfo.environment["GALLOP_FLASH_TIMELINES"].flatMap { Int($0) } ?? 300

  /// Few seeds of a million. Frames pass unseen, and the player stops before it is seen again; or the last
  /// frame before the end is late, and the player is played again.
  private static let rareSeeds = [
    630_869, 862_046, 942_240, 129_227, 270_107, 372_871, 518_363, 824_039, 849_023, 925_667, 944_731,
  ]

  @Test("Random timelines and commands: never seven changes in a second on a canvas that is large enough")
  func neverFlashes() throws {
    var (moving, failing) = (0, 0)
    for seed in Array(0..<Self.count) + Self.rareSeeds {
      var generator = SeededGenerator(seed: UInt64(seed))
      // Some end, and are played again.
      let loopCount = seed % 4 == 3 ? LoopCount.plays(1 + seed % 3) : nil
      var rig = try Self.rig(loopCount, &generator)
      var now = PlaybackInstant(nanoseconds: 1_000_000_000)
      rig.perform(at: now) { $0.machine.play(at: $1) }
      for _ in 0..<Int.random(in: 20...160, using: &generator) {
        let isCommand = Int.random(in: 0..<8, using: &generator) == 0
        if !isCommand, let next = rig.nextInstant {
          // Most ticks are in time; some come late, and some find nothing decoded.
          let isLate = Int.random(in: 0..<6, using: &generator) == 0
          now = max(now, next)
          if isLate { now = now.advanced(byNanoseconds: .random(in: 0...300_000_000, using: &generator)) }
          rig.hasFrames = Int.random(in: 0..<12, using: &generator) > 0
          rig.advance(to: now)
          if !rig.hasFrames {
            // The frame arrives.
            rig.hasFrames = true
            now = now.advanced(byNanoseconds: .random(in: 0...200_000_000, using: &generator))
            rig.tick(at: now)
          }
        } else {
          now = now.advanced(byNanoseconds: .random(in: 0...400_000_000, using: &generator))
          rig.advance(to: now)
          Self.command(&rig, at: now, &generator)
        }
      }
      let seven = rig.shortestSeven
      #expect(seven.map { $0 >= 1_000_000_000 } ?? true, "seed \(seed): seven changes in \(seven ?? 0) ns")
      moving += rig.changes.count > 5 ? 1 : 0
      failing += rig.flashes.state.report == nil ? 0 : 1
    }
    // Otherwise nothing is tested.
    #expect(moving > Self.count / 2 && failing > Self.count / 20)
  }

  private static func rig(
    _ loopCount: LoopCount?, _ generator: inout SeededGenerator
  ) throws -> FlashRig {
    let count = Int.random(in: 2...12, using: &generator)
    let mean = Int.random(in: 2...24, using: &generator)
    let frames = BlinkingFrames(
      lights: (0..<count).map { _ in Bool.random(using: &generator) },
      delays: (0..<count).map { _ in max(2, mean + Int.random(in: -6...6, using: &generator)) })
    let late: LatePolicy = [.skip, .wait, .catchUp(max: 5)].randomElement(using: &generator) ?? .skip
    let policy: FlashPolicy = Bool.random(using: &generator) ? .hold : .slow
    var rig = FlashRig(frames, try frames.image(), policy: policy, late: late, loopCount: loopCount)
    rig.judgingTime = .random(in: 0...200_000_000, using: &generator)
    if Bool.random(using: &generator) { rig.flashes.shownSize = randomSize(&generator) }
    return rig
  }

  private static func randomSize(_ generator: inout SeededGenerator) -> PixelSize? {
    let width = [60, 96, 160, 200, 240, 320, 400, 800].randomElement(using: &generator) ?? 400
    return PixelSize(width: width, height: width * 3 / 4)
  }

  private static func command(
    _ rig: inout FlashRig, at now: PlaybackInstant, _ generator: inout SeededGenerator
  ) {
    switch Int.random(in: 0..<7, using: &generator) {
    case 0:
      rig.flashes.shownSize = randomSize(&generator)
      rig.perform(at: now)
    case 1:
      rig.flashes.sharing = rig.flashes.sharing == .alone ? .full : .alone
      rig.perform(at: now)
    default: rig.performAny(at: now, using: &generator)
    }
  }

  @Test("GIFs of one size side by side, each within its part, take at most a quarter of a field together")
  func shares() throws {
    for side in [8, 24, 60, 96, 150, 341, 500, 1200] {
      let tile = try #require(PixelSize(width: side, height: max(1, side * 2 / 3)))
      let limits = ShownLimits(canvas: tile, shown: tile, sharing: .full)
      // A field at any place touches at most so many columns and rows of them.
      let columns = (341 / Double(tile.width)).rounded(.up) + 1
      let rows = (256 / Double(tile.height)).rounded(.up) + 1
      let touched = columns * rows
      #expect(limits.area * touched <= 21_824 + 0.001)
      for count in 1...9 {
        #expect(FieldSharing(count: count).part(of: tile) * Double(count) <= 1)
      }
    }
    #expect(FieldSharing(count: 10) == .full)
  }
}
