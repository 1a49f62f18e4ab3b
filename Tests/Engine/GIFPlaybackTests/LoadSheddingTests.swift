import EngineSupport
import GIFCaching
import GIFDecoding
import GIFTestSupport
import Synchronization
import Testing

@testable import GIFPlayback
@testable import GIFTimeline

@Suite("Load shedding: players that show fewer frames")
struct LoadSheddingTests {
  /// A decoder of a millisecond a frame, and a budget in which no loop fits.
  private let decoding = SlowDecoding(cost: .milliseconds(1), budget: 0)
  private var clock: PlaybackClock { decoding.stage.clock }

  private func players(_ numbers: Range<Int>, _ priority: PlaybackPriority) throws -> [GIFPlayer] {
    try numbers.map { number in
      try decoding.player(number, delay: 2, count: 64, isKeyed: true) { $0.priority = priority }
    }
  }

  private func stride(of player: GIFPlayer) -> Int { player.contents.withLock { $0.core.machine.stride } }

  @Test(
    "When decoding cannot keep up, players of low priority show fewer frames, so that the others show all"
  )
  func overload() throws {
    // 1600 frames a second are due, and 1000 decoded.
    let high = try players(0..<8, .high)
    let low = try players(8..<32, .low)
    defer { withExtendedLifetime(high + low) {} }
    for player in high + low { player.play() }
    decoding.run(to: .seconds(3))
    #expect(clock.loadLevel >= 1)
    let logs = high.map { EventLog($0) }
    decoding.run(to: .seconds(4))
    let changes = logs.flatMap(\.changes)
    #expect(changes.count == 8 * 50 && changes.allSatisfy { $0.skippedFrames == 0 })
    // A player that comes leaves out as many.
    let other = try players(32..<33, .low)[0]
    #expect(stride(of: other) == stride(of: low[0]) && stride(of: other) > 1)
    other.priority = .high
    #expect(stride(of: other) == 1)
    // Once the load is gone, a second and a half suffices.
    for player in low[4...] { player.pause() }
    decoding.run(to: .milliseconds(5_600))
    #expect(clock.loadLevel == 0 && stride(of: low[0]) == 1)
    let log = EventLog(low[0])
    decoding.run(to: .milliseconds(6_600))
    #expect(log.changes.count == 50 && log.changes.allSatisfy { $0.skippedFrames == 0 })
  }

  @Test("The level is the same without a player of low priority, and falls without a frame shown")
  func highAlone() throws {
    let all = try players(0..<32, .high)
    for player in all { player.play() }
    decoding.run(to: .seconds(4))
    #expect(clock.loadLevel == LoadShedder.strides.count - 1)
    #expect(all.allSatisfy { stride(of: $0) == 1 })
    for player in all { player.pause() }
    decoding.run(to: .milliseconds(5_500))
    #expect(clock.loadLevel == 0)
  }

  @Test("Ticks that come late leave out nothing while decoding is idle")
  func lateTicks() throws {
    let stage = Stage()
    var options = GIFPlayer.Options()
    options.priority = .low
    let image = try Sample.image(delays: Array(repeating: 5, count: 12))
    let player = stage.player(image, options: options)
    let log = EventLog(player)
    player.play()
    for step in 1...60 { stage.jump(to: .milliseconds(Int64(step) * 130)) }
    #expect(log.changes.contains { $0.skippedFrames > 0 } && stage.clock.loadLevel == 0)
    let rate = try #require(player.frameRate)
    #expect((7.0...8.4).contains(rate.effective) && (19.0...21.0).contains(rate.scheduled))
  }

  @Test("A list that scrolls through all its players leaves out no frame of those that have come to theirs")
  func scrolling() throws {
    let decoding = SlowDecoding(cost: .microseconds(300), budget: 0)
    var shown = Set<Int>()
    let players = try (0..<300).map { number in
      try decoding.player(number, delay: 2) {
        $0.priority = .low
        $0.visibility = .hidden
      }
    }
    defer { withExtendedLifetime(players) {} }
    for player in players { player.play() }
    var levels = 0
    func scroll(to first: Int) {
      let new = Set(first..<first + 20)
      for number in shown.subtracting(new) { players[number].visibility = .hidden }
      for number in new.subtracting(shown) { players[number].visibility = .visible }
      shown = new
      decoding.run(to: decoding.stage.elapsed + .milliseconds(10))
      levels = max(levels, decoding.stage.clock.loadLevel)
    }
    for first in 0...280 { scroll(to: first) }
    for first in (0...280).reversed() { scroll(to: first) }
    #expect(levels == 0)
    // The last ones come to their frame, then none is skipped.
    decoding.run(to: decoding.stage.elapsed + .milliseconds(300))
    let logs = shown.map { EventLog(players[$0]) }
    decoding.run(to: decoding.stage.elapsed + .seconds(1))
    let changes = logs.flatMap(\.changes)
    #expect(changes.count == 20 * 50 && changes.allSatisfy { $0.skippedFrames == 0 })
  }

  @Test(
    "A list whose new players keep the decoder busy leaves out nothing once they have come to their frames"
  )
  func busyScrolling() throws {
    let decoding = SlowDecoding(cost: .microseconds(500), budget: 0)
    let players = try (0..<120).map { number in
      try decoding.player(number, delay: 2, count: 100) { $0.priority = .low }
    }
    defer { withExtendedLifetime(players) {} }
    for player in players { player.play() }
    decoding.run(to: .seconds(1))
    for player in players[20...] { player.visibility = .hidden }
    // Level by level, as no frame is missed when one falls.
    decoding.run(to: .milliseconds(4_500))
    #expect(decoding.stage.clock.loadLevel == 0)
    decoding.run(to: .seconds(6))
    #expect(decoding.stage.clock.loadLevel == 0)
    for page in 1...5 {
      for (number, player) in players.enumerated() {
        player.visibility = number / 20 == page ? .visible : .hidden
      }
      decoding.run(to: decoding.stage.elapsed + .milliseconds(500))
    }
    decoding.run(to: decoding.stage.elapsed + .seconds(4))
    #expect(decoding.stage.clock.loadLevel == 0)
    let logs = players[100...].map { EventLog($0) }
    decoding.run(to: decoding.stage.elapsed + .seconds(1))
    #expect(logs.allSatisfy { $0.changes.count >= 49 && $0.changes.allSatisfy { $0.skippedFrames == 0 } })
  }
}
