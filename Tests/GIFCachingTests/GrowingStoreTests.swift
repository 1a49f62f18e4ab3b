import GIFDecoding
import GIFTestSupport
import GIFTimeline
import Testing

@testable import GIFCaching

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
  ) -> FrameCache {
    FrameCache(
      image, size: size, policy: CacheSample.policy(readAhead: readAhead), isComplete: false, budget: budget,
      pool: pool)
  }

  @Test("So many arrivals of a frame each cost so many decodings", arguments: [2, 10, 60])
  func decodings(count: Int) throws {
    let states = try Self.states(CacheSample.bytes(frames: count))
    #expect(states.map(\.frameCount) == Array(1...count))
    let budget = FrameBudget(limit: 1 << 22)
    let cache = cache(states[0], budget)
    for (frame, image) in states.enumerated() {
      if frame > 0 { #expect(cache.grow(to: image, isComplete: frame == count - 1)) }
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
      limit: CacheSample.byteCount(try #require(states.last), pictures: 3) + planes
        + Int64(CacheSample.bytes(frames: count).count))
    let cache = cache(states[0], budget)
    var request = 0
    func show(_ frame: Int, of count: Int) {
      request += 1
      cache.move(to: Playhead(frame: frame, range: 0..<count), request: request)
      #expect(cache.frame(at: frame)?.index == frame)
    }
    for (frame, image) in states.enumerated() {
      if frame > 0 { #expect(cache.grow(to: image, isComplete: false)) }
      show(frame, of: image.frameCount)
    }
    let decoded = cache.statistics.decodedFrames
    for frame in 0..<count { show(frame, of: count) }
    #expect(cache.statistics.warmFrames == count)
    #expect(decoded <= count + 2)
    #expect(cache.statistics.decodedFrames - decoded <= count / 2)
    #expect(budget.peakBytes <= budget.limit)
  }

  @Test("The pictures are those of the whole file, whatever comes when", arguments: 0..<24)
  func pictures(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let damaged: Set<Int> = seed % 3 == 0 ? [Int.random(in: 1..<14, using: &random)] : []
    let bytes = CacheSample.bytes(frames: 14, damaged: damaged)
    let size = seed % 4 == 1 ? PixelSize(width: 9, height: 7) : nil
    let whole = try GIFImage(bytes: bytes)
    let pictures = Int.random(in: 2...14, using: &random)
    let limit = CacheSample.byteCount(whole, pictures: pictures) + Int64(bytes.count)
    let budget = FrameBudget(limit: seed % 2 == 0 ? limit : 1 << 22)
    var stream = GIFStream(limits: .default, reserve: nil)
    var cache: FrameCache?
    var (given, request) = (0, 0)
    while given < bytes.count {
      let piece = Array(bytes[given...].prefix(Int.random(in: 1...90, using: &random)))
      try stream.append(piece)
      given += piece.count
      guard let image = try stream.image, image.frameCount > 0 else { continue }
      let isComplete = given == bytes.count
      // The first frame as far as it has come, too.
      if cache?.grow(to: image, isComplete: isComplete) != true {
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
        let (picture, expected) = (try #require(held.frame(at: frame)), try renderer.frame(at: frame))
        #expect(picture.status == expected.status)
        #expect(CacheSample.words(picture.pixels) == CacheSample.words(expected.pixels), "frame \(frame)")
        let floor = CacheSample.byteCount(image, pictures: 2, size: size) + Int64(given)
        #expect(budget.heldBytes <= max(budget.limit, floor))
        #expect(budget.snapshot.compressedBytes == Int64(given))
      }
    }
    #expect(cache?.image.metadata.isComplete == true)
  }

  @Test("Shared with nobody while it loads, with all once it is whole")
  func sharing() throws {
    let bytes = CacheSample.bytes(frames: 3)
    let states = try Self.states(bytes)
    let budget = FrameBudget(limit: 1 << 22)
    let (first, second) = (cache(states[0], budget), cache(states[0], budget))
    for cache in [first, second] { cache.move(to: Playhead(frame: 0, range: 0..<1), request: 1) }
    #expect(budget.snapshot.stores.count == 2)
    #expect(first.grow(to: states[1], isComplete: false))
    #expect(second.image.frameCount == 1)
    #expect(first.grow(to: states[2], isComplete: true))
    first.move(to: Playhead(frame: 1, range: 0..<3), request: 2)
    let third = FrameCache(try GIFImage(bytes: bytes), budget: budget, pool: .inline)
    #expect(third.peek(at: 1) != nil)
    third.move(to: Playhead(frame: 0, range: 0..<3), request: 1)
    #expect(budget.snapshot.stores.map(\.store.players).sorted() == [1, 2])
    // What is complete grows no more.
    #expect(!first.grow(to: states[2], isComplete: true))
    #expect(!third.grow(to: states[2], isComplete: true))
  }

  @Test("A growing store leaves nothing behind, complete or not", arguments: [false, true])
  func release(isComplete: Bool) throws {
    let states = try Self.states(CacheSample.bytes(frames: 3))
    let budget = FrameBudget(limit: 1 << 22)
    var held: FrameCache? = cache(states[0], budget)
    held?.move(to: Playhead(frame: 0, range: 0..<1), request: 1)
    #expect(held?.grow(to: states[2], isComplete: isComplete) == true)
    held?.move(to: Playhead(frame: 1, range: 0..<3), request: 2)
    #expect(budget.heldBytes > 0)
    held = nil
    #expect(budget.heldBytes == 0 && budget.snapshot.stores.isEmpty)
    // Nor in the register: the next one is a new store.
    let next = FrameCache(states[2], budget: budget, pool: .inline)
    #expect(next.peek(at: 0) == nil)
  }

  @Test("Another canvas, other frames, other rules or fewer frames are not a growth")
  func odd() throws {
    let states = try Self.states(CacheSample.bytes(frames: 3))
    var resilient = states[2]
    resilient.damagePolicy = .resilient
    let cache = cache(states[1], FrameBudget(limit: 1 << 22))
    let others = [
      states[0], resilient, try CacheSample.image(frames: 3, side: 20),
      try GIFImage(bytes: CacheSample.bytes(frames: 3, delay: 7)),
      try GIFImage(bytes: CacheSample.bytes(frames: 3), limits: DecodingLimits(framePixels: 1 << 20)),
    ]
    for other in others {
      #expect(!cache.grow(to: other, isComplete: false))
      #expect(cache.image.frameCount == 2)
    }
    #expect(cache.grow(to: states[1], isComplete: false))
  }

  @Test("Growth while other threads decode: every picture right, all bytes back at the end")
  func threads() async throws {
    let count = 40
    let states = try Self.states(CacheSample.bytes(frames: count))
    let whole = try #require(states.last)
    var expected: [[UInt32]] = []
    var renderer = try FrameRenderer(whole)
    for frame in 0..<count { expected.append(CacheSample.words(try renderer.frame(at: frame).pixels)) }
    let pool = DecodePool(threadCount: 2)
    let budget = FrameBudget(limit: CacheSample.byteCount(whole, pictures: 6))
    for _ in 0..<4 {
      let cache = cache(states[0], readAhead: 3, budget, pool: pool)
      let (arrivals, continuation) = AsyncStream.makeStream(of: Void.self)
      cache.onArrival { _ in continuation.yield() }
      var waiting = arrivals.makeAsyncIterator()
      var request = 0
      for (frame, image) in states.enumerated() {
        if frame > 0 { #expect(cache.grow(to: image, isComplete: frame == count - 1)) }
        while true {
          let picture = cache.frame(at: frame)
          request += 1
          cache.move(to: Playhead(frame: frame, range: 0..<image.frameCount, nextDue: 0), request: request)
          if let picture {
            #expect(CacheSample.words(picture.pixels) == expected[frame])
            break
          }
          await waiting.next()
        }
      }
    }
  }
}
