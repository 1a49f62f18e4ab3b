import GIFTestSupport
import Testing

@testable import GIFCaching

@Suite("HeldFrames")
struct HeldFramesTests {
  private typealias Held = HeldFrames<String, String>

  private func held(_ frames: [Int] = [], of count: Int = 5) -> Held {
    var held = Held(frameCount: count, frameBytes: 10)
    for frame in frames { _ = held.insert("\(frame)", at: frame, limit: count) }
    return held
  }

  @Test("A frame is found where it was put, and nowhere else")
  func lookups() {
    let held = held([1, 3])
    #expect(held.frame(at: 1) == "1" && held.isHeld(3))
    #expect(held.heldFrames == [1, 3] && held.hotCount == 2 && held.finishedBytes == 20)
    for index in [-1, 0, 5, .max, .min] { #expect(held.frame(at: index) == nil && !held.isHeld(index)) }
  }

  @Test("A frame is kept once, within the limit, and within the image")
  func insert() {
    var held = held([1])
    let kept = [
      held.insert("again", at: 1, limit: 5), held.insert("full", at: 2, limit: 1),
      held.insert("beyond", at: 5, limit: 5), held.insert("2", at: 2, limit: 2),
    ]
    #expect(kept == [false, false, false, true])
    #expect(held.frame(at: 1) == "1")
    #expect(held.totals.composedFrames == 5 && held.totals.evictions == 3)
  }

  @Test("A turn takes its room before the frame exists, and gives it back")
  func turn() {
    var held = held([0])
    held.beginTurn(rendererBytes: 100, canvasBytes: 7)
    #expect(held.bytes == 10 + 10 + 100 + 7)
    held.endTurn()
    #expect(held.bytes == 117)
    held.setRenderer(bytes: 0, canvasBytes: 0)
    #expect(held.bytes == 10)
    #expect(held.totals.peakBytes == 127)
  }

  @Test("The memory of a frame evicted for a turn is handed out once")
  func spare() {
    var held = held([0, 1])
    held.evictForTurn(1)
    let spares = [held.takeSpare(), held.takeSpare()]
    #expect(spares == ["1", nil])
    #expect(held.heldFrames == [0])
    held.evict(4)
    #expect(held.totals.evictions == 1, "a frame that is not held is not evicted")
  }

  @Test("Indices are kept while the limit has room, those of the last frames are evicted first")
  func indices() {
    var held = held()
    for frame in 0..<4 {
      if held.reserveIndices(of: frame, bytes: 3, limit: 9) {
        held.insertIndices("i\(frame)", of: frame, bytes: 3, limit: 9)
      }
    }
    let refused = [
      held.reserveIndices(of: 0, bytes: 0, limit: 99), held.reserveIndices(of: 1, bytes: 3, limit: 99),
      held.reserveIndices(of: 9, bytes: 3, limit: 99),
    ]
    #expect(refused == [false, false, false])
    #expect(held.warmCount == 3 && held.warmBytes == 9 && !held.isWarm(3))
    held.limitIndices(to: 8)
    #expect(held.warmCount == 2 && held.isWarm(1) && !held.isWarm(2))
  }

  @Test("A reservation for which there is no room any more is given back")
  func shrunkLimit() {
    var held = held()
    let isReserved = held.reserveIndices(of: 0, bytes: 3, limit: 9)
    #expect(isReserved && held.indexBytes == 3)
    held.insertIndices("0", of: 0, bytes: 3, limit: 2)
    #expect(held.indexBytes == 0 && held.warmCount == 0)
  }

  @Test("Indices in use count until the turn is over, though they are evicted")
  func lent() {
    var held = held()
    _ = held.reserveIndices(of: 2, bytes: 4, limit: 9)
    held.insertIndices("2", of: 2, bytes: 4, limit: 9)
    let lent = [held.lendIndices(of: 9), held.lendIndices(of: 2)]
    #expect(lent == [nil, "2"])
    held.limitIndices(to: 0)
    #expect(held.warmBytes == 0 && held.indexBytes == 4)
    held.endTurn()
    #expect(held.bytes == 0)
  }

  @Test("An evicted frame of which the indices stay counts as a demotion")
  func demotion() {
    var held = held([0, 1])
    _ = held.reserveIndices(of: 0, bytes: 3, limit: 9)
    held.insertIndices("0", of: 0, bytes: 3, limit: 9)
    held.evict(0)
    held.evict(1)
    #expect(held.totals.demotions == 1 && held.totals.evictions == 1)
  }

  @Test("Another image takes the place of everything but what is in use")
  func replaced() {
    var held = held([0, 4])
    _ = held.reserveIndices(of: 0, bytes: 3, limit: 9)
    held.insertIndices("0", of: 0, bytes: 3, limit: 9)
    held.beginTurn(rendererBytes: 100, canvasBytes: 0)
    _ = held.lendIndices(of: 0)
    held.replaceImage(frameCount: 2, frameBytes: 50)
    #expect(held.frameCount == 2 && held.hotCount == 0 && held.warmCount == 0)
    #expect(held.bytes == 10 + 100 + 3, "the old frame in the making, the renderer, the indices in use")
    held.endTurn()
    let isKept = held.insert("new", at: 1, limit: 2)
    #expect(isKept && held.bytes == 150)
  }

  @Test("The bytes are those of all that is held, whatever happens", arguments: 0..<20)
  func books(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var held = held(of: 6)
    var (hot, warm): (Set<Int>, [Int: Int64]) = ([], [:])
    var peak: Int64 = 0
    for _ in 0..<300 {
      let frame = Int.random(in: 0..<6, using: &random)
      switch Int.random(in: 0..<5, using: &random) {
      case 0: if held.insert("", at: frame, limit: 4) { hot.insert(frame) }
      case 1:
        held.evict(frame)
        hot.remove(frame)
      case 2:
        let bytes = Int64.random(in: 1...9, using: &random)
        if held.reserveIndices(of: frame, bytes: bytes, limit: 20) {
          peak = max(peak, held.bytes)
          held.insertIndices("", of: frame, bytes: bytes, limit: 20)
          warm[frame] = bytes
        }
      case 3:
        let limit = Int64.random(in: 0...20, using: &random)
        held.limitIndices(to: limit)
        for frame in (0..<6).reversed() where warm.values.reduce(0, +) > limit { warm[frame] = nil }
      default: held.grow(to: 6, changed: nil)
      }
      peak = max(peak, held.bytes)
      #expect(held.heldFrames == hot.sorted() && held.hotCount == hot.count)
      #expect(held.warmCount == warm.count)
      #expect(held.bytes == Int64(hot.count) * 10 + warm.values.reduce(0, +))
    }
    #expect(held.totals.peakBytes == peak)
  }
}
