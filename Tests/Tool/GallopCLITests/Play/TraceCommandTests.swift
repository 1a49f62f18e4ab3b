import Foundation
import Testing

@Suite("gallop play and bench playback: traces and rules")
struct TraceCommandTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    // A shell that runs the tests in the background has these ignored, which a child inherits.
    for number in [SIGHUP, SIGQUIT] { _ = signal(number, SIG_DFL) }
    try folder.write(Fixture.finite.bytes, to: "a.gif")
  }

  /// What a viewer of traces reads.
  private struct Trace: Decodable {
    struct Entry: Decodable {
      var ph: String
      var name: String
      var cat: String?
      var ts: Double?
      var dur: Double?
      var pid: Int
      var tid: Int
    }

    var traceEvents: [Entry]
  }

  private func trace() throws -> Trace {
    try JSONDecoder().decode(Trace.self, from: Data(try folder.read("trace.json")))
  }

  @Test("play writes a track for each player, with every picture it told")
  func play() async throws {
    let run = try await folder.gallop(
      "play", "--headless", "--events", "--trace", "trace.json", "a.gif", "a.gif")
    #expect(run.status == 0)
    let shown = try run.decoded(Contract.Event.self).frameChanges.count
    let entries = try trace().traceEvents
    #expect(entries.count { $0.ph == "X" && $0.cat == "frame" } == shown)
    let players = entries.filter { $0.pid == 1 && $0.name != "process_name" }
    #expect(players.filter { $0.ph == "M" }.map(\.name) == ["thread_name", "thread_name"])
    #expect(Set(players.map(\.tid)).count == 2)
    #expect(entries.count { $0.name == "process_name" } == 2)
    #expect(entries.allSatisfy { $0.ph == "M" || $0.ts.map { $0 >= 0 } == true })
    #expect(entries.contains { $0.cat == "cache" })
    // Two players of one file share its four pictures.
    let decoded = entries.filter { $0.cat == "decode" }
    #expect(decoded.count >= 4)
    #expect(decoded.allSatisfy { $0.ph == "X" && $0.pid == 2 && $0.dur.map { $0 > 0 } == true })
  }

  @Test(
    "A signal ends playback, and the trace so far is written", arguments: [SIGINT, SIGTERM, SIGHUP, SIGQUIT])
  func interrupted(signal: Int32) async throws {
    try folder.write(Fixture.endless.bytes, to: "endless.gif")
    let run = try await folder.gallop(
      ["play", "--headless", "--quiet", "--events", "--trace", "trace.json", "endless.gif"],
      interruptedBy: signal)
    #expect(run.status == 128 + signal && run.errors.isEmpty)
    #expect(try trace().traceEvents.contains { $0.cat == "frame" })
    #expect(try folder.names() == ["a.gif", "endless.gif", "trace.json"])
  }

  @Test("A player that fails, and output that does, leave the trace of what was played")
  func failures() async throws {
    try folder.write(HugeFixture.bytes, to: "huge.gif")
    let run = try await folder.gallop(
      "play", "--headless", "--quiet", "--trace", "trace.json", "huge.gif", "a.gif")
    #expect(run.status == 1)
    #expect(run.errors == "gallop: huge.gif: \(HugeFixture.reason)\n")
    #expect(try trace().traceEvents.contains { $0.cat == "frame" })
    let full = try await folder.shell(
      "\"$0\" play --headless --events --trace full.json a.gif >/dev/full")
    #expect(full.status == 1 && full.errorLines.count == 1)
    #expect(try folder.names().contains("full.json"))
  }

  @Test("A trace that cannot be written is told of beside what else failed")
  func bothFail() async throws {
    let run = try await folder.shell("\"$0\" play --headless --events --trace /dev/full a.gif >/dev/full")
    #expect(run.status == 1)
    #expect(run.errorLines.count == 2)
    #expect(run.errors.contains("gallop: /dev/full: ") && run.errors.contains("gallop: standard output: "))
  }

  @Test(
    "An existing trace is kept, which is said before anything is played", arguments: ["headless", "window"])
  func existing(display: String) async throws {
    try folder.write([1], to: "trace.json")
    let arguments = ["play", "--\(display)", "--events", "--loops", "0", "--trace", "trace.json", "a.gif"]
    let run = try await folder.gallop(arguments)
    #expect(run.status == 1 && run.output.isEmpty)
    #expect(run.errors == "gallop: trace.json: exists already; --force overwrites it\n")
    #expect(try folder.read("trace.json") == [1])
    // The end waits for a frame: a busy machine may take longer for the first one than any time limit.
    let forced = try await folder.gallop(
      arguments + ["--force"], environment: ["SDL_VIDEODRIVER": "dummy"], interruptedBy: SIGTERM,
      after: "frameChange")
    #expect(forced.status == 128 + SIGTERM)
    #expect(try trace().traceEvents.contains { $0.cat == "frame" })
  }

  @Test("bench playback writes one, too; an existing file stays without --force")
  func bench() async throws {
    let arguments = ["bench", "playback", "--seconds", "0.05", "--trace", "trace.json", "a.gif"]
    #expect(try await folder.gallop(arguments).status == 0)
    #expect(try trace().traceEvents.contains { $0.ph == "M" })
    let again = try await folder.gallop(arguments)
    #expect(again.status == 1 && again.errors.contains("trace.json"))
    #expect(try await folder.gallop(arguments + ["--force"]).status == 0)
  }

  @Test("Delays as they are wanted", arguments: ["constant:30", "minimum:10"])
  func delays(policy: String) async throws {
    let fixture = Fixture(delays: [2, 3, 2], loop: 1)
    try folder.write(fixture.bytes, to: "b.gif")
    let run = try await folder.gallop("play", "--headless", "--events", "--delays", policy, "b.gif")
    let milliseconds = policy == "minimum:10" ? [20, 30, 20] : [30, 30, 30]
    Schedule(order: [0, 1, 2], milliseconds: milliseconds, plays: 2)
      .checkWhole(try run.decoded(Contract.Event.self))
  }

  @Test("With wait and catch-up no picture is passed over", arguments: ["wait", "catch-up:100000"])
  func late(policy: String) async throws {
    let run = try await folder.gallop(
      "play", "--headless", "--events", "--late", policy, "--speed", "5", "a.gif")
    let changes = try run.decoded(Contract.Event.self).frameChanges
    #expect(changes.map(\.currentFrameIndex) == [0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3])
    #expect(changes.allSatisfy { $0.skippedFrames == 0 })
  }

  @Test(
    "Wrong names are wrong usage",
    arguments: [
      ["--late", "never"], ["--late", "catch-up"], ["--late", "catch-up:-1"], ["--delays", "minimum"],
      ["--delays", "browser:3"], ["--delays", "constant:-1"], ["--delays", "constant:99999999999999999999"],
    ])
  func usage(options: [String]) async throws {
    #expect(try await folder.gallop(["play", "--headless"] + options + ["a.gif"]).status == 64)
  }
}
