import GIFDecoding
import GIFLoading
import HTTPTestSupport
import Testing

/// Servers that fall silent, and readers that give up.
@Suite struct HTTPPatienceTests {
  private let file = Sample.animation

  /// What libcurl itself waits for takes real time.
  private static let short = Duration.milliseconds(300)

  private func loader(_ change: (inout GIFLoader.Options) -> Void) -> GIFLoader {
    var options = GIFLoader.Options.patient
    change(&options)
    return GIFLoader(options: options)
  }

  /// Silence in the middle: the frames so far play.
  @Test func stallWhileReceiving() async throws {
    let server = try LoopbackServer()
    let time = EngineTime()
    var iterator = try time.loader().states(of: GIFSource(server.url())).makeAsyncIterator()
    let connection = try await server.accept()
    let part = file.upTo(frames: 2)
    try connection.send(Answer.head(length: file.bytes.count) + part)
    while try await iterator.next()?.byteCount != Int64(part.count) {}
    // A sign of life before the limit begins it again.
    time.advance(by: .seconds(29))
    try connection.send(Array(file.bytes[part.count...part.count]))
    #expect(try await iterator.next()?.byteCount == Int64(part.count + 1))
    time.advance(by: .seconds(29))
    try connection.send(Array(file.bytes[(part.count + 1)...(part.count + 1)]))
    #expect(try await iterator.next()?.byteCount == Int64(part.count + 2))
    time.advance(by: .seconds(30))
    let error = try await loadingError { () async throws(GIFLoadingError) in _ = try await iterator.next() }
    #expect(LoadingFault(error) == LoadingFault(.receiving, .timedOut, limit: 30_000))
    #expect(error.partialImage?.frameCount == 2)
    #expect(error.reason == "timed out after 30000 ms while receiving")
    try await connection.otherSideCloses()
  }

  @Test func stallBeforeTheAnswer() async throws {
    let server = try LoopbackServer()
    let time = EngineTime()
    let reader = Task {
      try await loadingError { () async throws(GIFLoadingError) in
        _ = try await time.loader().load(server.url())
      }
    }
    let connection = try await server.accept()
    try connection.send("HTTP/1.1 200 OK\r\nContent-")
    // Whether these bytes come before or after the clock moves is open, so it moves until the limit is
    // passed.
    async let closed: Void = connection.otherSideCloses()
    let mover = Task {
      while !Task.isCancelled {
        time.advance(by: .seconds(10))
        await Task.yield()
      }
    }
    #expect(try await LoadingFault(reader.value) == LoadingFault(.requesting, .timedOut, limit: 30_000))
    mover.cancel()
    try await closed
  }

  /// The limit for all, redirects included, though the server is never silent for long.
  @Test func totalTime() async throws {
    let server = try LoopbackServer()
    let time = EngineTime()
    let loader = time.loader { $0.totalTimeout = .seconds(60) }
    var iterator = try loader.states(of: GIFSource(server.url())).makeAsyncIterator()
    _ = try await server.serve { _ in Answer.redirect(to: "/b") }
    let connection = try await server.accept()
    let part = file.upTo(frames: 1)
    try connection.send(Answer.head(["Transfer-Encoding: chunked"]) + Answer.chunk(part))
    while try await iterator.next()?.byteCount != Int64(part.count) {}
    for count in 1...2 {
      time.advance(by: .seconds(25))
      try connection.send(Answer.chunk([file.bytes[part.count + count - 1]]))
      #expect(try await iterator.next()?.byteCount == Int64(part.count + count))
    }
    time.advance(by: .seconds(10))
    let error = try await loadingError { () async throws(GIFLoadingError) in _ = try await iterator.next() }
    #expect(LoadingFault(error) == LoadingFault(.receiving, .timedOut, limit: 60_000))
    #expect(error.partialImage?.frameCount == 1)
    try await connection.otherSideCloses()
  }

  /// A server that takes the connection and does not go on with TLS.
  @Test func stallInTLS() async throws {
    let server = try LoopbackServer()
    let loader = loader { $0.connectTimeout = Self.short }
    async let failure = loadingError { () async throws(GIFLoadingError) in
      _ = try await loader.load(server.url(scheme: "https"))
    }
    let connection = try await server.acceptSilently()
    try await connection.otherSideCloses()
    #expect(try await LoadingFault(failure) == LoadingFault(.securing, .timedOut, limit: 300))
  }

  /// A machine that does not answer at all.
  @Test func stallWhileConnecting() async throws {
    let silent = try SilentPort()
    let loader = loader { $0.connectTimeout = Self.short }
    let error = try await loadingError { () async throws(GIFLoadingError) in
      _ = try await loader.load("http://127.0.0.1:\(silent.port)/")
    }
    #expect(LoadingFault(error) == LoadingFault(.connecting, .timedOut, limit: 300))
    withExtendedLifetime(silent) {}
  }

  /// A cancelled task: its connection closes at once.
  @Test func cancelledInTheMiddle() async throws {
    let server = try LoopbackServer()
    let (reports, report) = AsyncStream.makeStream(of: Int.self)
    let reader = Task {
      try await loadingError { () async throws(GIFLoadingError) in
        for try await state in try GIFLoader.patient.states(of: GIFSource(server.url())) {
          report.yield(Int(state.byteCount))
        }
      }
    }
    let connection = try await server.accept()
    try connection.send(Answer.head(length: file.bytes.count) + file.upTo(frames: 1))
    var seen = reports.makeAsyncIterator()
    while let count = await seen.next(), count < file.frameEnds[0] {}
    reader.cancel()
    try await connection.otherSideCloses()
    let error = try await reader.value
    #expect(LoadingFault(error) == LoadingFault(.receiving, .cancelled))
    #expect(error.partialImage?.frameCount == 1)
  }

  @Test func cancelledBeforeTheAnswer() async throws {
    let server = try LoopbackServer()
    let reader = Task {
      try await loadingError { () async throws(GIFLoadingError) in
        _ = try await GIFLoader.patient.load(server.url())
      }
    }
    let connection = try await server.accept()
    reader.cancel()
    try await connection.otherSideCloses()
    #expect(try await LoadingFault(reader.value) == LoadingFault(.receiving, .cancelled))
  }

  /// A reader that has seen enough.
  @Test func droppedIterator() async throws {
    let server = try LoopbackServer()
    let reader = Task {
      for try await state in try GIFLoader.patient.states(of: GIFSource(server.url()))
      where state.image?.frameCount == 1 {
        break
      }
    }
    let connection = try await server.accept()
    try connection.send(Answer.head(length: file.bytes.count) + file.upTo(frames: 1))
    try await connection.otherSideCloses()
    try await reader.value
  }

  /// One load that is given up leaves the others alone.
  @Test func othersGoOn() async throws {
    let server = try LoopbackServer()
    let first = Task {
      try await loadingError { () async throws(GIFLoadingError) in
        _ = try await GIFLoader.patient.load(server.url("/1"))
      }
    }
    let given = try await server.accept()
    async let second = GIFLoader.patient.load(server.url("/2"))
    let kept = try await server.accept()
    try kept.send(Answer.head(length: file.bytes.count) + file.upTo(frames: 1))
    first.cancel()
    try await given.otherSideCloses()
    try kept.send(Array(file.bytes[file.frameEnds[0]...]))
    #expect(try await Shown(second) == Shown(file: file.bytes))
    #expect(try await first.value.code == .cancelled)
  }
}
