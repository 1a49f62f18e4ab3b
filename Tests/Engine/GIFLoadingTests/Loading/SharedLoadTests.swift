import GIFDecoding
import HTTPTestSupport
import Testing

@testable import GIFLoading

@Suite("Loads of one URL share a transfer, and its image while it is in use")
struct SharedLoadTests {
  private let file = Sample.animation
  private let shared = SharedLoads()

  private func loader(_ change: (inout GIFLoader.Options) -> Void = { _ in }) -> GIFLoader {
    var options = GIFLoader.Options.patient
    options.sharesLoads = true
    change(&options)
    return GIFLoader(options: options, engine: .shared, shared: shared)
  }

  /// A load whose news can be waited for.
  private final class Reader: Sendable {
    let load: LoadingStates.Load

    init(_ loader: GIFLoader, _ url: String) throws {
      load = try loader.states(of: GIFSource(url)).begin(onNews: nil)
    }

    /// Waits until this many bytes have come.
    func state(bytes: Int) async throws -> LoadingState {
      while let state = try await load.next(onlyEnd: false) {
        if state.byteCount >= bytes { return state }
      }
      return try #require(nil, "the load ended before")
    }

    func image() async throws -> GIFImage { try #require(try await load.next(onlyEnd: true)?.image) }
  }

  @Test("Two loads take one transfer; one that comes later has at once what has arrived")
  func oneTransfer() async throws {
    let server = try LoopbackServer()
    let one = try Reader(loader(), server.url("/a.gif"))
    let connection = try await server.accept()
    try connection.send(Answer.head(length: file.bytes.count) + file.upTo(frames: 2))
    #expect(try await one.state(bytes: file.frameEnds[1]).image?.frameCount == 2)
    let two = try Reader(loader(), server.url("/a.gif"))
    let state = try #require(try two.load.takeNews())
    #expect(state.image?.frameCount == 2 && state.expectedByteCount == file.byteCount)
    try connection.send(Array(file.bytes[file.frameEnds[1]...]))
    connection.close()
    let images = (try await one.image(), try await two.image())
    #expect(try Shown(images.0) == Shown(file: file.bytes))
    #expect(try Shown(images.1) == Shown(file: file.bytes))
    #expect(images.0.heldMemory?.id == images.1.heldMemory?.id)
  }

  @Test("One that cancels keeps its frames and leaves the others their transfer; the last one ends it")
  func cancelling() async throws {
    let server = try LoopbackServer()
    let one = try Reader(loader(), server.url())
    let connection = try await server.accept()
    var two: Reader? = try Reader(loader(), server.url())
    try connection.send(Answer.head(length: file.bytes.count) + file.upTo(frames: 1))
    _ = try await one.state(bytes: file.frameEnds[0])
    one.load.cancel()
    let error = try await loadingError { () async throws(GIFLoadingError) in
      _ = try await one.load.next(onlyEnd: false)
    }
    #expect(error.code == .cancelled && error.partialImage?.frameCount == 1)
    try connection.send(Array(file.bytes[file.frameEnds[0]..<file.frameEnds[1]]))
    #expect(try await two?.state(bytes: file.frameEnds[1]).image?.frameCount == 2)
    two = nil
    try await connection.otherSideCloses()
    #expect(shared.count == 0)
    // The next load starts over.
    async let image = loader().load(server.url())
    _ = try await server.serve { _ in Answer.whole(file.bytes) }
    #expect(try await image.frameCount == 3)
  }

  @Test("Other limits, headers or credentials have a transfer of their own")
  func otherOptions() async throws {
    let server = try LoopbackServer()
    let readers = try [
      Reader(loader(), server.url()),
      Reader(loader { $0.byteLimit = 1_000_000 }, server.url()),
      Reader(loader { $0.limits = .untrusted }, server.url()),
      Reader(loader { $0.headers = ["Accept": "image/gif"] }, server.url()),
      Reader(loader(), server.url(credentials: "user:word@")),
      Reader(loader { $0.sharesLoads = false }, server.url()),
      Reader(loader(), server.url("/other")),
      // A fragment is no part of a request.
      Reader(loader(), server.url("/#place")),
    ]
    _ = try await server.serve(readers.count - 1) { _ in Answer.whole(file.bytes) }
    for reader in readers { #expect(try await reader.image().frameCount == 3) }
  }

  @Test("An image that is in use is found without a request, under each of its copies")
  func foundAgain() async throws {
    let server = try LoopbackServer()
    let url = server.url()
    async let first = loader().load(url)
    _ = try await server.serve { _ in Answer.whole(file.bytes) }
    let image = try await first
    // The server answers no more.
    let again = try await loader().load(url)
    #expect(again.heldMemory?.id == image.heldMemory?.id && shared.count == 1)
    #expect(try Shown(again) == Shown(file: file.bytes))
    let state = try #require(try Reader(loader(), url).load.takeNews())
    #expect(state.isComplete && state.byteCount == file.byteCount && state.fractionCompleted == 1)
    #expect(state.image?.hasSameContent(as: image) == true)
  }

  @Test("The last use of an image takes it out of the table")
  func released() async throws {
    let server = try LoopbackServer()
    let (loader, url) = (loader(), server.url())
    let served = Task { try await server.serve(2) { _ in Answer.whole(file.bytes) } }
    for _ in 0..<2 {
      try await Self.use(loader, url)
      #expect(shared.count == 0)
    }
    #expect(try await served.value.count == 2)
  }

  /// Loads an image and releases it.
  private static func use(_ loader: GIFLoader, _ url: String) async throws {
    #expect(try await loader.load(url).frameCount == 3)
  }

  @Test("A file without its end and a failed load are not found again")
  func unfinished() async throws {
    let server = try LoopbackServer()
    let (loader, url) = (loader(), server.url())
    async let cut = loader.load(url)
    _ = try await server.serve { _ in Array("HTTP/1.0 200 OK\r\n\r\n".utf8) + file.upTo(frames: 2) }
    let image = try await cut
    #expect(image.frameCount == 2 && shared.count == 0)
    async let failure = loadingError { () async throws(GIFLoadingError) in _ = try await loader.load(url) }
    _ = try await server.serve { _ in Answer.whole([], status: "404 Not Found") }
    #expect(try await failure.code == .badStatus && shared.count == 0)
  }

  @Test("Readers that come and go at any moment all end, and leave nothing behind")
  func anyMoment() async throws {
    let bytes = file.bytes
    let table = shared
    let address = try WebAddress("http://example.org/")
    let options = GIFLoader.Options()
    // Holds the sink until it ends, as a transfer does.
    let feed: @Sendable (LoadingSink) -> Void = { sink in
      Task {
        for byte in bytes where !sink.isCancelled { sink.put([byte]) }
        sink.finish()
      }
    }
    await withTaskGroup(of: Void.self) { group in
      for number in 0..<400 {
        group.addTask {
          let key = SharedLoads.Key(
            address: address, options: options, engine: ObjectIdentifier(TransferEngine.shared))
          let states = LoadingStates(source: "test") { onNews in
            table.open(key, limits: .default, onNews: onNews, start: feed)
          }
          let reader = Task {
            do throws(GIFLoadingError) {
              let image = try await states.finalImage()
              return image.frameCount == 3
            } catch {
              return error.code == .cancelled
            }
          }
          if number % 3 != 0 { reader.cancel() }
          #expect(await reader.value)
        }
      }
    }
    while table.count > 0 { await Task.yield() }
  }
}
