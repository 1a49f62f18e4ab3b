import GIFCaching
import GIFDecoding
import GIFTimeline
import Synchronization
import Testing

@testable import GIFPlayback

@Suite("FrameBudget: the event of a limit that is passed")
struct OverLimitTests {
  private let stage = Stage()

  @Test(
    "A canvas or a size that the limits refuse takes no room in the budget, and its player fails",
    arguments: [0, 1])
  func refused(kind: Int) throws {
    let notes = Mutex(0)
    var options = GIFPlayer.Options()
    options.budget = FrameBudget(limit: 1000)
    options.budget.onOverLimit { _ in notes.withLock { $0 += 1 } }
    let pixels: Int64 = kind == 0 ? 23 : 1 << 20
    if kind == 1 { options.size = PixelSize(width: 1 << 15, height: 1 << 15) }
    let image = try Sample.image(delays: [10, 10], limits: DecodingLimits(canvasPixels: pixels))
    let player = stage.player(image, options: options)
    player.play()
    #expect(player.state == .failed && player.error?.code == .canvasTooLarge)
    let snapshot = options.budget.snapshot
    #expect(snapshot.peakBytes == snapshot.compressedBytes && snapshot.floorBytes == snapshot.compressedBytes)
    #expect(!snapshot.isOverLimit && notes.withLock { $0 } == 0)
  }

  @Test("An image that loads takes room only once its canvas is one that the limits allow")
  func refusedWhileLoading() throws {
    var options = GIFPlayer.Options()
    options.budget = FrameBudget(limit: 1 << 20)
    options.isComplete = false
    let limits = DecodingLimits(canvasPixels: 23)
    let none = try Sample.image(delays: [], limits: limits)
    let player = stage.player(none, options: options)
    player.play()
    player.update(try Sample.image(delays: [10, 10], limits: limits), isComplete: true)
    let snapshot = options.budget.snapshot
    #expect(player.state == .failed && snapshot.peakBytes == snapshot.compressedBytes)
  }

  @Test("Handlers are called when what is needed passes the limit, and when it is within it again")
  func events() throws {
    final class Owner: Sendable {}
    let notes = Mutex<[Bool]>([])
    let image = try Sample.image(delays: [10, 10, 10])
    var options = GIFPlayer.Options()
    options.budget = FrameBudget(limit: 1 << 20)
    var owner: Owner? = Owner()
    let subscription = options.budget.onOverLimit(for: owner) { snapshot in
      notes.withLock { $0.append(snapshot.isOverLimit) }
    }
    var player: GIFPlayer? = stage.player(image, options: options)
    player?.play()
    #expect(notes.withLock { $0 } == [])
    options.budget.limit = 100
    #expect(notes.withLock { $0 } == [true])
    options.budget.limit = 90
    player?.pause()
    #expect(notes.withLock { $0 } == [true], "it is over the limit still")
    options.budget.limit = 1 << 20
    #expect(notes.withLock { $0 } == [true, false])
    options.budget.limit = 100
    player = nil
    #expect(notes.withLock { $0 } == [true, false, true, false])
    owner = nil
    player = stage.player(image, options: options)
    player?.play()
    #expect(notes.withLock { $0 }.count == 4)
    #expect(subscription.isCancelled)
    // A handler that comes later is called at once.
    let late = Mutex(0)
    options.budget.onOverLimit { _ in late.withLock { $0 += 1 } }.cancel()
    #expect(late.withLock { $0 } == 1)
    options.budget.limit = 1 << 20
    #expect(late.withLock { $0 } == 1)
  }
}
