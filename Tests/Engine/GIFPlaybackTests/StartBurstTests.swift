import GIFCaching
import GIFDecoding
import GIFPlayback
import GIFTimeline
import Testing

@Suite("Many players that start at once")
struct StartBurstTests {
  /// Eight that change every 20 ms and 56 that do so every 100 ms keep a decoder of 0.75 ms busy for 72 % of
  /// the time; the first frames of all take it 48 ms.
  private static let cost = Duration.microseconds(750)

  private func wall(_ decoding: SlowDecoding, late: LatePolicy = .skip) throws -> [GIFPlayer] {
    try (0..<64).map { number in
      try decoding.player(number, delay: number % 8 == 0 ? 2 : 10) { $0.latePolicy = late }
    }
  }

  @Test("No frame is skipped or late: players that play go before those that begin")
  func drops() throws {
    let decoding = SlowDecoding(cost: Self.cost)
    let players = try wall(decoding)
    defer { withExtendedLifetime(players) {} }
    let logs = players.map { EventLog($0) }
    for player in players { player.play() }
    decoding.run(to: .seconds(2))
    let changes = logs.flatMap(\.changes)
    #expect(changes.count > 1800)
    #expect(changes.reduce(0) { $0 + $1.skippedFrames } == 0)
    #expect(changes.map(\.lateness).max() == .zero)
  }

  @Test("No player waits for its first frame much longer than the read-ahead")
  func starts() throws {
    let decoding = SlowDecoding(cost: Self.cost)
    let players = try wall(decoding)
    defer { withExtendedLifetime(players) {} }
    let logs = players.map { EventLog($0) }
    for player in players { player.play() }
    decoding.run(to: .seconds(1))
    for log in logs {
      let first = try #require(log.changes.first)
      #expect(first.shownAt - Stage.start < .milliseconds(300))
    }
  }

  @Test("Players that join a busy wall delay no other, and begin")
  func joining() throws {
    let decoding = SlowDecoding(cost: Self.cost)
    let players = try wall(decoding)
    defer { withExtendedLifetime(players) {} }
    let logs = players.map { EventLog($0) }
    for player in players[..<40] { player.play() }
    decoding.run(to: .seconds(1))
    for player in players[40...] { player.play() }
    decoding.run(to: .seconds(3))
    #expect(logs.flatMap(\.changes).reduce(0) { $0 + $1.skippedFrames } == 0)
    #expect(logs.allSatisfy { !$0.changes.isEmpty })
  }

  @Test(
    "On a decoder that is far too slow everybody begins, and goes on", arguments: [LatePolicy.skip, .wait])
  func overload(late: LatePolicy) throws {
    let decoding = SlowDecoding(cost: .milliseconds(4))
    let players = try wall(decoding, late: late)
    defer { withExtendedLifetime(players) {} }
    let logs = players.map { EventLog($0) }
    for player in players { player.play() }
    decoding.run(to: .seconds(8))
    for log in logs {
      let first = try #require(log.changes.first)
      #expect(first.shownAt - Stage.start < .seconds(1))
      #expect(log.changes.count > 3)
      for (change, next) in zip(log.changes, log.changes.dropFirst()) {
        #expect(next.shownAt - change.shownAt < .seconds(4))
      }
    }
  }

  @Test("The target of a seek comes before all that is only due")
  func seeking() throws {
    let decoding = SlowDecoding(cost: .milliseconds(4))
    let players = try wall(decoding)
    defer { withExtendedLifetime(players) {} }
    for player in players { player.play() }
    decoding.run(to: .seconds(2))
    let log = EventLog(players[5])
    let sought = decoding.stage.elapsed
    players[5].seek(toFrame: ((players[5].currentFrame?.index ?? 0) + 1) % 12)
    decoding.run(to: sought + .milliseconds(100))
    #expect(log.changes.first?.cause == .seek)
  }

  @Test("Once begun, a player's frames are due by its time")
  func begun() throws {
    let decoding = SlowDecoding(cost: .milliseconds(30))
    let player = try decoding.player(0, delay: 10)
    let log = EventLog(player)
    player.play()
    decoding.run(to: .milliseconds(310))
    #expect(log.frames == [0, 1, 2])
    #expect(
      log.changes.map { ($0.shownAt - Stage.start) } == [
        .milliseconds(30), .milliseconds(130), .milliseconds(230),
      ])
  }
}
