import EngineSupport
import GIFCaching
import GIFDecoding
import GIFPlayback
import GIFTestSupport
import GIFTimeline
import Synchronization
import Testing

/// What players do where the system gives no thread.
@Suite("Missing threads")
struct MissingThreadTests {
  private func player(on clock: PlaybackClock, _ pool: DecodePool) throws -> GIFPlayer {
    var options = GIFPlayer.Options()
    options.budget = FrameBudget()
    return GIFPlayer(try Sample.image(delays: [10, 10, 10]), options: options, clock: clock, pool: pool)
  }

  @Test("A player whose clock gets no thread fails with the reason, and so does the next one")
  func clockWithoutThread() throws {
    let clock = PlaybackClock(startsThread: { _ in false })
    for _ in 0..<2 {
      let player = try player(on: clock, .inline)
      let errors = Lock<[GIFError]>([])
      player.onEvent { event in
        if case .failed(let error) = event { errors.withLock { $0.append(error) } }
      }
      player.play()
      #expect(player.state == .failed)
      #expect(errors.withLock { $0 } == [GIFError(.noThread)])
    }
  }

  @Test("A pool that gets no thread decodes on the thread that asks")
  func poolWithoutThread() throws {
    let stage = Stage()
    let attempts = Atomic<Int>(0)
    let pool = DecodePool(threadCount: 4) { _ in
      attempts.add(1, ordering: .relaxed)
      return false
    }
    let player = try player(on: stage.clock, pool)
    player.play()
    var shown = [player.currentFrame?.index]
    for number in 1...2 {
      stage.run(to: .milliseconds(100 * number))
      shown.append(player.currentFrame?.index)
    }
    #expect(shown == [0, 1, 2])
    #expect(attempts.load(ordering: .relaxed) > 0)
  }

  @Test("A pool that gets one thread of four works with that one")
  func poolWithOneThread() throws {
    let given = Atomic<Int>(0)
    let pool = DecodePool(threadCount: 4) { body in
      guard given.add(1, ordering: .relaxed).oldValue == 0 else { return false }
      return EngineThread.start(body)
    }
    let stage = Stage()
    let arrived = Monitor(0)
    let players = try (0..<3).map { _ in try player(on: stage.clock, pool) }
    for player in players {
      player.onFrameChange { _ in
        arrived.withLock { $0 += 1 }
        arrived.broadcast()
      }
      player.play()
    }
    arrived.waitingWithLock { $0 == players.count ? MonitorStep.done(()) : .wait(until: nil) }
    #expect(players.allSatisfy { $0.currentFrame?.index == 0 })
  }
}
