import EngineSupport
import GIFCaching
import GIFDecoding
import GIFTimeline
import Testing

@Suite("DecodeObserver")
struct DecodeObserverTests {
  private let budget = FrameBudget(limit: 1 << 22)

  private func cache(_ image: GIFImage, readAhead: Int = 1, budget: FrameBudget? = nil) -> PlayerFrames {
    PlayerFrames(
      image, policy: CacheSample.policy(readAhead: readAhead), budget: budget ?? self.budget, pool: .inline)
  }

  /// Records turns, on a clock that goes on by one with every look.
  private final class Recorder: Sendable {
    private let recorded = Lock<[DecodeSpan]>([])
    let observer: DecodeObserver

    init() {
      let (time, recorded) = (Lock<Int64>(100), recorded)
      observer = DecodeObserver(
        now: {
          time.withLock { time in
            time += 1
            return time
          }
        }, report: { span in recorded.withLock { $0.append(span) } })
    }

    var spans: [DecodeSpan] { recorded.withLock { $0 } }
  }

  private func move(_ cache: PlayerFrames, to frame: Int, request: Int) {
    cache.move(to: Playhead(frame: frame, range: 0..<cache.image.frameCount), request: request)
  }

  @Test("Every turn is reported with its frame, its thread, its begin and its end, in order")
  func turns() throws {
    let cache = cache(try CacheSample.image(frames: 6), readAhead: 2)
    let recorder = Recorder()
    cache.observeDecoding(recorder.observer)
    move(cache, to: 0, request: 1)
    #expect(recorder.spans.map(\.frame) == [0, 1, 2])
    #expect(recorder.spans.map(\.finished) == [0, 1, 2])
    #expect(recorder.spans.map(\.codeStreams) == [1, 1, 1])
    #expect(recorder.spans.map(\.begin) == [101, 103, 105])
    #expect(recorder.spans.map(\.end) == [102, 104, 106])
    #expect(Set(recorder.spans.map(\.thread)).count == 1)
    #expect(Set(recorder.spans.map(\.store)).count == 1)
    #expect(recorder.spans.count == cache.statistics.decodedFrames)
  }

  @Test("A far way is reported step by step; only the last step finishes a frame")
  func way() throws {
    let cache = cache(try CacheSample.image(frames: 9))
    move(cache, to: 0, request: 1)
    let recorder = Recorder()
    cache.observeDecoding(recorder.observer)
    move(cache, to: 7, request: 2)
    let steps = recorder.spans.filter { $0.frame == 7 }
    #expect(steps.count > 1)
    #expect(steps.map(\.finished) == Array(repeating: nil, count: steps.count - 1) + [7])
  }

  @Test("Composed from palette indices: no code stream is decoded")
  func warm() throws {
    let image = try CacheSample.image(frames: 12)
    let planes = image.frames.reduce(Int64(0)) { $0 + $1.rect.area }
    let budget = FrameBudget(limit: CacheSample.byteCount(image, frames: 2) + planes)
    let cache = cache(image, budget: budget)
    let recorder = Recorder()
    cache.observeDecoding(recorder.observer)
    for step in 0..<24 { move(cache, to: step % 12, request: step + 1) }
    let later = recorder.spans.dropFirst(13)
    #expect(!later.isEmpty && later.allSatisfy { $0.codeStreams == 0 && $0.finished == $0.frame })
  }

  @Test("A turn that several players share is reported to one observer, be it another's")
  func shared() throws {
    let image = try CacheSample.image(frames: 3)
    let caches = (0..<3).map { _ in cache(image) }
    defer { withExtendedLifetime(caches) {} }
    let (first, second) = (Recorder(), Recorder())
    caches[1].observeDecoding(first.observer)
    caches[2].observeDecoding(second.observer)
    move(caches[0], to: 0, request: 1)
    #expect(first.spans.map(\.frame) == [0, 1] && second.spans.isEmpty)
    move(caches[2], to: 1, request: 1)
    #expect(second.spans.map(\.frame) == [2])
    #expect(first.spans.first?.store == second.spans.first?.store)
  }

  @Test("A replaced or removed observer gets no reports, and cannot remove its successor")
  func removal() throws {
    let cache = cache(try CacheSample.image(frames: 6))
    let (first, second) = (Recorder(), Recorder())
    cache.observeDecoding(first.observer)
    cache.observeDecoding(second.observer)
    move(cache, to: 0, request: 1)
    cache.observeDecoding(nil, replacing: first.observer)
    move(cache, to: 2, request: 2)
    let count = second.spans.count
    #expect(count == cache.statistics.composedFrames && first.spans.isEmpty)
    cache.observeDecoding(nil, replacing: second.observer)
    move(cache, to: 4, request: 3)
    #expect(second.spans.count == count && cache.statistics.composedFrames > count)
  }

  @Test("A store holds no observer of a cache that is gone")
  func lifetime() throws {
    let image = try CacheSample.image(frames: 3)
    let other = cache(image)
    weak var watched: DecodeObserver?
    do {
      let cache = cache(image)
      let recorder = Recorder()
      watched = recorder.observer
      cache.observeDecoding(recorder.observer)
      #expect(watched != nil)
    }
    #expect(watched == nil)
    move(other, to: 0, request: 1)
    #expect(other.statistics.composedFrames == 2)
  }

  @Test("A turn that fails is reported, too")
  func failure() throws {
    let bytes = CacheSample.bytes(frames: 2)
    let isGone = Lock(false)
    let image = try unsafe GIFImage(byteCount: bytes.count) { offset, target in
      guard !isGone.withLock({ $0 }) else { return 0 }
      unsafe target.copyBytes(from: bytes[offset..<offset + target.count])
      return target.count
    }
    isGone.withLock { $0 = true }
    let cache = cache(image)
    let recorder = Recorder()
    cache.observeDecoding(recorder.observer)
    move(cache, to: 0, request: 1)
    #expect(recorder.spans.map(\.finished) == [nil])
  }
}
