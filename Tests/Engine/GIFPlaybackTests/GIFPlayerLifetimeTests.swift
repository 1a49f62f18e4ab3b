import GIFCaching
import GIFDecoding
import GIFPlayback
import GIFTimeline
import Synchronization
import Testing

@Suite("GIFPlayer: streams and the player's life")
struct GIFPlayerLifetimeTests {
  /// The last reference to a player, given up on demand.
  private final class Owner: Sendable {
    private let player: Mutex<GIFPlayer?>

    init(_ player: GIFPlayer) { self.player = Mutex(player) }

    func release() {
      // Released outside the lock.
      _ = player.withLock { player in
        defer { player = nil }
        return player
      }
    }
  }

  @Test("A player released while it plays is gone, and its deadline with it")
  func releasedWhilePlaying() throws {
    let stage = Stage()
    var player: GIFPlayer? = stage.player(try Sample.image(delays: [10, 10]))
    weak let watched = player
    player?.onFrameChange { _ in }
    player?.play()
    #expect(stage.clock.nextDeadline != nil)
    player = nil
    #expect(watched == nil)
    #expect(stage.clock.nextDeadline == nil)
    stage.jump(to: .seconds(5))
    #expect(stage.clock.wakeUps == 0)
  }

  @Test("A player may be released by its own handler, in the middle of a wake-up")
  func releasedInside() throws {
    let stage = Stage()
    let frames = Mutex<[Int]>([])
    weak var watched: GIFPlayer?
    do {
      let player = stage.player(try Sample.image(delays: [10, 10, 10]))
      watched = player
      let owner = Owner(player)
      player.onFrameChange { change in
        frames.withLock { $0.append(change.currentFrameIndex) }
        if change.currentFrameIndex == 1 { owner.release() }
      }
      player.play()
    }
    #expect(watched != nil)
    stage.run(to: .seconds(1))
    #expect(watched == nil)
    #expect(frames.withLock { $0 } == [0, 1])
    #expect(stage.clock.nextDeadline == nil)
  }

  @Test("A slow reader gets the newest change; the sequence ends with the player")
  func newest() async throws {
    let stage = Stage()
    var player: GIFPlayer? = stage.player(try Sample.image(delays: [10, 10, 10, 10]))
    var changes = try #require(player).frameChanges.makeAsyncIterator()
    player?.play()
    #expect(await changes.next()?.currentFrameIndex == 0)
    stage.run(to: .milliseconds(300))
    #expect(await changes.next()?.currentFrameIndex == 3)
    stage.run(to: .milliseconds(500))
    player = nil
    #expect(await changes.next()?.currentFrameIndex == 1)
    #expect(await changes.next() == nil)
    #expect(await changes.next() == nil)
  }

  @Test("A task that waits for a change ends when the player goes")
  func waitingTask() async throws {
    let stage = Stage()
    var player: GIFPlayer? = stage.player(try Sample.image(delays: [10, 10, 10]))
    let streams = try (0..<5).map { _ in try #require(player).frameChanges }
    let tasks = streams.map { stream in
      Task {
        var last: Int?
        for await change in stream { last = change.currentFrameIndex }
        return last
      }
    }
    player?.play()
    stage.run(to: .milliseconds(200))
    player = nil
    for task in tasks { #expect(await task.value == 2) }
  }

  @Test("A stream does not keep its player, nor does a cancelled task its place")
  func cancelledTask() async throws {
    let stage = Stage()
    let player = stage.player(try Sample.image(delays: [10, 10, 10]))
    let stream = player.frameChanges
    let task = Task {
      var count = 0
      for await _ in stream { count += 1 }
      return count
    }
    task.cancel()
    _ = await task.value
    player.play()
    stage.run(to: .milliseconds(200))
    // The stream was ended by the cancellation; nothing more comes.
    var changes = stream.makeAsyncIterator()
    #expect(await changes.next() == nil)
  }

  @Test("The clock lives as long as a player on it, not longer")
  func clock() throws {
    let time = ManualTime()
    var clock: PlaybackClock? = PlaybackClock(drivenWith: time.now)
    weak let watched = clock
    var player: GIFPlayer? = GIFPlayer(
      try Sample.image(delays: [10, 10]), clock: try #require(clock), pool: .inline)
    clock = nil
    player?.play()
    #expect(watched?.nextDeadline != nil)
    player = nil
    #expect(watched == nil)
  }
}
