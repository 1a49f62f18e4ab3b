import EngineSupport
import Foundation
import GIFDecoding
import GIFLoading
import Glibc
import HTTPTestSupport
import Synchronization
import Testing

@Suite("Loads that their reader polls")
struct PolledLoadTests {
  private let file = Sample.animation

  /// A load with its sink in the test's hands, and the number of its notifications.
  private func load(
    preparing prepare: ImagePreparation? = nil
  ) throws -> (load: LoadingStates.Load, sink: LoadingSink, news: Counter) {
    let held = Mutex<LoadingSink?>(nil)
    let news = Counter()
    var states = LoadingStates(source: "test") { sink in held.withLock { $0 = sink } }
    if let prepare { states = states.preparing(prepare) }
    let load = states.begin(onNews: { news.add() })
    return (load, try #require(held.withLock { $0 }), news)
  }

  private final class Counter: Sendable {
    private let value = Atomic<Int>(0)

    func add() { value.add(1, ordering: .relaxed) }

    var count: Int { value.load(ordering: .relaxed) }
  }

  @Test("One notification comes for all bytes until they are taken, and one for the end")
  func notifications() throws {
    let (load, sink, news) = try load()
    #expect(try load.takeNews() == nil)
    sink.announce(byteCount: file.byteCount)
    for byte in file.upTo(frames: 1) { sink.put([byte]) }
    #expect(news.count == 1)
    let state = try #require(try load.takeNews())
    #expect(state.image?.frameCount == 1 && state.expectedByteCount == file.byteCount && !state.isComplete)
    #expect(try load.takeNews() == nil)
    sink.put(file.bytes[file.frameEnds[0]...])
    #expect(news.count == 2)
    sink.finish()
    #expect(news.count == 3)
    let last = try #require(try load.takeNews())
    #expect(last.isComplete && last.image?.frameCount == 3)
    #expect(try load.takeNews() == nil && news.count == 3)
  }

  @Test("An error is thrown once, with the image so far")
  func failure() throws {
    let (load, sink, news) = try load()
    sink.put(file.upTo(frames: 2))
    sink.fail(GIFLoadingError(.cutOff, source: "test"))
    #expect(news.count == 2)
    let error = #expect(throws: GIFLoadingError.self) { _ = try load.takeNews() }
    #expect(error?.partialImage?.frameCount == 2 && error?.code == .cutOff)
    #expect(try load.takeNews() == nil)
  }

  @Test("A load that is released is cancelled, and notifies no more")
  func released() throws {
    let cancelled = Counter()
    var parts: (load: LoadingStates.Load, sink: LoadingSink, news: Counter)? = try load()
    let (sink, news) = try (#require(parts).sink, #require(parts).news)
    sink.onCancel { cancelled.add() }
    parts = nil
    #expect(cancelled.count == 1 && !sink.put(file.bytes) && news.count == 0)
  }

  @Test("Each image is prepared, and a refused one ends the load")
  func preparation() throws {
    let refused = GIFLoadingError(.unusableFile, source: "test", detail: "has too few frames")
    let (load, sink, _) = try load { image, isComplete throws(GIFLoadingError) in
      if isComplete { throw refused }
      var image = image
      image.damagePolicy = .resilient
      return image
    }
    sink.put(file.upTo(frames: 1))
    #expect(try load.takeNews()?.image?.damagePolicy == .resilient)
    sink.finish()
    let error = #expect(throws: GIFLoadingError.self) { _ = try load.takeNews() }
    #expect(error?.description == "test has too few frames")
  }

  @Test("The whole image is given to the calls for it, in their order; a broken one is not")
  func completion() async throws {
    let (calls, continuation) = AsyncStream.makeStream(of: Int.self)
    var call = calls.makeAsyncIterator()
    let held = Mutex<LoadingSink?>(nil)
    let states = LoadingStates(source: "test") { sink in held.withLock { $0 = sink } }
      .preparing { image, _ in
        var image = image
        image.damagePolicy = .resilient
        return image
      }
      .onCompletion { image in continuation.yield((try? image.fileBytes().count) ?? 0) }
      .onCompletion { _ in continuation.yield(-1) }
    for isWhole in [false, true] {
      let load = states.begin(onNews: nil)
      let sink = try #require(held.withLock { $0 })
      sink.put(file.upTo(frames: 2))
      #expect(try load.takeNews()?.image?.damagePolicy == .resilient)
      if isWhole {
        sink.put(file.bytes[file.frameEnds[1]...])
        sink.finish()
        #expect(try load.takeNews()?.image?.damagePolicy == .resilient)
        // The first that comes is of this load: the one before made no call.
        #expect(await call.next() == file.bytes.count)
        #expect(await call.next() == -1)
      } else {
        sink.fail(GIFLoadingError(.cutOff, source: "test"))
        let error = #expect(throws: GIFLoadingError.self) { _ = try load.takeNews() }
        #expect(error?.partialImage?.damagePolicy == .resilient)
      }
    }
  }

  @Test("Preparations follow each other, and the first that refuses ends it")
  func preparations() throws {
    let image = try GIFImage(bytes: file.bytes)
    let order = Mutex<[Int]>([])
    let refused = GIFLoadingError(.unusableFile, source: "test")
    let states = LoadingStates(source: "test") { $0.finish(with: image) }
      .preparing { image, _ in
        order.withLock { $0.append(1) }
        return image
      }
      .preparing { _, _ throws(GIFLoadingError) in
        order.withLock { $0.append(2) }
        throw refused
      }
      .preparing { image, _ in
        order.withLock { $0.append(3) }
        return image
      }
    #expect(throws: GIFLoadingError.self) { _ = try states.begin(onNews: nil).takeNews() }
    #expect(order.withLock { $0 } == [1, 2])
  }

  @Test("A server without an answer and a pipe without a writer hold up no file")
  func slowSources() async throws {
    let silent = try LoopbackServer()
    let files = try TemporaryFiles()
    let pipes = (0..<8).map { files.path("pipe\($0)") }
    for pipe in pipes { #expect(unsafe mkfifo(pipe, 0o600) == 0) }
    let path = try files.file("a.gif", file.bytes)
    let slow = try [GIFSource(silent.url())] + pipes.map { .file(path: $0) }
    let loader = GIFLoader.patient
    let waiting = slow.map { loader.states(of: $0).begin(onNews: nil) }
    for _ in 0..<20 { #expect(try await loader.load(path).frameCount == 3) }
    for load in waiting { #expect(try load.takeNews() == nil) }
    // The threads of the pipes end.
    for pipe in pipes {
      let descriptor = unsafe open(pipe, O_WRONLY | O_NONBLOCK)
      if descriptor >= 0 { close(descriptor) }
    }
  }
}
