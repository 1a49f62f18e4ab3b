import GIFDecoding
import GIFLoading
import HTTPTestSupport
import Testing

/// Servers that send the loader elsewhere.
@Suite struct HTTPRedirectTests {
  private let file = Sample.animation

  private func loader(limit: Int = 20, headers: [String: String] = [:]) -> GIFLoader {
    var options = GIFLoader.Options.patient
    options.redirectLimit = limit
    options.headers = headers
    return GIFLoader(options: options)
  }

  /// Each kind, relative and absolute, with and without a body.
  @Test func chain() async throws {
    let server = try LoopbackServer()
    let steps = [
      "/a": ("301 Moved Permanently", "b?x=1"), "/b?x=1": ("302 Found", "/c/d"),
      "/c/d": ("303 See Other", "e"),
      "/c/e": ("307 Temporary Redirect", "//127.0.0.1:\(server.port)/f"),
      "/f": ("308 Permanent Redirect", server.url("/end.gif")),
    ]
    async let image = loader(limit: 5).load(server.url("/a"))
    let requests = try await server.serve(6) { request in
      guard let (status, location) = steps[request.target] else { return Answer.whole(file.bytes) }
      return Answer.redirect(to: location, status: status, body: Array(request.target.utf8))
    }
    #expect(try await Shown(image) == Shown(file: file.bytes))
    #expect(requests.map(\.target) == ["/a", "/b?x=1", "/c/d", "/c/e", "/f", "/end.gif"])
  }

  @Test(arguments: [0, 1, 3])
  func loop(_ limit: Int) async throws {
    let server = try LoopbackServer()
    let loader = loader(limit: limit)
    async let failure = loadingError { () async throws(GIFLoadingError) in
      _ = try await loader.load(server.url("/a"))
    }
    let requests = try await server.serve(limit + 1) { _ in Answer.redirect(to: "/a") }
    let error = try await failure
    #expect(LoadingFault(error) == LoadingFault(.redirecting, .tooManyRedirects, limit: Int64(limit)))
    #expect(requests.count == limit + 1)
  }

  @Test(arguments: [
    "file:///etc/passwd", "file:/etc/passwd", "ftp://127.0.0.1/", "data:image/gif;base64,R0lG", "gopher:x",
  ])
  func toOtherSchemes(_ location: String) async throws {
    let server = try LoopbackServer()
    let loader = loader()
    async let failure = loadingError { () async throws(GIFLoadingError) in
      _ = try await loader.load(server.url("/a"))
    }
    _ = try await server.serve { _ in Answer.redirect(to: location) }
    let error = try await failure
    #expect(LoadingFault(error) == LoadingFault(.redirecting, .forbiddenRedirect))
    #expect(error.source == server.url("/a"))
  }

  /// The error names the place where it happened.
  @Test func errorBehindARedirect() async throws {
    let server = try LoopbackServer()
    let loader = loader()
    async let failure = loadingError { () async throws(GIFLoadingError) in
      _ = try await loader.load(server.url("/a"))
    }
    _ = try await server.serve(2) { request in
      request.target == "/a" ? Answer.redirect(to: "/gone") : Answer.whole([], status: "410 Gone")
    }
    let error = try await failure
    #expect(LoadingFault(error) == LoadingFault(.status, .badStatus, value: 410))
    #expect(error.source == server.url("/gone"))
  }

  /// A redirect whose body never ends does not hold the loader up.
  @Test func endlessBody() async throws {
    let server = try LoopbackServer()
    async let image = loader().load(server.url("/a"))
    let connection = try await server.accept()
    try connection.send(Answer.head("302 Found", ["Location: /b", "Transfer-Encoding: chunked"]))
    try await connection.sendUntilClosed(Answer.chunk(file.bytes))
    _ = try await server.serve { _ in Answer.whole(file.bytes) }
    #expect(try await image.frameCount == 3)
  }

  /// Headers and credentials are for the server that was named.
  @Test func secretsStayWithTheirServer() async throws {
    let (first, second) = try (LoopbackServer(), LoopbackServer())
    async let image = loader(headers: ["X-Key": "secret"]).load(first.url("/a", credentials: "user:secret@"))
    let requests = try await first.serve(2) { request in
      Answer.redirect(to: request.target == "/a" ? "/b" : second.url("/c"))
    }
    let others = try await second.serve { _ in Answer.whole(file.bytes) }
    #expect(try await image.frameCount == 3)
    for request in requests {
      #expect(request.headers["x-key"] == "secret" && request.headers["authorization"] != nil)
    }
    #expect(others.first?.headers["x-key"] == nil && others.first?.headers["authorization"] == nil)
  }
}
