import Foundation
import HTTPTestSupport
import Testing

@Suite("URLs on the command line", .serialized, .timeLimit(.minutes(20)))
struct URLTests {
  private let folder: TemporaryFolder
  private let server: LoopbackServer
  private let file = Fixture.finite

  init() throws {
    folder = try TemporaryFolder()
    server = try LoopbackServer()
  }

  private var dataURL: String { "data:image/gif;base64," + Data(file.bytes).base64EncodedString() }

  @Test("info tells of a URL what it tells of the file")
  func info() async throws {
    try folder.write(file.bytes, to: "a b.gif")
    let expected = try await folder.gallop("info", "--json", "a b.gif").decoded(Contract.Info.self)
    let path = folder.url.path.replacingOccurrences(of: " ", with: "%20")
    async let running = folder.gallop(
      "info", "--json", server.url("/a.gif"), dataURL, "file://\(path)/a%20b.gif")
    _ = try await server.serve { _ in Answer.whole(file.bytes, type: "text/plain") }
    let run = try await running
    #expect(run.status == 0)
    #expect(run.errors.isEmpty)
    let found = try run.decoded(Contract.Info.self)
    #expect(found.map(\.path) == [server.url("/a.gif"), dataURL, "file://\(path)/a%20b.gif"])
    for info in found {
      #expect(info.frames == expected[0].frames)
      #expect(info.plays == expected[0].plays && info.durationMs == expected[0].durationMs && info.isComplete)
    }
  }

  @Test("The table names a URL without credentials and a data URL in short")
  func table() async throws {
    async let running = folder.gallop(
      "info", server.url("/a.gif", credentials: "user:secret@"), dataURL)
    _ = try await server.serve { _ in Answer.whole(file.bytes) }
    let run = try await running
    #expect(run.lines.first == server.url("/a.gif"))
    #expect(!run.text.contains("secret"))
    #expect(run.lines.allSatisfy { $0.count < 100 })
  }

  @Test("No output shows a password: not JSON, nor a line about a URL in spaces or with a typing error")
  func passwords() async throws {
    let url = server.url("/a.gif", credentials: "user:secret@")
    let port = try ClosedPort()
    defer { withExtendedLifetime(port) {} }
    let closed = "http://user:secret@127.0.0.1:\(port.port)/"
    async let running = folder.gallop("info", "--json", url, " \(closed)", "\u{A0}\(closed)")
    _ = try await server.serve { _ in Answer.whole(file.bytes) }
    let run = try await running
    #expect(run.status == 1 && run.errorLines.count == 2)
    #expect(run.lines.count == 3)
    #expect(try run.lines[0].decoded(Contract.Info.self).path == server.url("/a.gif"))
    #expect(!run.errors.contains("secret") && !run.text.contains("secret"))
    #expect(run.errorLines.first?.contains("no connection") == true)
  }

  @Test("decode writes pictures named after the URL's last part")
  func decode() async throws {
    async let running = folder.gallop("decode", server.url("/x/horse.gif?size=1/2"), dataURL)
    _ = try await server.serve { _ in Answer.whole(file.bytes) }
    #expect(try await running.status == 0)
    let names = ["data", "horse"].flatMap { name in file.delays.indices.map { "\(name)-000\($0).png" } }
    #expect(try folder.names() == names)
  }

  @Test("decode to standard output gives the same pixels")
  func pixels() async throws {
    let run = try await folder.gallop("decode", "--format", "rgba", "--output", "-", dataURL)
    #expect(run.status == 0)
    #expect(run.output == Fixture.canvases(0..<file.delays.count))
  }

  @Test("play and bench take URLs")
  func playAndBench() async throws {
    for arguments in [
      ["play", "--headless", "--events"], ["bench", "decode", "--repeat", "1", "--json"],
      ["bench", "playback", "--seconds", "0.1", "--json"],
    ] {
      async let running = folder.gallop(arguments + [server.url("/a.gif"), dataURL])
      _ = try await server.serve { _ in Answer.whole(file.bytes) }
      let run = try await running
      #expect(run.status == 0)
      #expect(run.errors.isEmpty)
      #expect(!run.lines.isEmpty)
    }
  }

  @Test("--seconds ends a load that never does; what is on disk has played meanwhile")
  func endlessLoad() async throws {
    try folder.write(Fixture.endless.bytes, to: "a.gif")
    // Nothing takes the connection, so that no answer comes.
    let run = try await folder.gallop(
      "play", "--headless", "--events", "--seconds", "0.3", server.url("/never.gif"), "a.gif")
    #expect(run.status == 1)
    #expect(run.errorLines == ["gallop: \(server.url("/never.gif")): did not load in the time of --seconds"])
    let events = try run.decoded(Contract.Event.self)
    #expect(!events.isEmpty && events.allSatisfy { $0.target == 1 })
  }

  @Test("--seconds ends a window in which nothing has loaded")
  func windowOfEndlessLoad() async throws {
    let display = "unset DISPLAY WAYLAND_DISPLAY; SDL_VIDEODRIVER=dummy"
    let run = try await folder.shell(
      "\(display) \"$0\" play --window --events --seconds 0.5 \(server.url("/never.gif"))")
    #expect(run.status == 0 && run.output.isEmpty && run.errors.isEmpty)
  }

  @Test("What loads while others play begins when it is whole")
  func lateLoad() async throws {
    try folder.write(Fixture.endless.bytes, to: "a.gif")
    async let running = folder.gallop(
      "play", "--headless", "--events", "--loops", "1", "a.gif", server.url("/late.gif"))
    let connection = try await server.accept()
    try connection.send(Answer.whole(file.bytes))
    connection.close()
    let run = try await running
    #expect(run.status == 0 && run.errors.isEmpty)
    let events = try run.decoded(Contract.Event.self)
    for target in 0...1 {
      let own = events.filter { $0.target == target }
      #expect(own.finishedCount == 1)
    }
  }

  @Test("A URL that fails is one line, and the others are still done")
  func oneFails() async throws {
    let closed = try ClosedPort()
    try folder.write(file.bytes, to: "a.gif")
    let urls = [
      server.url("/404"), server.url("/text"), server.url("/empty"), server.url("/away"),
      "http://user:secret@127.0.0.1:\(closed.port)/", "http://gallop.invalid/a.gif", "http://",
      "ftp://u:secret@h/a.gif",
      "data:image/gif;base64,R0lGO", "data:,x",
    ]
    async let running = folder.gallop(["info", "--json"] + urls + ["a.gif"])
    _ = try await server.serve(4) { request in
      switch request.target {
      case "/404": Answer.whole([], status: "404 Not Found")
      case "/text": Answer.whole(Array("<html>".utf8))
      case "/away": Answer.redirect(to: "file:///etc/passwd")
      default: Answer.whole([])
      }
    }
    let run = try await running
    #expect(run.status == 1)
    #expect(run.lines.count == urls.count + 1)
    #expect(try run.lines.last?.decoded(Contract.Info.self).path == "a.gif")
    let codes = try run.lines.prefix(urls.count).map { try $0.decoded(Contract.InfoFailure.self).error.code }
    #expect(
      codes == [
        "badStatus", "notAGIF", "emptyFile", "forbiddenRedirect", "connectionFailed", "hostNotFound",
        "malformedURL",
        "unsupportedScheme", "malformedURL", "notAGIF",
      ])
    #expect(run.errorLines.count == urls.count)
    #expect(!run.errors.contains("secret") && !run.text.contains("secret"))
    let reasons = [
      "status 404", "is not a GIF", "is empty", "redirect", "no connection", "name is not known", "no host",
      "'ftp'",
      "base64", "is not a GIF",
    ]
    for (line, reason) in zip(run.errorLines, reasons) {
      #expect(line.hasPrefix("gallop: ") && line.contains(reason), "\(line)")
    }
  }

  @Test("A redirect's end is named where it fails")
  func redirected() async throws {
    async let running = folder.gallop("info", server.url("/a"))
    _ = try await server.serve(2) { request in
      request.target == "/a" ? Answer.redirect(to: "/b") : Answer.whole([], status: "410 Gone")
    }
    let run = try await running
    #expect(run.status == 1)
    #expect(
      run.errors == "gallop: \(server.url("/a")): cannot be loaded: the server answered with status 410 "
        + "(redirected to \(server.url("/b")))\n")
  }

  @Test("A transfer that is cut off has a status of its own: the frames so far are used")
  func cutOff() async throws {
    let part = file.truncatedBytes
    async let running = folder.gallop("info", "--json", server.url("/a.gif"))
    _ = try await server.serve { _ in Answer.head(length: file.bytes.count) + part }
    let run = try await running
    #expect(run.status == 3)
    let info = try #require(try run.decoded(Contract.Info.self).first)
    #expect(info.frameCount == file.delays.count && !info.isComplete)
    async let judging = folder.gallop("info", "--flashes", "--format", "{flashes}", server.url("/a.gif"))
    _ = try await server.serve { _ in Answer.head(length: file.bytes.count) + part }
    #expect(try await judging.lines == ["unknown"])
    #expect(run.errorLines.count == 1)
    #expect(run.errors.contains("warning: was cut off after \(part.count) of \(file.bytes.count) bytes"))
  }

  @Test(
    "Every command tells a transfer that was cut off from a whole one, and with --strict fails for it",
    arguments: [
      "info --json", "decode --format null", "play --headless --loops 1", "bench decode --repeat 1",
      "bench playback --seconds 0.05",
    ])
  func cutOffStatuses(command: String) async throws {
    let words = command.split(separator: " ").map(String.init)
    let part = file.truncatedBytes
    for (options, isCut, status) in [([], true, 3), (["--strict"], true, 1), (["--strict"], false, 0)]
      as [([String], Bool, Int32)]
    {
      async let running = folder.gallop(words + options + [server.url("/a.gif")])
      _ = try await server.serve { _ in
        isCut ? Answer.head(length: file.bytes.count) + part : Answer.whole(file.bytes)
      }
      let run = try await running
      #expect(run.status == status, "\(options), cut: \(isCut)")
      #expect(run.errors.contains("warning: was cut off after") == isCut)
    }
  }

  @Test("A transfer that was cut off does not hide a file that cannot be used")
  func cutOffAndMissing() async throws {
    async let running = folder.gallop("info", server.url("/a.gif"), "missing.gif")
    _ = try await server.serve { _ in Answer.head(length: file.bytes.count) + file.truncatedBytes }
    #expect(try await running.status == 1)
  }

  @Test("--max-bytes limits a URL's file, whether its length is told or not")
  func sizeLimit() async throws {
    let limit = file.bytes.count - 1
    async let running = folder.gallop(
      "info", "--max-bytes", "\(limit)", server.url("/a"), server.url("/b"), dataURL)
    _ = try await server.serve(2) { request in
      request.target == "/a"
        ? Answer.whole(file.bytes) : Array("HTTP/1.0 200 OK\r\n\r\n".utf8) + file.bytes
    }
    let run = try await running
    #expect(run.status == 2)
    #expect(run.output.isEmpty)
    #expect(run.errorLines.count == 3)
    #expect(run.errorLines.allSatisfy { $0.contains("too many bytes: \(limit + 1), the limit is \(limit)") })
  }

  @Test("A signal ends a command while it loads", arguments: [["info"], ["decode"], ["play", "--headless"]])
  func interrupted(_ command: [String]) async throws {
    let server = server
    let bytes = file.bytes
    let run = try await folder.gallop(command + [server.url("/a.gif")], interruptedBy: SIGINT) {
      let connection = try server.acceptBlocking()
      try connection.send(Answer.head(length: bytes.count) + bytes.prefix(30))
      return connection
    }
    // Either way shells see 130.
    #expect(run.status == nil || run.status == 130)
    #expect(run.output.isEmpty)
  }

  @Test("A file name with a colon is a file name")
  func colons() async throws {
    try folder.write(file.bytes, to: "take:2.gif")
    try folder.write(file.bytes, to: "http:x.gif")
    let run = try await folder.gallop("info", "--json", "take:2.gif", "./http:x.gif")
    #expect(run.status == 0)
    #expect(try run.decoded(Contract.Info.self).map(\.path) == ["take:2.gif", "./http:x.gif"])
  }
}
