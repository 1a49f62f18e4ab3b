import Testing

/// Playback in a window that SDL keeps in memory; what needs a display is in Tests/Tool/Window.
@Suite("gallop play --window", .serialized, .timeLimit(.minutes(20)))
struct WindowCommandTests {
  private struct Event: Decodable {
    var event: String
    var target: Int?
    var currentFrameIndex: Int?
    var loop: Int?
    var scheduledMs: Double?
    var message: String?
  }

  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func play(_ arguments: String, display: String = "SDL_VIDEODRIVER=dummy") async throws -> CommandRun
  {
    try await folder.shell(
      "unset DISPLAY WAYLAND_DISPLAY SDL_VIDEODRIVER; \(display) \"$0\" play --window --events \(arguments)")
  }

  @Test("A finite animation tells of its image, each frame in order, and its end")
  func finite() async throws {
    try folder.write(Fixture.finite.bytes, to: "a.gif")
    let run = try await play("--speed 4 --seconds 4 a.gif")
    #expect(run.status == 0)
    let events = try run.decoded(Event.self)
    #expect(events.first?.event == "loaded" && events.last?.event == "finished")
    #expect(events.first { $0.event == "frameChange" }?.currentFrameIndex == 0)
    #expect(events.allSatisfy { $0.target == 0 })
  }

  @Test("A file that cannot be used is told of; the others play, and the status says so")
  func failures() async throws {
    try folder.write(Fixture.finite.bytes, to: "a.gif")
    try folder.write([1, 2, 3], to: "b.gif")
    let run = try await play("--seconds 6 a.gif b.gif")
    #expect(run.status == 1)
    #expect(run.errorLines.filter { $0.hasPrefix("gallop: b.gif: ") }.count == 1)
    let events = try run.decoded(Event.self)
    #expect(events.contains { $0.event == "failed" && $0.target == 1 && $0.message != nil })
    #expect(events.contains { $0.event == "frameChange" && $0.target == 0 })
  }

  @Test(
    "A file out of sight that cannot be used, or is damaged, is told of once", arguments: ["", "--strict"])
  func outOfSight(option: String) async throws {
    try folder.write(Fixture.finite.bytes, to: "a.gif")
    try folder.write(option.isEmpty ? [1, 2, 3] : Array(Fixture.finite.bytes.dropLast(8)), to: "b.gif")
    // An endless GIF stays in sight, so the program lasts until its time is over.
    try folder.write(Fixture.endless.bytes, to: "c.gif")
    let run = try await play(
      "--window-size 200x120 --columns 1 --seconds 3 \(option) c.gif \(String(repeating: "a.gif ", count: 9)) b.gif"
    )
    #expect(run.status == 1)
    #expect(run.errorLines.filter { $0.hasPrefix("gallop: b.gif: ") }.count == 1)
    let events = try run.decoded(Event.self)
    #expect(!events.contains { $0.event == "loaded" && $0.target == 10 })
    #expect(events.contains { $0.event == "failed" && $0.target == 10 } == option.isEmpty)
  }

  @Test(
    "One after another: each plays as often as its file says, an endless one once, and a bad one is passed over"
  )
  func oneByOne() async throws {
    try folder.write(Fixture.endless.bytes, to: "a.gif")
    try folder.write([1, 2, 3], to: "b.gif")
    try folder.write(Fixture.finite.bytes, to: "c.gif")
    let run = try await play("--one-by-one --speed 4 a.gif b.gif c.gif")
    #expect(run.status == 1 && run.errorLines.count == 1)
    let events = try run.decoded(Event.self)
    let targets = events.compactMap(\.target)
    #expect(targets == targets.sorted())
    #expect(events.filter { $0.event == "loaded" }.map(\.target) == [0, 2])
    #expect(events.contains { $0.event == "failed" && $0.target == 1 })
    #expect(events.last?.event == "finished" && events.last?.target == 2)
  }

  @Test("With nothing that can be shown it ends by itself; so it does with a range that is not there")
  func nothing() async throws {
    try folder.write(Fixture.finite.bytes, to: "a.gif")
    #expect(try await play("missing.gif").status == 1)
    #expect(try await play("--range '2..<5' a.gif").status == 1)
  }

  @Test(
    "Without a display it says so in a line; the libraries' own lines are left out",
    arguments: ["", "SDL_VIDEODRIVER=wayland"])
  func noDisplay(display: String) async throws {
    try folder.write(Fixture.finite.bytes, to: "a.gif")
    let run = try await play("a.gif", display: "unset XDG_RUNTIME_DIR; \(display)")
    #expect(run.status == 1 && run.output.isEmpty)
    #expect(run.errors == "gallop: no display to open a window on; try --terminal or --headless\n")
  }

  @Test("SDL's log is left out, unless its variable asks for it")
  func log() async throws {
    try folder.write(Fixture.finite.bytes, to: "a.gif")
    let logging = "SDL_VIDEODRIVER=dummy SDL_EVENT_LOGGING=1"
    #expect(try await play("--speed 20 --loops 1 --seconds 2 a.gif", display: logging).errors.isEmpty)
    let asked = try await play(
      "--speed 20 --loops 1 --seconds 2 a.gif", display: logging + " SDL_LOGGING='*=info'")
    #expect(asked.errors.contains("SDL EVENT"))
  }

  @Test("Delays and late pictures are as they are wanted, as elsewhere")
  func rules() async throws {
    try folder.write(Fixture.finite.bytes, to: "a.gif")
    let run = try await play(
      "--window-size 90x80 --delays constant:30 --late wait --speed 5 --seconds 4 a.gif")
    let changes = try run.decoded(Event.self).filter { $0.event == "frameChange" }
    // As many as a busy machine gets done; none is passed over.
    #expect(!changes.isEmpty && changes.count <= 12)
    #expect(changes.enumerated().allSatisfy { $1.currentFrameIndex == $0 % 4 })
    #expect(changes.enumerated().allSatisfy { $1.scheduledMs == Double($0) * 30 })
  }

  @Test("A range goes for every item of a wall")
  func wallRange() async throws {
    try folder.write(Fixture.finite.bytes, to: "a.gif")
    let run = try await play(
      "--window-size 200x120 --columns 2 --range '1..<3' --speed 4 --seconds 2 a.gif a.gif")
    let changes = try run.decoded(Event.self).filter { $0.event == "frameChange" }
    #expect(Set(changes.compactMap(\.target)) == [0, 1])
    #expect(changes.allSatisfy { [1, 2].contains($0.currentFrameIndex) })
  }

  @Test("The trace has a track with the pictures of each player, named after its file")
  func trace() async throws {
    try folder.write(Fixture.finite.bytes, to: "a.gif")
    let run = try await play("--window-size 90x80 --seconds 2 --trace trace.json a.gif")
    #expect(run.status == 0)
    let trace = String(decoding: try folder.read("trace.json"), as: UTF8.self)
    #expect(trace.contains("\"frame 0\"") && trace.contains("\"a.gif\""))
  }

  @Test("A URL that fails is told of without its password, a data URL in short")
  func urls() async throws {
    let data = "data:image/gif;base64," + String(repeating: "QUJD", count: 200)
    let run = try await play("http://user:secret@127.0.0.1:1/a.gif '\(data)'")
    #expect(run.status == 2)
    let lines = run.errorLines.filter { $0.hasPrefix("gallop: ") }
    #expect(lines.count == 2 && lines.allSatisfy { $0.count < 200 })
    #expect(lines.contains { $0.hasPrefix("gallop: http://127.0.0.1:1/a.gif: ") })
    #expect(!run.errors.contains("secret"))
  }

  @Test("What is for windows only is wrong usage elsewhere")
  func usage() async throws {
    for option in ["--columns 3", "--window-size 9x9", "--debug"] {
      let run = try await folder.shell("\"$0\" play --headless \(option) a.gif")
      #expect(run.status == 64, "\(option)")
    }
  }
}
