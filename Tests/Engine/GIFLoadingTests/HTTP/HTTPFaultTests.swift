import GIFDecoding
import GIFLoading
import HTTPTestSupport
import Testing

/// Servers that misbehave: each with the right stage and reason, and what had come by then.
@Suite struct HTTPFaultTests {
  private let file = Sample.animation

  /// Loads while the server does something; gives the error of the load.
  private func load(
    from server: LoopbackServer, options: GIFLoader.Options = GIFLoader.Options.patient,
    path: String = "/a.gif",
    scheme: String = "http", while serve: (LoopbackServer) async throws -> Void
  ) async throws -> GIFLoadingError {
    let loader = GIFLoader(options: options)
    let url = server.url(path, scheme: scheme)
    async let failure = loadingError { () async throws(GIFLoadingError) in _ = try await loader.load(url) }
    try await serve(server)
    let error = try await failure
    #expect(error.source == url)
    #expect(!error.description.isEmpty && !error.description.contains("\n"))
    return error
  }

  @Test(arguments: ["404 Not Found", "500 Internal Server Error", "403 Forbidden", "304 Not Modified"])
  func status(_ status: String) async throws {
    let error = try await load(from: LoopbackServer()) { server in
      _ = try await server.serve { _ in Answer.whole(file.bytes, status: status) }
    }
    #expect(LoadingFault(error) == LoadingFault(.status, .badStatus, value: Int64(status.prefix(3))))
    #expect(error.description.contains(status.prefix(3)))
    #expect(error.partialImage == nil)
  }

  @Test func emptyBody() async throws {
    for answer in [Answer.whole([]), Answer.head("204 No Content")] {
      let error = try await load(from: LoopbackServer()) { server in
        _ = try await server.serve { _ in answer }
      }
      #expect(LoadingFault(error) == LoadingFault(.decoding, .unusableFile))
      #expect(error.underlying?.code == .emptyFile)
    }
  }

  /// The first bytes tell: the load ends there, whatever the header says and though the answer goes on.
  @Test func notAGIF() async throws {
    let error = try await load(from: LoopbackServer()) { server in
      let connection = try await server.accept()
      try connection.send(Answer.head(length: 1_000_000))
      try connection.send("<!DOCTYPE html>")
      try await connection.otherSideCloses()
    }
    #expect(LoadingFault(error) == LoadingFault(.decoding, .unusableFile))
    #expect(error.underlying?.code == .notAGIF)
  }

  /// Fewer bytes than announced: the transfer was cut off, and the frames so far play.
  @Test(arguments: [false, true])
  func shorterThanAnnounced(_ isReset: Bool) async throws {
    let part = file.upTo(frames: 2)
    let server = try LoopbackServer()
    var iterator = try GIFLoader.patient.states(of: GIFSource(server.url())).makeAsyncIterator()
    let connection = try await server.accept()
    try connection.send(Answer.head(length: file.bytes.count) + part)
    // A reset may overtake what was sent, so it waits until that was seen.
    while try await iterator.next()?.byteCount != Int64(part.count) {}
    if isReset { connection.reset() } else { connection.close() }
    let error = try await loadingError { () async throws(GIFLoadingError) in
      while try await iterator.next() != nil {}
    }
    #expect(
      LoadingFault(error)
        == LoadingFault(.receiving, .cutOff, value: Int64(part.count), limit: Int64(file.bytes.count)))
    let image = try #require(error.partialImage)
    #expect(try Shown(image) == Shown(file: part))
    #expect(error.reason == "was cut off after \(part.count) of \(file.bytes.count) bytes")
    #expect(try await iterator.next() == nil)
  }

  @Test func chunkedCutOff() async throws {
    let error = try await load(from: LoopbackServer()) { server in
      _ = try await server.serve { _ in
        Answer.head(["Transfer-Encoding: chunked"]) + Answer.chunk(file.upTo(frames: 1))
          + Array("5\r\nx".utf8)
      }
    }
    #expect(LoadingFault(error) == LoadingFault(.receiving, .cutOff))
    #expect(error.partialImage?.frameCount == 1)
  }

  /// Cut off before there is a picture: nothing to show.
  @Test func cutOffBeforeThePicture() async throws {
    let error = try await load(from: LoopbackServer()) { server in
      _ = try await server.serve { _ in Answer.head(length: 100) + file.bytes.prefix(10) }
    }
    #expect(LoadingFault(error) == LoadingFault(.receiving, .cutOff, value: 10, limit: 100))
    #expect(error.partialImage == nil)
  }

  @Test(arguments: ["", "HTTP/1.1 200 OK\r\nContent-Len"])
  func cutOffInTheHead(_ text: String) async throws {
    let error = try await load(from: LoopbackServer()) { server in
      _ = try await server.serve { _ in Array(text.utf8) }
    }
    #expect([.badResponse, .cutOff, .unusableFile].contains(error.code))
    #expect(text.isEmpty ? error.stage == .requesting : true)
  }

  @Test(arguments: ["GIF89a and no head", "220 smtp.example\r\n", "SSH-2.0-x\r\n\r\n"])
  func notHTTP(_ text: String) async throws {
    let error = try await load(from: LoopbackServer()) { server in
      _ = try await server.serve { _ in Array(text.utf8) }
    }
    #expect(LoadingFault(error) == LoadingFault(.requesting, .badResponse))
  }

  // MARK: Size

  /// An announced size above the limit is refused before a byte of it is taken.
  @Test func announcedTooLarge() async throws {
    var options = GIFLoader.Options.patient
    options.byteLimit = file.byteCount - 1
    let error = try await load(from: LoopbackServer(), options: options) { server in
      let connection = try await server.accept()
      try connection.send(Answer.head(length: file.bytes.count))
      try await connection.otherSideCloses()
    }
    #expect(
      LoadingFault(error)
        == LoadingFault(
          .receiving, .tooLarge, value: Int64(file.bytes.count), limit: Int64(file.bytes.count - 1)))
  }

  /// A file without an end, its length not told: the limit holds, and the transfer is stopped there.
  @Test func endlessFile() async throws {
    var options = GIFLoader.Options.patient
    options.byteLimit = 100_000
    let error = try await load(from: LoopbackServer(), options: options) { server in
      let connection = try await server.accept()
      try connection.send(Answer.head(["Transfer-Encoding: chunked"]) + Answer.chunk(file.bytes))
      try await connection.sendUntilClosed(Answer.chunk([UInt8](repeating: 0, count: 4000)))
    }
    #expect(error.stage == .receiving && error.code == .tooLarge)
    #expect(error.limit == 100_000 && error.value ?? 0 > 100_000 && error.value ?? .max < 200_000)
    #expect(error.partialImage == nil)
  }

  @Test func sizeAtTheLimit() async throws {
    var options = GIFLoader.Options.patient
    options.byteLimit = file.byteCount
    let server = try LoopbackServer()
    let loader = GIFLoader(options: options)
    async let image = loader.load(server.url())
    _ = try await server.serve { _ in Answer.whole(file.bytes) }
    #expect(try await image.frameCount == 3)
  }

  // MARK: Connecting

  @Test func refused() async throws {
    let closed = try ClosedPort()
    let error = try await loadingError { () async throws(GIFLoadingError) in
      _ = try await GIFLoader.patient.load("http://user:secret@127.0.0.1:\(closed.port)/a.gif")
    }
    #expect(LoadingFault(error) == LoadingFault(.connecting, .connectionFailed))
    #expect(error.source == "http://127.0.0.1:\(closed.port)/a.gif")
  }

  /// A name that no resolver may know (RFC 6761).
  @Test func unknownHost() async throws {
    let error = try await loadingError { () async throws(GIFLoadingError) in
      _ = try await GIFLoader.patient.load("http://gallop.invalid/a.gif")
    }
    #expect(LoadingFault(error) == LoadingFault(.resolving, .hostNotFound))
  }

  /// A server that speaks no TLS.
  @Test func noTLS() async throws {
    let error = try await load(from: LoopbackServer(), scheme: "https") { server in
      let connection = try await server.acceptSilently()
      try connection.send("HTTP/1.1 400 Bad Request\r\n\r\n")
      connection.close()
    }
    #expect(LoadingFault(error) == LoadingFault(.securing, .insecureConnection))
  }
}
