import GIFDecoding
import Synchronization
import Testing

@testable import GIFLoading

/// Loads whose bytes the test puts in: what a reader sees of them.
@Suite struct LoadingStatesTests {
  private let file = Sample.animation

  /// A load with its sink in the test's hands.
  private func load(limit: Int = 1 << 20) -> (iterator: LoadingStates.AsyncIterator, sink: LoadingSink) {
    var limits = DecodingLimits.default
    limits.streamBytes = limit
    let iterator = LoadingStates(source: "test", limits: limits) { _ in }.makeAsyncIterator()
    return (iterator, iterator.load.sink)
  }

  /// Every byte is told, and the image grows with them.
  @Test func byteByByte() async throws {
    var (iterator, sink) = load()
    sink.announce(byteCount: file.byteCount)
    var counts: [Int?] = []
    for (index, byte) in file.bytes.enumerated() {
      #expect(sink.put([byte]))
      let state = try #require(try await iterator.next())
      #expect(state.byteCount == index + 1)
      #expect(state.expectedByteCount == file.byteCount)
      #expect(!state.isComplete)
      counts.append(state.image?.frameCount)
    }
    #expect(counts.first == .some(nil) && counts.last == 3)
    #expect(counts.compactMap { $0 } == counts.compactMap { $0 }.sorted())
    sink.finish()
    let last = try #require(try await iterator.next())
    #expect(last.isComplete)
    #expect(try Shown(#require(last.image)) == Shown(file: file.bytes))
    #expect(try await iterator.next() == nil)
    #expect(try await iterator.next() == nil)
  }

  /// A slow reader gets the newest state, once.
  @Test func newestWins() async throws {
    var (iterator, sink) = load()
    for frames in 1...2 {
      let start = frames == 1 ? 0 : file.frameEnds[frames - 2]
      for byte in file.bytes[start..<file.frameEnds[frames - 1]] { sink.put([byte]) }
      let state = try #require(try await iterator.next())
      #expect(state.image?.frameCount == frames)
      #expect(state.byteCount == file.frameEnds[frames - 1])
    }
    sink.put(file.bytes[file.frameEnds[1]...])
    sink.finish()
    #expect(try await iterator.next()?.isComplete == true)
    #expect(try await iterator.next() == nil)
  }

  /// A reader that waits is woken by each of the things that can happen.
  @Test func waitingReader() async throws {
    let (iterator, sink) = load()
    let (reports, report) = AsyncStream.makeStream(of: Int.self)
    let reader = Task {
      var iterator = iterator
      var states: [LoadingState] = []
      while let state = try await iterator.next() {
        states.append(state)
        report.yield(Int(state.byteCount))
      }
      return states
    }
    var seen = reports.makeAsyncIterator()
    sink.put(file.upTo(frames: 1))
    #expect(await seen.next() == file.frameEnds[0])
    sink.put([])
    sink.put(file.bytes[file.frameEnds[0]...])
    #expect(await seen.next() == file.bytes.count)
    sink.finish()
    #expect(try await reader.value.map(\.isComplete) == [false, false, true])
  }

  /// A length that fewer bytes than came would fit is not believed, and none is taken for a promise.
  @Test func lengths() async throws {
    var (iterator, sink) = load()
    sink.announce(byteCount: 10)
    sink.put(file.bytes.prefix(10))
    #expect(try await iterator.next()?.expectedByteCount == 10)
    sink.put(file.bytes[10..<11])
    #expect(try await iterator.next()?.expectedByteCount == nil)
    sink.announce(byteCount: nil)
    sink.put(file.bytes[11...])
    #expect(try await iterator.next()?.expectedByteCount == nil)
  }

  /// The first bytes decide, however few they are.
  @Test(arguments: ["X", "<html>", "GIX", "GIF88a", "\u{89}PNG", " GIF89a"])
  func notAGIF(_ text: String) async throws {
    var (iterator, sink) = load()
    #expect(!sink.put(Array(text.utf8)))
    #expect(!sink.put(file.bytes))
    sink.finish()
    let error = try await loadingError { () async throws(GIFLoadingError) in _ = try await iterator.next() }
    #expect(LoadingFault(error) == LoadingFault(.decoding, .unusableFile))
    #expect(error.underlying?.code == .notAGIF)
    #expect(error.source == "test" && error.partialImage == nil)
    #expect(try await iterator.next() == nil)
  }

  @Test func emptyFile() async throws {
    let (iterator, sink) = load()
    sink.finish()
    let error = try await loadingError { () async throws(GIFLoadingError) in
      _ = try await iterator.load.next(onlyEnd: true)
    }
    #expect(error.underlying?.code == .emptyFile)
  }

  /// One byte more than the limit, in any cut, is one too many; up to it nothing is.
  @Test(arguments: [1, 7, 1000])
  func sizeLimit(_ piece: Int) async throws {
    let size = file.bytes.count
    for limit in [size, size - 1] {
      var (iterator, sink) = load(limit: limit)
      var isWanted = true
      for start in stride(from: 0, to: size, by: piece) {
        isWanted = sink.put(file.bytes[start..<min(size, start + piece)])
      }
      sink.finish()
      #expect(isWanted == (limit == size))
      guard limit < size else { continue }
      let error = try await loadingError { () async throws(GIFLoadingError) in
        while try await iterator.next() != nil {}
      }
      #expect(
        LoadingFault(error) == LoadingFault(.receiving, .tooLarge, value: Int64(size), limit: Int64(limit)))
      #expect(error.partialImage == nil)
    }
  }

  /// What came before a fault can still be shown, as a file that ends there.
  @Test(arguments: 0...3)
  func brokenOff(_ frames: Int) async throws {
    var (iterator, sink) = load()
    let bytes = frames == 0 ? Array(file.bytes.prefix(20)) : file.upTo(frames: frames)
    sink.put(bytes)
    sink.fail(GIFLoadingError(.receiving, .cutOff, source: "test"))
    sink.put(file.bytes)
    let error = try await loadingError { () async throws(GIFLoadingError) in
      while try await iterator.next() != nil {}
    }
    #expect(LoadingFault(error) == LoadingFault(.receiving, .cutOff))
    #expect((error.partialImage == nil) == (frames == 0))
    if let image = error.partialImage {
      #expect(try Shown(image) == Shown(file: bytes))
      #expect(image.frameCount == frames)
    }
    #expect(try await iterator.next() == nil)
  }

  @Test func finalImage() async throws {
    let bytes = file.bytes
    let states = LoadingStates(source: "test") { sink in
      sink.put(bytes.prefix(30))
      sink.put(bytes.dropFirst(30))
      sink.finish()
    }
    #expect(try await Shown(states.finalImage()) == Shown(file: bytes))
  }

  /// Each iteration loads again.
  @Test func iterations() async throws {
    let starts = Mutex(0)
    let image = try GIFImage(bytes: file.bytes)
    let states = LoadingStates(source: "test") { sink in
      starts.withLock { $0 += 1 }
      sink.finish(with: image)
    }
    for _ in 0..<3 {
      var seen = 0
      for try await state in states {
        #expect(state.isComplete && state.byteCount == file.bytes.count)
        seen += 1
      }
      #expect(seen == 1)
    }
    #expect(starts.withLock { $0 } == 3)
  }
}
