import GIFDecoding
import GIFTestSupport
import GIFTimeline
import Testing

@testable import GIFCaching

@Suite("StoreDecoder: nothing is decoded in vain")
struct StoreDecoderTests {
  /// A decoder with what it costs.
  private struct Meter: ~Copyable {
    var decoder = StoreDecoder()
    /// Code streams decoded, by the decoder or by its renderer.
    var decoded = 0
    var turns = 0

    init(_ image: GIFImage) throws { try decoder.open(image, version: ImageVersion(), size: nil) }

    mutating func frame(of target: Int) throws -> Frame? {
      for _ in 0..<1_000 {
        turns += 1
        var asked = 0
        let outcome = try decoder.step(
          towards: target, onTheWay: nil, reusing: nil,
          indices: { _ in
            asked += 1
            return nil
          }, keeps: { _, _ in false })
        // What was decoded here counts though the renderer may have had no use for it.
        decoded += max(asked, outcome.decodedFrames)
        if let frame = outcome.frame { return frame }
      }
      return nil
    }
  }

  private func expectSame(_ frame: Frame?, _ other: Frame) throws {
    let frame = try #require(frame)
    #expect(frame.index == other.index && frame.status == other.status)
    #expect(frame.changedRect == other.changedRect, "frame \(other.index)")
    #expect(CacheSample.words(frame.pixels) == CacheSample.words(other.pixels), "frame \(other.index)")
  }

  @Test("Frames that build on a failed one take a turn each, and no decoding")
  func blank() throws {
    let image = try CacheSample.chain(frames: 12, damaged: [4])
    var renderer = try FrameRenderer(image)
    var meter = try Meter(image)
    for frame in 0..<12 {
      let expected = try renderer.frame(at: frame)
      #expect(expected.status == (frame < 4 ? .complete : frame == 4 ? .failed : .blank))
      try expectSame(try meter.frame(of: frame), expected)
    }
    let (decoded, turns) = (meter.decoded, meter.turns)
    #expect(decoded == 5)
    #expect(turns == 12)
  }

  @Test("A jump behind a failed frame ends at that frame once the failure is known")
  func jump() throws {
    let image = try CacheSample.chain(frames: 12, damaged: [4])
    var renderer = try FrameRenderer(image)
    for frame in 0..<9 { try renderer.render(frame) }
    var meter = try Meter(image)
    try expectSame(try meter.frame(of: 9), try renderer.frame(at: 9))
    let (decoded, turns) = (meter.decoded, meter.turns)
    #expect(decoded == 5)
    #expect(turns == 6)
  }

  @Test("What the canvas shows is handed out again without being drawn again")
  func shown() throws {
    let image = try CacheSample.chain(frames: 30)
    var meter = try Meter(image)
    let first = try #require(try meter.frame(of: 29))
    let (decoded, turns) = (meter.decoded, meter.turns)
    try expectSame(try meter.frame(of: 29), first)
    let (again, more) = (meter.decoded - decoded, meter.turns - turns)
    #expect(decoded == 30 && turns == 30)
    #expect(again == 0 && more == 1)
  }

  @Test("Any order of any frames, some of them twice, is as a renderer shows it", arguments: 0..<12)
  func anyOrder(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let damaged = Set((0..<3).map { _ in Int.random(in: 1..<18, using: &random) })
    var image = try CacheSample.image(frames: 18, damaged: seed % 3 == 0 ? [] : damaged)
    if seed % 2 == 1 { image.damagePolicy = .resilient }
    var frames: [Frame] = []
    var renderer = try FrameRenderer(image)
    for frame in 0..<18 { frames.append(try renderer.frame(at: frame)) }
    var meter = try Meter(image)
    var frame = 0
    for _ in 0..<100 {
      if Bool.random(using: &random) { frame = Int.random(in: 0..<18, using: &random) }
      let found = try #require(try meter.frame(of: frame))
      #expect(found.status == frames[frame].status)
      #expect(CacheSample.words(found.pixels) == CacheSample.words(frames[frame].pixels))
    }
  }

  @Test("After a grant has shrunk, the way from the key frame is not drawn again")
  func shrunk() throws {
    let image = try CacheSample.chain(frames: 60)
    let budget = FrameBudget(limit: CacheSample.byteCount(image, frames: 9))
    let cache = PlayerFrames(
      image, policy: CacheSample.policy(readAhead: 8), budget: budget, pool: .inline)
    for frame in 0..<45 {
      if frame == 41 {
        budget.limit = CacheSample.byteCount(image, frames: 8)
        // The last one ahead goes, which the canvas still shows.
        #expect(cache.peek(at: 48) == nil && cache.peek(at: 47) != nil)
      }
      let shown = cache.frame(at: frame)
      cache.move(to: Playhead(frame: frame, range: 0..<60), request: frame + 1)
      #expect((shown ?? cache.frame(at: frame))?.status == .complete)
    }
    #expect(cache.statistics.composedFrames > cache.statistics.decodedFrames)
    #expect(cache.statistics.decodedFrames <= 53)
  }
}
