import EngineSupport
import GIFCaching
import GIFDecoding
import GIFTestSupport
import GIFTimeline
import Testing

@Suite("FrameStore: an image that grows")
struct GrowingStoreTests {
  /// The states of an image as it loads: one for each whole frame, then the whole file.
  private static func states(_ bytes: [UInt8]) throws -> [GIFImage] {
    let whole = try GIFImage(bytes: bytes)
    var stream = GIFStream(limits: .default, reserve: nil)
    var given = 0
    var states: [GIFImage] = []
    for frame in whole.frames.dropFirst() {
      // The graphics control stands eight bytes before the image separator.
      try stream.append(Array(bytes[given..<frame.offset - 8]))
      given = frame.offset - 8
      states.append(try #require(try stream.image))
    }
    try stream.append(Array(bytes[given...]))
    return states + [try stream.finish()]
  }

  private func cache(
    _ image: GIFImage, readAhead: Int = 2, size: PixelSize? = nil, _ budget: FrameBudget,
    pool: DecodePool = .inline
  ) -> PlayerFrames {
    PlayerFrames(
      image, size: size, policy: CacheSample.policy(readAhead: readAhead), isComplete: false, budget: budget,
      pool: pool)
  }

  @Test("Frames that arrive one by one are decoded once each", arguments: [2, 10, 60])
  func decodings(count: Int) throws {
    let states = try Self.states(CacheSample.bytes(frames: count))
    #expect(states.map(\.frameCount) == Array(1...count))
    let budget = FrameBudget(limit: 1 << 22)
    let cache = cache(states[0], budget)
    for (frame, image) in states.enumerated() {
      if frame > 0 { #expect(cache.grow(to: image, isComplete: frame == count - 1) == .continued) }
      cache.move(to: Playhead(frame: frame, range: 0..<image.frameCount), request: frame + 1)
      #expect(cache.frame(at: frame)?.index == frame)
      #expect(budget.heldBytes <= budget.limit)
    }
    #expect(cache.statistics.decodedFrames == count)
    #expect(cache.statistics.composedFrames == count)
    #expect(cache.statistics.residentFrames == count)
    #expect(cache.image.frameCount == count && budget.snapshot.stores.count == 1)
  }

  @Test("With little memory, palette indices stay warm over all growth")
  func warm() throws {
    let count = 30
    let states = try Self.states(CacheSample.bytes(frames: count))
    let planes = try #require(states.last).frames.reduce(Int64(0)) { $0 + $1.rect.area }
    let budget = FrameBudget(
      limit: CacheSample.byteCount(try #require(states.last), frames: 3) + planes
        + Int64(CacheSample.bytes(frames: count).count))
    let cache = cache(states[0], budget)
    var request = 0
    func show(_ frame: Int, of count: Int) {
      request += 1
      cache.move(to: Playhead(frame: frame, range: 0..<count), request: request)
      #expect(cache.frame(at: frame)?.index == frame)
    }
    for (frame, image) in states.enumerated() {
      if frame > 0 { #expect(cache.grow(to: image, isComplete: false) == .continued) }
      show(frame, of: image.frameCount)
    }
    let decoded = cache.statistics.decodedFrames
    for frame in 0..<count { show(frame, of: count) }
    #expect(cache.statistics.warmFrames == count)
    #expect(decoded <= count + 2)
    #expect(cache.statistics.decodedFrames - decoded <= count / 2)
    #expect(budget.peakBytes <= budget.limit)
  }

  @Test("The frames are those of the whole file, whatever comes when", arguments: 0..<24)
  func frames(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let damaged: Set<Int> = seed % 3 == 0 ? [Int.random(in: 1..<14, using: &random)] : []
    let bytes = CacheSample.bytes(frames: 14, damaged: damaged)
    let size = seed % 4 == 1 ? PixelSize(width: 9, height: 7) : nil
    let whole = try GIFImage(bytes: bytes)
    let room = Int.random(in: 2...14, using: &random)
    let limit = CacheSample.byteCount(whole, frames: room) + Int64(bytes.count)
    let budget = FrameBudget(limit: seed % 2 == 0 ? limit : 1 << 22)
    var stream = GIFStream(limits: .default, reserve: nil)
    var cache: PlayerFrames?
    var (given, request) = (0, 0)
    while given < bytes.count {
      let piece = Array(bytes[given...].prefix(Int.random(in: 1...90, using: &random)))
      try stream.append(piece)
      given += piece.count
      guard let image = try stream.image, image.frameCount > 0 else { continue }
      let isComplete = given == bytes.count
      // The first frame as far as it has come, too.
      if cache?.grow(to: image, isComplete: isComplete) == nil {
        cache = self.cache(image, size: size, budget)
      }
      let held = try #require(cache)
      var renderer = try FrameRenderer(image, size: size)
      for _ in 0..<3 {
        let frame = Int.random(in: 0..<image.frameCount, using: &random)
        request += 1
        held.move(to: Playhead(frame: frame, range: 0..<image.frameCount), request: request)
        if held.frame(at: frame) == nil {
          request += 1
          held.move(to: Playhead(frame: frame, range: 0..<image.frameCount), request: request)
        }
        let (shown, expected) = (try #require(held.frame(at: frame)), try renderer.frame(at: frame))
        #expect(shown.status == expected.status)
        #expect(CacheSample.words(shown.pixels) == CacheSample.words(expected.pixels), "frame \(frame)")
        let floor = CacheSample.byteCount(image, frames: 2, size: size) + Int64(given)
        #expect(budget.heldBytes <= max(budget.limit, floor))
        #expect(budget.snapshot.compressedBytes == Int64(given))
      }
    }
    #expect(cache?.image.metadata.isComplete == true)
  }

  @Test("A store is shared once its image is whole, and not before")
  func sharing() throws {
    let bytes = CacheSample.bytes(frames: 3)
    let states = try Self.states(bytes)
    let budget = FrameBudget(limit: 1 << 22)
    let (first, second) = (cache(states[0], budget), cache(states[0], budget))
    for cache in [first, second] { cache.move(to: Playhead(frame: 0, range: 0..<1), request: 1) }
    #expect(budget.snapshot.stores.count == 2)
    #expect(first.grow(to: states[1], isComplete: false) == .continued)
    #expect(second.image.frameCount == 1)
    #expect(first.grow(to: states[2], isComplete: true) == .continued)
    first.move(to: Playhead(frame: 1, range: 0..<3), request: 2)
    let third = PlayerFrames(try GIFImage(bytes: bytes), budget: budget, pool: .inline)
    #expect(third.peek(at: 1) != nil)
    third.move(to: Playhead(frame: 0, range: 0..<3), request: 1)
    #expect(budget.snapshot.stores.map(\.store.players).sorted() == [1, 2])
    // What is complete grows no more.
    #expect(first.grow(to: states[2], isComplete: true) == .refused)
    #expect(third.grow(to: states[2], isComplete: true) == .refused)
  }

  @Test(
    "A load that ends goes over to the store that others have of the same image, with all that it was told")
  func joining() throws {
    let bytes = CacheSample.bytes(frames: 3)
    let states = try Self.states(bytes)
    let budget = FrameBudget(limit: 1 << 22)
    let pool = DecodePool(threadCount: 0)
    let caches = [cache(states[0], budget, pool: pool), cache(states[1], budget, pool: pool)]
    let arrivals = Lock<[Int]>([])
    caches[1].onArrival { if case .success(let frame) = $0 { arrivals.withLock { $0.append(frame) } } }
    for (cache, visibility) in zip(caches, [Visibility.visible, .near]) {
      cache.move(to: Playhead(frame: 0, range: 0..<1, visibility: visibility), request: 5)
    }
    #expect(caches[1].frame(at: 0)?.index == 0)
    for cache in caches {
      let isTaken = cache.join(states[2]) || cache.grow(to: states[2], isComplete: true) == .continued
      #expect(isTaken)
    }
    #expect(caches[1].grow(to: states[2], isComplete: true) == .refused)
    #expect(budget.snapshot.animationCount == 1)
    #expect(budget.snapshot.stores.map(\.store.players) == [2])
    // It goes on as before, and its older requests stay old.
    #expect(caches[1].statistics.hits == 1)
    caches[1].move(to: Playhead(frame: 2, range: 0..<3, visibility: .near), request: 5)
    #expect(caches[1].map.playheads == [0, 0])
    #expect(caches[1].frame(at: 2) == nil)
    caches[1].move(to: Playhead(frame: 2, range: 0..<3, visibility: .near), request: 6)
    #expect(arrivals.withLock { $0 }.first == 2)
    #expect(caches[0].peek(at: 2) != nil)
    var renderer = try FrameRenderer(states[2])
    let (shown, expected) = (try #require(caches[1].frame(at: 2)), try renderer.frame(at: 2))
    #expect(CacheSample.words(shown.pixels) == CacheSample.words(expected.pixels))
  }

  @Test("Bounds of frames hold from the moment at which the canvas is known")
  func fitting() throws {
    let states = try Self.states(CacheSample.bytes(frames: 2))
    let bounds = try #require(PixelSize(width: 9, height: 300))
    let budget = FrameBudget(limit: 1 << 22)
    let cache = PlayerFrames(
      .empty, fitting: bounds, policy: CacheSample.policy(readAhead: 2), isComplete: false, budget: budget,
      pool: .inline)
    for (number, image) in states.enumerated() {
      _ = cache.grow(to: image, isComplete: number == 1)
      cache.move(to: Playhead(frame: number, range: 0..<image.frameCount), request: number + 1)
      let frame = try #require(cache.frame(at: number))
      let expected = image.size.fitting(bounds)
      #expect(frame.pixels.width == expected.width && frame.pixels.height == expected.height)
      #expect(expected.width == 9)
    }
    // Frames are never enlarged.
    let large = PlayerFrames(
      states[1], fitting: PixelSize(width: 999, height: 999), budget: budget, pool: .inline)
    large.move(to: Playhead(frame: 0, range: 0..<2), request: 1)
    #expect(large.frame(at: 0)?.pixels.width == states[1].width)
  }

  @Test("A growing store leaves nothing behind, complete or not", arguments: [false, true])
  func release(isComplete: Bool) throws {
    let states = try Self.states(CacheSample.bytes(frames: 3))
    let budget = FrameBudget(limit: 1 << 22)
    var held: PlayerFrames? = cache(states[0], budget)
    held?.move(to: Playhead(frame: 0, range: 0..<1), request: 1)
    #expect(held?.grow(to: states[2], isComplete: isComplete) == .continued)
    held?.move(to: Playhead(frame: 1, range: 0..<3), request: 2)
    #expect(budget.heldBytes > 0)
    held = nil
    #expect(budget.heldBytes == 0 && budget.snapshot.stores.isEmpty)
    // Nor is it found any more: the next store is a new one.
    let next = PlayerFrames(states[2], budget: budget, pool: .inline)
    #expect(next.peek(at: 0) == nil)
  }

  @Test("Another canvas, other frames, other rules or fewer frames take the place of all that is held")
  func replaced() throws {
    let states = try Self.states(CacheSample.bytes(frames: 3))
    var resilient = states[2]
    resilient.damagePolicy = .resilient
    let others = [
      states[0], resilient, try CacheSample.image(frames: 3, side: 20),
      try GIFImage(bytes: CacheSample.bytes(frames: 3, delay: 7)),
      try GIFImage(bytes: CacheSample.bytes(frames: 3), limits: DecodingLimits(framePixels: 1 << 20)),
    ]
    for other in others {
      let budget = FrameBudget(limit: 1 << 22)
      let cache = cache(states[1], budget)
      cache.setPreload(.all)
      cache.move(to: Playhead(frame: 1, range: 0..<2), request: 1)
      #expect(cache.frame(at: 1) != nil && cache.frame(at: 0) != nil)
      #expect(cache.grow(to: other, isComplete: false) == .replaced)
      #expect(cache.image.frameCount == other.frameCount)
      #expect((0..<3).allSatisfy { cache.peek(at: $0) == nil })
      #expect(budget.heldBytes == budget.snapshot.compressedBytes)
      if other.heldMemory?.id != states[1].heldMemory?.id {
        #expect(budget.snapshot.compressedBytes == Int64(other.heldMemory?.bytes ?? 0))
      }
      let last = other.frameCount - 1
      #expect(cache.frame(at: last) == nil)
      cache.move(to: Playhead(frame: last, range: 0..<other.frameCount), request: 2)
      var renderer = try FrameRenderer(other)
      let expected = try renderer.frame(at: last)
      #expect(
        CacheSample.words(try #require(cache.frame(at: last)).pixels) == CacheSample.words(expected.pixels))
      // What was counted and set stays.
      #expect(cache.statistics.hits == 3 && cache.statistics.residentFrames == other.frameCount)
      #expect(cache.grow(to: other, isComplete: false) == .continued)
    }
  }

  @Test("A replaced image is decoded right while threads are at the former one", arguments: 0..<8)
  func replacedOnThreads(seed: UInt64) async throws {
    var random = SeededGenerator(seed: seed)
    let images = try [(12, 16), (3, 24), (20, 9)].map { try CacheSample.image(frames: $0, side: $1) }
    let pool = DecodePool(threadCount: 2)
    let budget = FrameBudget(limit: 1 << 16)
    let cache = cache(images[0], readAhead: 4, budget, pool: pool)
    let (arrivals, continuation) = AsyncStream.makeStream(of: Void.self)
    cache.onArrival { _ in continuation.yield() }
    var waiting = arrivals.makeAsyncIterator()
    var request = 0
    for round in 0..<30 {
      let image = images[round % 3]
      if round > 0 { #expect(cache.grow(to: image, isComplete: false) == .replaced) }
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        let frame = Int.random(in: 0..<image.frameCount, using: &random)
        let isAwaited = Bool.random(using: &random)
        repeat {
          let shown = cache.frame(at: frame)
          request += 1
          cache.move(to: Playhead(frame: frame, range: 0..<image.frameCount, nextDue: 0), request: request)
          if let shown {
            var renderer = try FrameRenderer(image)
            #expect(
              CacheSample.words(shown.pixels) == CacheSample.words(try renderer.frame(at: frame).pixels))
            break
          }
          if isAwaited { await waiting.next() }
        } while isAwaited
      }
    }
  }

  @Test("While other threads decode, growth keeps every frame right and gives all bytes back")
  func threads() async throws {
    let count = 40
    let states = try Self.states(CacheSample.bytes(frames: count))
    let whole = try #require(states.last)
    var expected: [[UInt32]] = []
    var renderer = try FrameRenderer(whole)
    for frame in 0..<count { expected.append(CacheSample.words(try renderer.frame(at: frame).pixels)) }
    let pool = DecodePool(threadCount: 2)
    let budget = FrameBudget(limit: CacheSample.byteCount(whole, frames: 6))
    for _ in 0..<4 {
      let cache = cache(states[0], readAhead: 3, budget, pool: pool)
      let (arrivals, continuation) = AsyncStream.makeStream(of: Void.self)
      cache.onArrival { _ in continuation.yield() }
      var waiting = arrivals.makeAsyncIterator()
      var request = 0
      for (frame, image) in states.enumerated() {
        if frame > 0 { #expect(cache.grow(to: image, isComplete: frame == count - 1) == .continued) }
        while true {
          let shown = cache.frame(at: frame)
          request += 1
          cache.move(to: Playhead(frame: frame, range: 0..<image.frameCount, nextDue: 0), request: request)
          if let shown {
            #expect(CacheSample.words(shown.pixels) == expected[frame])
            break
          }
          await waiting.next()
        }
      }
    }
  }
}
