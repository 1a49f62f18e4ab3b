import GIFCaching
import GIFDecoding
import GIFPlayback
import GIFTimeline
import Testing

@Suite("GIFPlayer: late frames")
struct GIFPlayerMissTests {
  private let stage = Stage()
  private let pool = DecodePool(threadCount: 1)

  /// A player that holds two frames only, and its changes.
  private func player(_ delays: [Int]) throws -> (GIFPlayer, AsyncStream<FrameChange>) {
    var options = GIFPlayer.Options()
    options.cachePolicy = CachePolicy(readAheadFrames: 1)
    options.budget = FrameBudget(limit: 0)
    let player = GIFPlayer(
      try Sample.image(delays: delays), options: options, clock: stage.clock, pool: pool)
    let (stream, continuation) = AsyncStream.makeStream(of: FrameChange.self)
    player.onFrameChange { continuation.yield($0) }
    return (player, stream)
  }

  @Test("Time begins with the first frame, at any delay")
  func firstPicture() async throws {
    let barrier = await Barrier.lower(on: pool)
    let (player, stream) = try player([10, 10, 10])
    var changes = stream.makeAsyncIterator()
    player.play()
    #expect(player.state == .playing)
    #expect(stage.clock.nextDeadline == nil)
    stage.jump(to: .seconds(10))
    #expect(player.position == .zero)
    #expect(player.currentFrame == nil)
    #expect(player.cacheStatistics.misses == 1)
    barrier.raise()
    let first = try #require(await changes.next())
    #expect(first.currentFrameIndex == 0)
    #expect(first.shownAt - Stage.start == .seconds(10))
    #expect(first.lateness == .zero)
    #expect(stage.clock.nextDeadline == Stage.start + .milliseconds(10_100))
  }

  @Test("A later miss costs lateness, not speed")
  func laterMiss() async throws {
    let (player, stream) = try player([10, 10, 10, 10, 10])
    var changes = stream.makeAsyncIterator()
    player.play()
    #expect(await changes.next()?.currentFrameIndex == 0)
    let barrier = await Barrier.lower(on: pool)
    stage.run(to: .milliseconds(100))
    #expect(await changes.next()?.currentFrameIndex == 1)
    stage.run(to: .milliseconds(230))
    #expect(player.currentFrame?.index == 1)
    #expect(player.position == .milliseconds(230))
    barrier.raise()
    let late = try #require(await changes.next())
    #expect(late.currentFrameIndex == 2)
    #expect(late.lateness == .milliseconds(30))
    #expect(late.scheduledAt == Stage.start + .milliseconds(200))
    #expect(late.skippedFrames == 0)
    #expect(stage.clock.nextDeadline == Stage.start + .milliseconds(300))
  }

  @Test("Frames that were not decoded in time are skipped for the one due now")
  func passedOver() async throws {
    let (player, stream) = try player([10, 10, 10, 10, 10])
    var changes = stream.makeAsyncIterator()
    player.play()
    #expect(await changes.next()?.currentFrameIndex == 0)
    let barrier = await Barrier.lower(on: pool)
    stage.jump(to: .milliseconds(340))
    // Frame 1 is the newest that is there.
    let standIn = try #require(await changes.next())
    #expect(standIn.currentFrameIndex == 1)
    #expect(standIn.lateness == .milliseconds(240))
    #expect(standIn.skippedFrames == 0)
    barrier.raise()
    let due = try #require(await changes.next())
    #expect(due.currentFrameIndex == 3)
    #expect(due.skippedFrames == 1)
    #expect(due.lateness == .milliseconds(40))
    #expect(player.cacheStatistics.residentFrames == 2)
  }

  @Test("A player released while its frames are decoded is gone with them")
  func released() async throws {
    let barrier = await Barrier.lower(on: pool)
    var player: GIFPlayer? = try player([10, 10]).0
    weak let watched = player
    let stream = try #require(player).frameChanges
    player?.play()
    player = nil
    #expect(watched == nil)
    barrier.raise()
    for await _ in stream { Issue.record("a change after the end") }
    #expect(stage.clock.nextDeadline == nil)
  }
}
