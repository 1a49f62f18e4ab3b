import GIFDecoding
import Synchronization
import Testing

@testable import GIFLoading

/// Readers that give up: the loader is told, once.
@Suite struct LoadingCancellationTests {
  private let file = Sample.animation

  /// A load that counts how often it was told to stop.
  private final class CountedLoad: Sendable {
    let cancellations = Mutex(0)
    let sink = Mutex<LoadingSink?>(nil)

    var states: LoadingStates {
      LoadingStates(source: "test") { sink in
        self.sink.withLock { $0 = sink }
        sink.onCancel { self.cancellations.withLock { $0 += 1 } }
      }
    }

    var count: Int { cancellations.withLock { $0 } }
    func receive(_ bytes: [UInt8]) -> Bool { sink.withLock { $0 }?.put(bytes) ?? false }
  }

  @Test func cancelledWhileWaiting() async throws {
    let load = CountedLoad()
    let (reports, report) = AsyncStream.makeStream(of: Void.self)
    let reader = Task {
      await loadingFault { () async throws(GIFLoadingError) in
        for try await _ in load.states { report.yield() }
      }
    }
    while load.sink.withLock({ $0 == nil }) { await Task.yield() }
    #expect(load.receive(file.upTo(frames: 1)))
    var seen = reports.makeAsyncIterator()
    await seen.next()
    reader.cancel()
    #expect(await reader.value == LoadingFault(.receiving, .cancelled))
    #expect(load.count == 1)
    #expect(!load.receive([0]))
  }

  /// A task that is cancelled already gets nothing, even where all is there.
  @Test func cancelledBefore() async throws {
    let load = CountedLoad()
    let reader = Task {
      unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
      return await loadingFault { () async throws(GIFLoadingError) in _ = try await load.states.finalImage() }
    }
    #expect(await reader.value == LoadingFault(.receiving, .cancelled))
    #expect(load.count == 1)
  }

  /// The frames that had come can still be shown.
  @Test func cancelledLeavesFrames() async throws {
    for frames in 0...2 {
      let load = CountedLoad()
      let iterator = load.states.makeAsyncIterator()
      #expect(load.receive(frames == 0 ? Array(file.bytes.prefix(20)) : file.upTo(frames: frames)))
      iterator.load.cancel()
      iterator.load.cancel()
      #expect(load.count == 1 && !load.receive(file.bytes))
      let error = try await loadingError { () async throws(GIFLoadingError) in
        _ = try await iterator.load.next(onlyEnd: true)
      }
      #expect(error.code == .cancelled && error.partialImage?.frameCount == (frames == 0 ? nil : frames))
      #expect(try await iterator.load.next(onlyEnd: false) == nil)
    }
  }

  @Test func droppedIterator() {
    let load = CountedLoad()
    var iterator: LoadingStates.AsyncIterator? = load.states.makeAsyncIterator()
    #expect(iterator != nil && load.count == 0)
    iterator = nil
    #expect(load.count == 1)
    #expect(!load.receive(file.bytes))
  }

  /// A loop that is left early.
  @Test func brokenLoop() async throws {
    let load = CountedLoad()
    let bytes = file.upTo(frames: 1)
    let states = LoadingStates(source: "test") { sink in
      sink.onCancel { load.cancellations.withLock { $0 += 1 } }
      sink.put(bytes)
    }
    for try await state in states where state.image != nil { break }
    #expect(load.count == 1)
  }

  /// Nobody is told to stop what has ended.
  @Test func endedBefore() async throws {
    for isFailed in [false, true] {
      let load = CountedLoad()
      var iterator: LoadingStates.AsyncIterator? = load.states.makeAsyncIterator()
      let sink = try #require(load.sink.withLock { $0 })
      if isFailed { sink.fail(GIFLoadingError(.status, .badStatus, source: "test")) } else { sink.finish() }
      sink.onCancel { load.cancellations.withLock { $0 += 1 } }
      iterator = nil
      #expect(iterator == nil && load.count == 0)
    }
  }

  /// A loader that comes late with its handler is told at once.
  @Test func lateHandler() {
    let count = Mutex(0)
    let sink = LoadingSink(source: "test", limits: .default)
    let reader = sink.join(onNews: nil) ?? 0
    sink.cancel(reader)
    sink.onCancel { count.withLock { $0 += 1 } }
    sink.leave(reader)
    #expect(count.withLock { $0 } == 1)
  }

  /// Many loads, cancelled from elsewhere at any moment, all end.
  @Test func anyMoment() async {
    let bytes = file.bytes
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<200 {
        group.addTask {
          let (iterator, sink) = {
            let iterator = LoadingStates(source: "test") { _ in }.makeAsyncIterator()
            return (iterator, iterator.load.sink)
          }()
          let reader = Task {
            var iterator = iterator
            while (try? await iterator.next()) != nil {}
          }
          async let feeding: Void = {
            for byte in bytes { sink.put([byte]) }
            sink.finish()
          }()
          reader.cancel()
          await feeding
          await reader.value
        }
      }
    }
  }
}

/// The fault that `body` ends with, if any.
private func loadingFault(_ body: () async throws(GIFLoadingError) -> Void) async -> LoadingFault? {
  do throws(GIFLoadingError) {
    try await body()
    return nil
  } catch {
    return LoadingFault(error)
  }
}
