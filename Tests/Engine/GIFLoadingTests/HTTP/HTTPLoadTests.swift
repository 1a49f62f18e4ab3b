import GIFDecoding
import GIFLoading
import HTTPTestSupport
import Testing

/// Loads over HTTP that come to their end.
@Suite struct HTTPLoadTests {
  private let file = Sample.animation
  private let loader = GIFLoader.patient

  @Test func plain() async throws {
    let server = try LoopbackServer()
    async let image = loader.load(server.url("/horse.gif?size=1"))
    let requests = try await server.serve { _ in Answer.whole(file.bytes) }
    #expect(try await Shown(image) == Shown(file: file.bytes))
    let request = try #require(requests.first)
    #expect(request.method == "GET" && request.target == "/horse.gif?size=1")
    #expect(request.headers["host"] == "127.0.0.1:\(server.port)")
    #expect(request.headers["user-agent"] == "Gallop")
    #expect(request.headers["authorization"] == nil)
  }

  @Test func fragmentsAndSpaces() async throws {
    let server = try LoopbackServer()
    async let image = loader.load(server.url("/a b/ä.gif#frame"))
    let requests = try await server.serve { _ in Answer.whole(file.bytes) }
    #expect(try await image.frameCount == 3)
    #expect(requests.first?.target == "/a%20b/%C3%A4.gif")
  }

  @Test func chunked() async throws {
    let server = try LoopbackServer()
    let bytes = file.bytes
    var iterator = try loader.states(of: GIFSource(server.url())).makeAsyncIterator()
    let connection = try await server.accept()
    try connection.send(Answer.head(["Transfer-Encoding: chunked"]))
    for (index, byte) in bytes.enumerated() {
      try connection.send(Answer.chunk([byte]))
      let state = try #require(try await iterator.next())
      #expect(state.byteCount == index + 1 && state.expectedByteCount == nil)
    }
    try connection.send(Answer.chunk([]))
    let last = try #require(try await iterator.next())
    #expect(last.isComplete)
    #expect(try Shown(#require(last.image)) == Shown(file: bytes))
    #expect(try await iterator.next() == nil)
  }

  /// Byte by byte: the reader sees each, and the image grows.
  @Test func byteByByte() async throws {
    let server = try LoopbackServer()
    let bytes = file.bytes
    var iterator = try loader.states(of: GIFSource(server.url())).makeAsyncIterator()
    let connection = try await server.accept()
    try connection.send(Answer.head(length: bytes.count))
    var frames: [Int] = []
    for (index, byte) in bytes.dropLast().enumerated() {
      try connection.send([byte])
      let state = try #require(try await iterator.next())
      #expect(state.byteCount == index + 1 && state.expectedByteCount == Int64(bytes.count))
      #expect(!state.isComplete && state.image?.metadata.isComplete != true)
      if let image = state.image { frames.append(image.frameCount) }
    }
    #expect(frames == frames.sorted() && Set(frames).isSuperset(of: [1, 2, 3]))
    // The last byte and the end behind it may be seen as one.
    try connection.send(Array(bytes.suffix(1)))
    var last: LoadingState?
    while let state = try await iterator.next() { last = state }
    #expect(last?.isComplete == true && last?.byteCount == Int64(bytes.count))
    #expect(last?.image?.metadata.isComplete == true)
  }

  /// HTTP/1.0: the end of the connection is the end of the file, also of one that was cut off.
  @Test func lengthUnknown() async throws {
    for bytes in [file.bytes, file.upTo(frames: 2)] {
      let server = try LoopbackServer()
      async let image = loader.load(server.url())
      _ = try await server.serve { _ in Array("HTTP/1.0 200 OK\r\n\r\n".utf8) + bytes }
      #expect(try await Shown(image) == Shown(file: bytes))
    }
  }

  /// What the header says of the content decides nothing.
  @Test(arguments: ["text/html", "image/png", "application/octet-stream", "nonsense", ""])
  func contentTypeIsNotBelieved(_ type: String) async throws {
    let server = try LoopbackServer()
    async let image = loader.load(server.url())
    _ = try await server.serve { _ in Answer.whole(file.bytes, type: type) }
    #expect(try await image.frameCount == 3)
  }

  @Test func interimAnswers() async throws {
    let server = try LoopbackServer()
    async let image = loader.load(server.url())
    _ = try await server.serve { _ in
      Array("HTTP/1.1 103 Early Hints\r\nLocation: /no\r\n\r\n".utf8) + Answer.whole(file.bytes)
    }
    #expect(try await image.frameCount == 3)
  }

  /// A server that sends more than it said: HTTP ends where it said.
  @Test func longerThanAnnounced() async throws {
    let server = try LoopbackServer()
    async let whole = loader.load(server.url())
    _ = try await server.serve { _ in
      Answer.head(length: file.bytes.count) + file.bytes + Array("and more".utf8)
    }
    #expect(try await Shown(whole) == Shown(file: file.bytes))
    async let part = loader.load(server.url())
    _ = try await server.serve { _ in Answer.head(length: file.frameEnds[1]) + file.bytes }
    #expect(try await Shown(part) == Shown(file: file.upTo(frames: 2)))
  }

  /// Credentials of the URL are sent and stay out of everything else.
  @Test func credentials() async throws {
    let server = try LoopbackServer()
    let url = server.url("/x", credentials: "user:pass%20word@")
    async let image = loader.load(url)
    let requests = try await server.serve { _ in Answer.whole(file.bytes) }
    #expect(try await image.frameCount == 3)
    #expect(requests.first?.headers["authorization"] == "Basic dXNlcjpwYXNzIHdvcmQ=")
    async let failure = loadingError { () async throws(GIFLoadingError) in _ = try await loader.load(url) }
    _ = try await server.serve { _ in Answer.whole([], status: "401 Unauthorized") }
    let error = try await failure
    #expect(LoadingFault(error) == LoadingFault(.status, .badStatus, value: 401))
    #expect(error.source == server.url("/x"))
    #expect(!error.description.contains("pass"))
  }

  @Test func ownHeaders() async throws {
    let server = try LoopbackServer()
    var options = GIFLoader.Options.patient
    options.headers = ["X-Key": "value: 1", "User-Agent": "Other", "X-Empty": ""]
    let loader = GIFLoader(options: options)
    async let image = loader.load(server.url())
    let requests = try await server.serve { _ in Answer.whole(file.bytes) }
    #expect(try await image.frameCount == 3)
    #expect(requests.first?.headers["x-key"] == "value: 1")
    #expect(requests.first?.headers["user-agent"] == "Other")
    #expect(requests.first?.headers["x-empty"] == "")
  }

  /// A header that would smuggle in another is refused before anything is sent.
  @Test(arguments: [
    ("X", "a\r\nHost: b"), ("X", "a\nb"), ("X", "\0"), ("X: y", "z"), ("", "x"), ("X\r\n", "y"),
  ])
  func malformedHeaders(_ name: String, _ value: String) async throws {
    let server = try LoopbackServer()
    var options = GIFLoader.Options.patient
    options.headers = [name: value]
    let loader = GIFLoader(options: options)
    let error = try await loadingError { () async throws(GIFLoadingError) in
      _ = try await loader.load(server.url())
    }
    #expect(LoadingFault(error) == LoadingFault(.requesting, .malformedHeader))
  }

  /// Many loads at once, each with its own answer.
  @Test func manyAtOnce() async throws {
    let server = try LoopbackServer()
    let counts = Array(1...24)
    async let served = server.serve(counts.count) { request in
      Answer.whole(Sample(frames: Int(request.target.dropFirst()) ?? 1).bytes)
    }
    let found = try await withThrowingTaskGroup(of: (Int, Int).self) { group in
      for count in counts {
        group.addTask { (count, try await GIFLoader.patient.load(server.url("/\(count)")).frameCount) }
      }
      return try await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
    }
    #expect(try await served.count == counts.count)
    #expect(found == Dictionary(uniqueKeysWithValues: counts.map { ($0, $0) }))
  }
}
