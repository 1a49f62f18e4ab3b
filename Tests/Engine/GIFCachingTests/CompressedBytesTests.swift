import EngineSupport
import GIFCaching
import GIFDecoding
import GIFTestSupport
import GIFTimeline
import Testing

/// Compressed bytes in memory are part of the budget.
@Suite("Compressed bytes in a budget")
struct CompressedBytesTests {
  private func cache(_ image: GIFImage, _ budget: FrameBudget, size: PixelSize? = nil) -> PlayerFrames {
    PlayerFrames(image, size: size, budget: budget, pool: .inline)
  }

  @Test("An image in memory counts once, from its first store to its last")
  func counted() throws {
    let bytes = CacheSample.bytes(frames: 9)
    let budget = FrameBudget(limit: 1 << 20)
    let image = try GIFImage(bytes: bytes)
    var caches = [cache(image, budget), cache(image, budget)]
    #expect(budget.snapshot.compressedBytes == Int64(bytes.count))
    #expect(budget.heldBytes == Int64(bytes.count))
    // The same memory at another size, and the same content from another memory.
    caches.append(cache(image, budget, size: PixelSize(width: 4, height: 4)))
    caches.append(cache(try GIFImage(bytes: bytes), budget))
    #expect(budget.snapshot.compressedBytes == Int64(bytes.count))
    #expect(caches[3].image.heldMemory?.id == image.heldMemory?.id, "the copy is released")
    let other = try GIFImage(bytes: CacheSample.bytes(frames: 8))
    caches.append(cache(other, budget))
    #expect(budget.snapshot.compressedBytes == Int64(bytes.count + other.metadata.byteCount))
    caches.removeFirst(4)
    #expect(budget.snapshot.compressedBytes == Int64(other.metadata.byteCount))
    caches = []
    #expect(budget.snapshot.compressedBytes == 0)
    #expect(budget.heldBytes == 0)
  }

  @Test("A file on disk takes nothing")
  func onDisk() throws {
    let budget = FrameBudget(limit: 1 << 20)
    let cache = cache(try .onDisk(CacheSample.bytes(frames: 9)), budget)
    #expect(budget.snapshot.compressedBytes == 0)
    #expect(cache.image.frameCount == 9)
  }

  @Test("What they take is missing for frames")
  func lessForFrames() throws {
    let image = try GIFImage(bytes: CacheSample.bytes(frames: 12))
    let compressed = Int64(image.metadata.byteCount)
    let limit = CacheSample.byteCount(image, frames: 12) + compressed
    func frames(_ limit: Int64) -> Int {
      let budget = FrameBudget(limit: limit)
      let cache = PlayerFrames(
        image, policy: CacheSample.policy(readAhead: 12), budget: budget, pool: .inline)
      cache.move(to: Playhead(frame: 0, range: 0..<12), request: 1)
      #expect(budget.peakBytes <= max(limit, CacheSample.byteCount(image, frames: 2) + compressed))
      return cache.statistics.residentFrames
    }
    #expect(frames(limit) == 12)
    #expect(frames(limit - compressed) < 12)
    #expect(frames(0) == 2, "two frames are there in any case")
  }

  @Test("A memory that fills up counts with what has come, and a larger one takes its place")
  func growing() throws {
    let bytes = CacheSample.bytes(frames: 40)
    let budget = FrameBudget(limit: 1 << 22)
    // Without reserved memory the stream moves to larger blocks.
    var stream = GIFStream(limits: .default, reserve: nil)
    var cache: PlayerFrames?
    for start in stride(from: 0, to: bytes.count, by: 100) {
      try stream.append(Array(bytes[start..<min(start + 100, bytes.count)]))
      guard let image = try stream.image else { continue }
      if cache?.grow(to: image, isComplete: false) == nil {
        cache = PlayerFrames(image, isComplete: false, budget: budget, pool: .inline)
      }
      #expect(budget.snapshot.compressedBytes == Int64(min(start + 100, bytes.count)))
    }
    cache = nil
    #expect(budget.heldBytes == 0)
  }

  @Test("A store that can make no frames is not shared with a new image of the same content")
  func failedStore() throws {
    final class Broken: ByteSource, @unchecked Sendable {
      let bytes: [UInt8]
      var isBroken = false
      init(_ bytes: [UInt8]) { self.bytes = bytes }
      var count: Int { bytes.count }
      func read(at offset: Int, into target: UnsafeMutableRawBufferPointer) throws(GIFError) {
        if isBroken { throw GIFError(.fileChanged) }
        unsafe target.copyBytes(from: bytes[offset..<offset + target.count])
      }
    }
    let source = Broken(CacheSample.bytes(frames: 5))
    let budget = FrameBudget(limit: 1 << 20)
    let errors = Lock<[GIFError]>([])
    let first = cache(try GIFImage(source: source), budget)
    first.onArrival { if case .failure(let error) = $0 { errors.withLock { $0.append(error) } } }
    source.isBroken = true
    first.move(to: Playhead(frame: 0, range: 0..<5), request: 1)
    #expect(errors.withLock { $0.map(\.code) } == [.fileChanged])
    #expect(errors.withLock { $0.first?.frame } == 0)
    source.isBroken = false
    let second = cache(try GIFImage(source: source), budget)
    second.move(to: Playhead(frame: 0, range: 0..<5), request: 1)
    #expect(second.frame(at: 0)?.status == .complete)
    #expect(first.frame(at: 0) == nil)
  }
}
