import GIFCaching
import GIFDecoding
import GIFPlayback
import GIFTestSupport
import GIFTimeline
import Synchronization
import Testing

@Suite("GIFPlayer: on real time and real threads")
struct SharedClockTests {
  /// Waits for a player's end without watching the time: every finish is an element.
  private static func finishes(of player: GIFPlayer) -> AsyncStream<Void> {
    let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
    player.onFinish { _ in continuation.yield() }
    return stream
  }

  @Test("The shared clock and pool play a short GIF to its end, every event in order")
  func shortGIF() async throws {
    let player = GIFPlayer(try Sample.image(delays: [2, 3, 2, 2], repetitions: 2))
    let log = EventLog(player)
    var ends = Self.finishes(of: player).makeAsyncIterator()
    player.play()
    await ends.next()

    #expect(player.state == .finished)
    #expect(player.currentFrame?.index == 3)
    #expect(log.finishes == 1)
    #expect(log.loops.last?.count == 3)
    #expect(log.loops.map(\.count) == log.loops.map(\.count).sorted())
    #expect(log.text.last == "finish")
    // However late the machine is: what was shown and what was skipped are all steps, in order.
    var step = -1
    for change in log.changes {
      step += 1 + change.skippedFrames
      #expect(change.loop == step / 4)
      #expect(change.currentFrameIndex == step % 4)
      #expect(change.lateness >= .zero)
      #expect(change.shownAt - change.scheduledAt == change.lateness)
    }
    #expect(step == 11)
  }

  @Test("A clock and a pool that only their player holds play to the end")
  func ownClock() async throws {
    var clock: PlaybackClock? = PlaybackClock()
    var player: GIFPlayer? = GIFPlayer(
      try Sample.image(delays: [2, 2], repetitions: nil), clock: try #require(clock),
      pool: DecodePool(threadCount: 1))
    clock = nil
    let stream = Self.finishes(of: try #require(player))
    player?.play()
    for await _ in stream { break }
    #expect(player?.currentFrame?.index == 1)
    player = nil
  }

  @Test("A still image on the shared clock finishes without a wake-up of its own")
  func still() async throws {
    let player = GIFPlayer(try Sample.image(delays: [5]))
    var ends = Self.finishes(of: player).makeAsyncIterator()
    player.play()
    await ends.next()
    #expect(player.state == .finished)
    #expect(player.currentFrame?.index == 0)
  }

  @Test("Fifty players under commands from several tasks neither lock up nor lose their end")
  func manyPlayers() async throws {
    let images = try [[2, 2, 3], [3, 2, 2, 4, 2], [2, 2]].map { try Sample.image(delays: $0, repetitions: 1) }
    let players = (0..<50).map { GIFPlayer(images[$0 % images.count]) }
    let logs = players.map { EventLog($0) }
    let ends = players.map { Self.finishes(of: $0) }

    await withTaskGroup(of: Void.self) { group in
      for seed in UInt64(0)..<4 {
        group.addTask {
          var random = SeededGenerator(seed: seed)
          for round in 0..<1_500 {
            guard let player = players.randomElement(using: &random) else { return }
            Self.command(player, &random)
            if round % 50 == 0 { await Task.yield() }
          }
        }
      }
    }
    for player in players {
      player.rate = 20
      player.restart()
    }
    for (player, end) in zip(players, ends) {
      // Finishes from before may stand in the stream; the last one comes when the player has ended.
      for await _ in end where player.state == .finished { break }
      #expect(player.currentFrame?.index == player.image.frameCount - 1)
    }
    for log in logs { check(log) }
  }

  private static func command(_ player: GIFPlayer, _ random: inout SeededGenerator) {
    switch Int.random(in: 0..<9, using: &random) {
    case 0...2: player.play()
    case 3: player.pause()
    case 4: player.seek(toFrame: .random(in: 0..<5, using: &random))
    case 5: player.seek(to: .milliseconds(Int64.random(in: 0...200, using: &random)))
    case 6: player.rate = Double.random(in: 0.5...20, using: &random)
    case 7: player.step(by: .random(in: -2...2, using: &random))
    default: player.stop()
    }
  }

  /// Between two jumps the shown steps advance by one and the skipped ones; instants never run back.
  private func check(_ log: EventLog) {
    var last: FrameChange?
    for change in log.changes {
      #expect(change.frame.index == change.currentFrameIndex)
      if let last {
        #expect(change.shownAt >= last.shownAt)
        if change.cause == .play || change.cause == .loop {
          let frames = change.frameCount
          let before = last.loop * frames + last.currentFrameIndex
          let now = change.loop * frames + change.currentFrameIndex
          #expect(now == before + 1 + change.skippedFrames)
        }
      }
      last = change
    }
    #expect(log.failures.isEmpty)
  }
}
