import GIFDecoding
import GIFTestSupport
import Synchronization
import Testing

@testable import GIFCaching

@Suite("FrameCache")
struct FrameCacheTests {
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
    return try GIFImage(bytes: writer.bytes, limits: limits)
  }

  private func policy(pictures: Int, readAhead: Int) -> CachePolicy {
    CachePolicy(byteBudget: pictures * 8 * 5 * 4, readAhead: readAhead)
  }

  private func words(_ pixels: PixelBuffer) -> [UInt32] {
    (0..<pixels.height).flatMap { row in (0..<pixels.width).map { pixels[$0, row] } }
  }

  @Test("The pictures are the renderer's, whatever the order and the budget", arguments: 0..<20)
  func pictures(seed: UInt64) throws {
    let gif = RandomGIF.make(seed: seed)
    let image = try GIFImage(bytes: gif.bytes)
    var random = SeededGenerator(seed: seed)
    let bytes = image.width * image.height * 4
    let budget = bytes * Int.random(in: 0...6, using: &random)
    let cache = FrameCache(
      image, policy: CachePolicy(byteBudget: budget, readAhead: .random(in: 1...5, using: &random)),
      pool: .inline)
    let expected = PlainCompositor.canvases(of: gif.animation)
    var renderer = try FrameRenderer(image)
    for request in 1...40 {
      let index = Int.random(in: 0..<image.frameCount, using: &random)
      let direction: Playhead.Direction = Bool.random(using: &random) ? .forward : .reverse
      cache.move(
        to: Playhead(frame: index, direction: direction, range: 0..<image.frameCount), request: request)
      let frame = try #require(cache.frame(at: index))
      let rendered = try renderer.frame(at: index)
      #expect(frame.index == index)
      #expect(frame.status == rendered.status)
      #expect(words(frame.pixels) == expected[index])
      #expect(words(frame.pixels) == words(rendered.pixels))
    }
    let statistics = cache.statistics
    #expect(statistics.misses == 0)
    #expect(statistics.hits == 40)
    #expect(statistics.peakBytes <= max(budget, bytes * min(2, image.frameCount)))
  }

  @Test("The window moves with the playhead, drops what comes last, and keeps its books")
  func window() throws {
    let cache = FrameCache(try image(frames: 10), policy: policy(pictures: 4, readAhead: 2), pool: .inline)
    func held() -> [Int] { (0..<10).filter { cache.peek(at: $0) != nil } }
    #expect(held() == [])
    #expect(cache.frame(at: 0) == nil)
    #expect(cache.statistics.misses == 1)
    cache.move(to: Playhead(frame: 0, range: 0..<10), request: 1)
    #expect(held() == [0, 1, 2])
    cache.move(to: Playhead(frame: 1, range: 0..<10), request: 2)
    #expect(held() == [0, 1, 2, 3])
    cache.move(to: Playhead(frame: 2, range: 0..<10), request: 3)
    // Frame 1 is the one that playback comes to last.
    #expect(held() == [0, 2, 3, 4])
    cache.move(to: Playhead(frame: 9, direction: .reverse, range: 0..<10), request: 4)
    #expect(held() == [4, 7, 8, 9])
    cache.move(to: Playhead(frame: 5, direction: .bounce(isReturning: false), range: 4..<7), request: 5)
    #expect(held() == [4, 5, 6, 7])
    let statistics = cache.statistics
    #expect(statistics.residentFrames == 4)
    #expect(statistics.residentBytes == 640)
    #expect(statistics.peakBytes == 640)
    #expect(statistics.decodedFrames == 10)
    #expect(statistics.evictions == 6)
    #expect(statistics.hits == 0)
  }

  @Test("An older request does not move the window back")
  func oldRequest() throws {
    let cache = FrameCache(try image(frames: 10), policy: policy(pictures: 4, readAhead: 1), pool: .inline)
    cache.move(to: Playhead(frame: 6, range: 0..<10), request: 5)
    cache.move(to: Playhead(frame: 1, range: 0..<10), request: 4)
    #expect(cache.peek(at: 6) != nil)
    #expect(cache.peek(at: 1) == nil)
    #expect(cache.statistics.decodedFrames == 2)
  }

  @Test("A purge keeps the current picture only, until the playhead moves")
  func purge() throws {
    let cache = FrameCache(try image(frames: 6), policy: policy(pictures: 6, readAhead: 5), pool: .inline)
    cache.move(to: Playhead(frame: 2, range: 0..<6), request: 1)
    #expect(cache.statistics.residentFrames == 6)
    cache.purge()
    #expect(cache.statistics.residentFrames == 1)
    #expect(cache.peek(at: 2) != nil)
    cache.move(to: Playhead(frame: 3, range: 0..<6), request: 2)
    #expect(cache.statistics.residentFrames == 6)
    #expect(cache.statistics.decodedFrames == 11)
  }

  @Test("Looking is not asking: a peek counts nothing")
  func peek() throws {
    let cache = FrameCache(try image(frames: 3), policy: policy(pictures: 3, readAhead: 1), pool: .inline)
    #expect(cache.peek(at: 0) == nil)
    cache.move(to: Playhead(frame: 0, range: 0..<3), request: 1)
    #expect(cache.peek(at: 0)?.index == 0)
    #expect(cache.statistics.hits == 0)
    #expect(cache.statistics.misses == 0)
  }

  @Test("Every arrival is told, after the picture is there, the most urgent first")
  func arrivals() throws {
    let cache = FrameCache(try image(frames: 8), policy: policy(pictures: 8, readAhead: 3), pool: .inline)
    let told = Mutex<[Int]>([])
    cache.onArrival { [weak cache] arrival in
      guard case .success(let index) = arrival, cache?.peek(at: index) != nil else { return }
      told.withLock { $0.append(index) }
    }
    cache.move(to: Playhead(frame: 6, range: 0..<8), request: 1)
    #expect(told.withLock { $0 } == [6, 7, 0, 1])
    cache.onArrival(nil)
    cache.move(to: Playhead(frame: 2, range: 0..<8), request: 2)
    #expect(told.withLock { $0.count } == 4)
    #expect(cache.peek(at: 2) != nil)
  }

  @Test("An arrival handler may move the window on")
  func moveInside() throws {
    let cache = FrameCache(try image(frames: 8), policy: policy(pictures: 8, readAhead: 1), pool: .inline)
    cache.onArrival { [weak cache] arrival in
      guard case .success(let index) = arrival else { return }
      cache?.move(to: Playhead(frame: index, range: 0..<8), request: index + 2)
    }
    cache.move(to: Playhead(frame: 0, range: 0..<8), request: 1)
    #expect((0..<8).allSatisfy { cache.peek(at: $0) != nil })
    #expect(cache.statistics.decodedFrames == 8)
  }

  @Test("Where no picture can be made the handler hears why, and nothing is held")
  func failure() throws {
    let limits = DecodingLimits(canvasPixels: 39)
    let cache = FrameCache(
      try image(frames: 4, limits: limits), policy: policy(pictures: 4, readAhead: 3), pool: .inline)
    let errors = Mutex<[GIFError]>([])
    cache.onArrival { arrival in
      if case .failure(let error) = arrival { errors.withLock { $0.append(error) } }
    }
    cache.move(to: Playhead(frame: 0, range: 0..<4), request: 1)
    #expect(errors.withLock { $0.map(\.code) } == [.canvasTooLarge])
    #expect(cache.statistics.decodedFrames == 0)
    #expect(cache.frame(at: 0) == nil)
  }

  @Test("On threads every wanted picture arrives once, and the cache may go at any time")
  func threads() async throws {
    let pool = DecodePool(threadCount: 2)
    let image = try image(frames: 12)
    var caches: [FrameCache] = []
    let (stream, continuation) = AsyncStream.makeStream(of: [Int].self)
    for number in 0..<20 {
      let cache = FrameCache(image, policy: policy(pictures: 12, readAhead: 11), pool: pool)
      cache.onArrival { arrival in
        if case .success(let index) = arrival { continuation.yield([number, index]) }
      }
      cache.move(to: Playhead(frame: number % 12, range: 0..<12), request: 1)
      // Every other one goes at once, in the middle of its work or before it.
      if number % 2 == 0 { caches.append(cache) }
    }
    var arrived: Set<[Int]> = []
    for await arrival in stream where arrival[0] % 2 == 0 {
      #expect(arrived.insert(arrival).inserted)
      if arrived.count == 120 { break }
    }
    for cache in caches {
      #expect(cache.statistics.decodedFrames == 12)
      #expect((0..<12).allSatisfy { cache.peek(at: $0)?.index == $0 })
    }
  }
}
