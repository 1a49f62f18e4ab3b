import EngineSupport
import GIFCaching
import GIFDecoding
import GIFTestSupport
import GIFTimeline
import Testing

@Suite("PlayerFrames")
struct PlayerFramesTests {
  /// A GIF of a few small frames, each with a colour of its own.
  private func image(frames: Int, limits: DecodingLimits = .default) throws -> GIFImage {
    let palette: [RGB] = (0..<16).map { RGB(UInt32($0) * 0x0F_1E_2D) }
    var writer = GIFWriter(width: 8, height: 5, palette: palette)
    for frame in 0..<frames {
      writer.graphicsControl(disposal: frame % 4, delay: 10)
      writer.image(
        x: frame % 4, y: frame % 2, width: 4, height: 4,
        indices: Array(repeating: UInt8(frame % 16), count: 16))
    }
    writer.trailer()
    return try .onDisk(writer.bytes, limits: limits)
  }

  /// A cache with room for a number of frames.
  private func cache(_ image: GIFImage, room: Int, readAhead: Int, pool: DecodePool = .inline)
    -> PlayerFrames
  {
    PlayerFrames(
      image, policy: CacheSample.policy(readAhead: readAhead),
      budget: FrameBudget(limit: CacheSample.byteCount(image, frames: room)), pool: pool)
  }

  private func words(_ pixels: PixelBuffer) -> [UInt32] { CacheSample.words(pixels) }

  @Test("The frames are the renderer's, whatever the order and the budget", arguments: 0..<20)
  func frames(seed: UInt64) throws {
    let gif = RandomGIF.make(seed: seed)
    let image = try GIFImage.onDisk(gif.bytes)
    var random = SeededGenerator(seed: seed)
    let floor = CacheSample.byteCount(image, frames: min(2, image.frameCount))
    let budget = FrameBudget(
      limit: .random(in: 0...CacheSample.byteCount(image, frames: image.frameCount + 2), using: &random))
    let cache = PlayerFrames(
      image, policy: CacheSample.policy(readAhead: .random(in: 1...5, using: &random)), budget: budget,
      pool: .inline)
    let expected = PlainCompositor.canvases(of: gif.animation)
    var renderer = try FrameRenderer(image)
    for request in 1...40 {
      let index = Int.random(in: 0..<image.frameCount, using: &random)
      let direction: Playhead.Direction = Bool.random(using: &random) ? .forward : .reverse
      cache.move(
        to: Playhead(frame: index, direction: direction, range: 0..<image.frameCount), request: request)
      if cache.peek(at: index) == nil {
        // Handed out before and evicted since: it comes back on demand.
        #expect(cache.frame(at: index) == nil)
        cache.move(
          to: Playhead(frame: index, direction: direction, range: 0..<image.frameCount),
          request: 100 + request)
      }
      let frame = try #require(cache.frame(at: index))
      let rendered = try renderer.frame(at: index)
      #expect(frame.index == index)
      #expect(frame.status == rendered.status)
      #expect(words(frame.pixels) == expected[index])
      #expect(words(frame.pixels) == words(rendered.pixels))
      #expect(budget.heldBytes <= max(budget.limit, floor))
    }
    #expect(cache.statistics.hits == 40)
    #expect(budget.peakBytes <= max(budget.limit, floor))
    #expect(Int64(cache.statistics.residentBytes) == budget.heldBytes)
  }

  @Test("The window moves with the playhead, evicts what is needed last, and counts right")
  func window() throws {
    let cache = cache(try image(frames: 10), room: 4, readAhead: 3)
    func held() -> [Int] { (0..<10).filter { cache.peek(at: $0) != nil } }
    #expect(held() == [])
    #expect(cache.frame(at: 0) == nil)
    #expect(cache.statistics.misses == 1)
    cache.move(to: Playhead(frame: 0, range: 0..<10), request: 1)
    #expect(held() == [0, 1, 2, 3])
    cache.move(to: Playhead(frame: 2, range: 0..<10), request: 2)
    #expect(held() == [2, 3, 4, 5])
    cache.move(to: Playhead(frame: 9, direction: .reverse, range: 0..<10), request: 3)
    #expect(held() == [6, 7, 8, 9])
    cache.move(to: Playhead(frame: 5, direction: .bounce(isReturning: false), range: 4..<7), request: 4)
    #expect(Set(held()).isSuperset(of: [4, 5, 6]))
    let statistics = cache.statistics
    #expect(statistics.residentFrames == 4)
    #expect(statistics.composedFrames - statistics.evictions - statistics.demotions == 4)
    #expect(statistics.hits == 0)
  }

  @Test("An older request does not move the window back")
  func oldRequest() throws {
    let cache = cache(try image(frames: 10), room: 4, readAhead: 1)
    cache.move(to: Playhead(frame: 6, range: 0..<10), request: 5)
    cache.move(to: Playhead(frame: 1, range: 0..<10), request: 4)
    #expect(cache.peek(at: 6) != nil)
    #expect(cache.peek(at: 1) == nil)
    #expect(cache.statistics.composedFrames == 2)
  }

  @Test("A finished player keeps the frame shown when others need the room, until it plays again")
  func finished() throws {
    let image = try image(frames: 6)
    let budget = FrameBudget(limit: CacheSample.byteCount(image, frames: 6))
    let cache = PlayerFrames(image, policy: CacheSample.policy(readAhead: 5), budget: budget, pool: .inline)
    cache.move(to: Playhead(frame: 5, range: 0..<6), request: 1)
    #expect(cache.statistics.residentFrames == 6 && cache.frame(at: 5) != nil)
    var end = Playhead(frame: 5, range: 0..<6)
    end.isFinished = true
    cache.move(to: end, request: 2)
    #expect(cache.statistics.residentFrames == 6)
    budget.limit = CacheSample.byteCount(image, frames: 2) - image.rendererBytes(size: nil)
    #expect(cache.peek(at: 5) != nil && cache.statistics.residentFrames == 2)
    budget.limit = CacheSample.byteCount(image, frames: 6)
    cache.move(to: Playhead(frame: 0, range: 0..<6), request: 3)
    #expect(cache.statistics.residentFrames == 6)
  }

  @Test("Delays of any length are durations", arguments: [.max, .max / 2, 0, -1] as [Int])
  func endlessDelays(milliseconds: Int) throws {
    let image = try image(frames: 12)
    for delays in [DelayPolicy.constant(.milliseconds(milliseconds)), .minimum(.milliseconds(milliseconds))] {
      let cache = PlayerFrames(image, delayPolicy: delays, budget: FrameBudget(limit: 1 << 20), pool: .inline)
      cache.move(to: Playhead(frame: 0, range: 0..<12, nextDue: 0), request: 1)
      #expect(cache.frame(at: 0)?.index == 0)
      #expect(image.durationMilliseconds(delays) >= 0)
    }
  }

  @Test("A peek counts nothing")
  func peek() throws {
    let cache = cache(try image(frames: 3), room: 3, readAhead: 1)
    #expect(cache.peek(at: 0) == nil)
    cache.move(to: Playhead(frame: 0, range: 0..<3), request: 1)
    #expect(cache.peek(at: 0)?.index == 0)
    #expect(cache.statistics.hits == 0)
    #expect(cache.statistics.misses == 0)
  }

  @Test("A waiting cache is notified of every arrival, once the frame is there, the most urgent first")
  func arrivals() throws {
    let cache = cache(try image(frames: 8), room: 8, readAhead: 3)
    let arrived = Lock<[Int]>([])
    cache.onArrival { [weak cache] arrival in
      guard case .success(let index) = arrival, cache?.peek(at: index) != nil else { return }
      arrived.withLock { $0.append(index) }
    }
    // The cache has not looked for a frame yet.
    cache.move(to: Playhead(frame: 6, range: 0..<8), request: 1)
    #expect(arrived.withLock { $0 } == [])
    #expect(cache.frame(at: 3) == nil)
    cache.move(to: Playhead(frame: 2, range: 0..<8), request: 2)
    #expect(arrived.withLock { $0 } == [2, 3, 4, 5])
    #expect(cache.frame(at: 3) != nil)
    cache.move(to: Playhead(frame: 7, range: 0..<8), request: 3)
    #expect(arrived.withLock { $0.count } == 4)
  }

  @Test(
    "A handler that owns its own cache is released with the last reference, without a deadlock")
  func ownership() throws {
    var kept: PlayerFrames? = cache(try image(frames: 3), room: 3, readAhead: 1)
    weak let watched = kept
    kept?.onArrival { [kept] _ in withExtendedLifetime(kept) {} }
    weak let store = kept
    kept = nil
    #expect(store != nil)
    // Replacing the handler drops the last reference to the cache, in the middle of a call of its own.
    store?.onArrival(nil)
    #expect(watched == nil)
  }

  @Test("An arrival handler may move the window on")
  func moveInside() throws {
    let cache = cache(try image(frames: 8), room: 8, readAhead: 1)
    #expect(cache.frame(at: 0) == nil)
    cache.onArrival { [weak cache] arrival in
      guard case .success(let index) = arrival else { return }
      // Asks for the next one before it moves there.
      _ = cache?.frame(at: (index + 1) % 8)
      cache?.move(to: Playhead(frame: index, range: 0..<8), request: index + 2)
    }
    cache.move(to: Playhead(frame: 0, range: 0..<8), request: 1)
    #expect((0..<8).allSatisfy { cache.peek(at: $0) != nil })
    #expect(cache.statistics.decodedFrames == 8)
  }

  @Test(
    "If no frame can be made every cache that asks for one is notified why, and nothing is held or granted")
  func failure() throws {
    let image = try image(frames: 4, limits: DecodingLimits(canvasPixels: 39))
    let budget = FrameBudget(limit: 1 << 20)
    let errors = Lock<[String]>([])
    let caches = (0..<3).map { number in
      let cache = PlayerFrames(image, budget: budget, pool: .inline)
      cache.onArrival { arrival in
        if case .failure(let error) = arrival { errors.withLock { $0.append("\(number) \(error.code)") } }
      }
      return cache
    }
    for cache in caches { cache.move(to: Playhead(frame: 0, range: 0..<4), request: 1) }
    let code = GIFError(.canvasTooLarge).code
    #expect(errors.withLock { $0 } == ["0 \(code)", "1 \(code)", "2 \(code)"])
    #expect(caches[0].statistics.decodedFrames == 0)
    #expect(caches[0].frame(at: 0) == nil)
    #expect(budget.heldBytes == 0 && budget.peakBytes == 0)
    let late = PlayerFrames(image, budget: budget, pool: .inline)
    late.onArrival { arrival in
      if case .failure(let error) = arrival { errors.withLock { $0.append("late \(error.code)") } }
    }
    late.move(to: Playhead(frame: 2, range: 0..<4), request: 1)
    #expect(errors.withLock { $0.last } == "late \(code)")
    #expect(budget.snapshot.stores.allSatisfy { $0.grant == 0 })
  }

  @Test("On threads every wanted frame arrives, and a cache may go at any time")
  func threads() async throws {
    let pool = DecodePool(threadCount: 2)
    let bytes = CacheSample.bytes(frames: 12)
    let budget = FrameBudget(limit: 1 << 20)
    var caches: [(cache: PlayerFrames, frame: Int)] = []
    let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
    for number in 0..<20 {
      let cache = PlayerFrames(
        try GIFImage(bytes: bytes), policy: CacheSample.policy(readAhead: 11), budget: budget, pool: pool)
      cache.onArrival { _ in continuation.yield(number) }
      let frame = number % 12
      if cache.frame(at: frame) == nil { cache.move(to: Playhead(frame: frame, range: 0..<12), request: 1) }
      // Every other cache goes at once, in the middle of its work or before it.
      if number % 2 == 0 { caches.append((cache, frame)) }
    }
    var missing = caches.filter { $0.cache.frame(at: $0.frame) == nil }
    if !missing.isEmpty {
      for await _ in stream {
        missing.removeAll { $0.cache.frame(at: $0.frame) != nil }
        if missing.isEmpty { break }
      }
    }
    for (cache, frame) in caches { #expect(cache.frame(at: frame)?.index == frame) }
  }
}
