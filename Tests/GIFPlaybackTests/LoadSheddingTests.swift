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
  @Test(
    "A few players recover, too: their few frames are counted until there are enough"
  )
  func fewPictures() throws {
    let stage = Stage()
    var options = GIFPlayer.Options()
    options.priority = .low
    let player = stage.player(try Sample.image(delays: Array(repeating: 10, count: 12)), options: options)
    player.play()
    for step in 1...20 { stage.jump(to: .milliseconds(Int64(step) * 350)) }
    #expect(stage.clock.loadLevel > 0)
    stage.run(to: .seconds(300))
    #expect(stage.clock.loadLevel == 0)
    #expect(player.contents.withLock { $0.core.machine.stride } == 1)
  }

  @Test("When frames come too late, players of low priority show fewer, and recover")
  func governor() throws {
    let stage = Stage()
    let image = try Sample.image(delays: Array(repeating: 5, count: 12))
    let high = stage.player(image)
    var options = GIFPlayer.Options()
    options.priority = .low
    let low = stage.player(image, options: options)
    let log = EventLog(low)
    for player in [high, low] { player.play() }
    // Looks that come late, as if decoding had held them up.
    for step in 1...60 { stage.jump(to: .milliseconds(Int64(step) * 130)) }
    #expect(stage.clock.loadLevel == LoadShedder.strides.count - 1)
    let rate = try #require(high.frameRate)
    #expect((7.0...8.4).contains(rate.effective) && (19.0...21.0).contains(rate.scheduled))
    _ = log.take()
    stage.run(to: .milliseconds(9_000))
    #expect(log.frames.allSatisfy { $0 == 0 })
    #expect(low.position == high.position)
    let other = stage.player(image, options: options)
    other.play()
    #expect(other.contents.withLock { $0.core.machine.stride } == 16)
    other.priority = .high
    #expect(other.contents.withLock { $0.core.machine.stride } == 1)
    stage.run(to: .seconds(600))
    #expect(stage.clock.loadLevel == 0)
    let after = try #require(low.frameRate)
    #expect((19.0...21.0).contains(after.effective))
  }
}
