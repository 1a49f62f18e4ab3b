import GIFDecoding
import GIFLoading
import HTTPTestSupport
import Testing

/// Servers whose head comes line by line.
@Suite struct HTTPSlowHeadTests {
  private let file = Sample.animation
  private let time = EngineTime()

  /// Sends a line, and comes back once the engine has read it: its thread serves all loads in each turn, so a
  /// load that begins after the line ends after the turn that reads it.
  private func send(
    _ line: String, on connection: Connection, to loader: GIFLoader
  ) async throws {
    try connection.send(line)
    let other = try LoopbackServer()
    async let image = loader.load(other.url())
    _ = try await other.serve { _ in Answer.whole(file.bytes) }
    _ = try await image
  }

  @Test("A head that comes slowly, but comes, is not idle")
  func movingHead() async throws {
    let server = try LoopbackServer()
    let loader = time.loader()
    async let image = loader.load(server.url())
    let connection = try await server.accept()
    for line in ["HTTP/1.1 103 Early Hints", "", "HTTP/1.1 200 OK", "X-A: b", "X-B: c"] {
      try await send(line + "\r\n", on: connection, to: loader)
      time.advance(by: .seconds(29))
    }
    try connection.send("Content-Length: \(file.bytes.count)\r\n\r\n")
    try connection.send(file.bytes)
    #expect(try await Shown(image) == Shown(file: file.bytes))
  }

  @Test("A head that comes to a halt is idle")
  func haltingHead() async throws {
    let server = try LoopbackServer()
    let loader = time.loader()
    async let failure = loadingError { () async throws(GIFLoadingError) in
      _ = try await loader.load(server.url())
    }
    let connection = try await server.accept()
    for (line, wait) in [("HTTP/1.1 200 OK", 29), ("X-A: b", 30)] {
      try await send(line + "\r\n", on: connection, to: loader)
      time.advance(by: .seconds(wait))
    }
    #expect(try await LoadingFault(failure) == LoadingFault(.requesting, .timedOut, limit: 30_000))
    try await connection.otherSideCloses()
  }

  @Test("A head that drips for ever ends with the limit for the whole")
  func drippingHead() async throws {
    let server = try LoopbackServer()
    let loader = time.loader { $0.totalTimeout = .seconds(100) }
    async let failure = loadingError { () async throws(GIFLoadingError) in
      _ = try await loader.load(server.url())
    }
    let connection = try await server.accept()
    try connection.send("HTTP/1.1 200 OK\r\n")
    for number in 0..<4 {
      try await send("X-\(number): y\r\n", on: connection, to: loader)
      time.advance(by: .seconds(25))
    }
    #expect(try await LoadingFault(failure) == LoadingFault(.requesting, .timedOut, limit: 100_000))
    try await connection.otherSideCloses()
  }
}
