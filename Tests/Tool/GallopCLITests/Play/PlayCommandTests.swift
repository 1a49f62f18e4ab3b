import GIFTimeline
import Glibc
import Testing

/// Playback without a screen. Nothing here depends on how fast the machine is: events tell the time of the
/// media.
@Suite("gallop play --headless", .serialized, .timeLimit(.minutes(20)))
struct PlayCommandTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func play(_ arguments: String..., fixture: Fixture) async throws -> [Contract.Event] {
    try folder.write(fixture.bytes, to: "a.gif")
    let run = try await folder.gallop(["play", "--headless", "--events"] + arguments + ["a.gif"])
    #expect(run.status == 0)
    #expect(run.errors.isEmpty)
    return try run.decoded(Contract.Event.self)
  }

  // MARK: Whole animations

  @Test("Every frame of every play is told at the summed delays, then the ends of the loops and the end")
  func finite() async throws {
    let fixture = Fixture.finite
    let events = try await play(fixture: fixture)
    Schedule(order: [0, 1, 2, 3], milliseconds: fixture.milliseconds, plays: 3).checkWhole(events)
    #expect(events.allSatisfy { $0.target == 0 })
    #expect(events.frameChanges.first?.cause == "play")
    #expect(
      events.frameChanges.allSatisfy {
        $0.cause == ($0.loop > 0 && $0.currentFrameIndex == 0 ? "loop" : "play") || $0.skippedFrames > 0
      })
  }

  @Test("A speed changes no schedule, only how fast it passes", arguments: ["0.5", "3.7", "20"])
  func speed(speed: String) async throws {
    let fixture = Fixture(delays: [2, 3, 5, 2], loop: 1)
    let events = try await play("--speed", speed, fixture: fixture)
    Schedule(order: [0, 1, 2, 3], milliseconds: fixture.milliseconds, plays: 2).checkWhole(events)
  }

  @Test(
    "Modes and ranges play the frames in their order",
    arguments: [
      (["--mode", "reverse"], [4, 3, 2, 1, 0]), (["--mode", "bounce"], [0, 1, 2, 3, 4, 3, 2, 1]),
      (["--mode", "forward"], [0, 1, 2, 3, 4]), (["--range", "1..<4"], [1, 2, 3]),
      (["--range", "3.."], [3, 4]), (["--range", "1...3", "--mode", "bounce"], [1, 2, 3, 2]),
      (["--range", "0..<2", "--mode", "reverse"], [1, 0]),
    ])
  func order(options: [String], order: [Int]) async throws {
    let fixture = Fixture(delays: [2, 3, 4, 5, 6], loop: 1)
    try folder.write(fixture.bytes, to: "a.gif")
    let run = try await folder.gallop(
      ["play", "--headless", "--events", "--speed", "2"] + options + ["a.gif"])
    #expect(run.status == 0)
    Schedule(order: order, milliseconds: fixture.milliseconds, plays: 2)
      .checkWhole(try run.decoded(Contract.Event.self))
  }

  @Test("--loops gives the plays, whatever the file says", arguments: [Fixture.finite, .endless], [1, 4])
  func loops(fixture: Fixture, plays: Int) async throws {
    let events = try await play("--loops", "\(plays)", "--speed", "4", fixture: fixture)
    Schedule(order: Array(fixture.delays.indices), milliseconds: fixture.milliseconds, plays: plays)
      .checkWhole(events)
  }

  @Test("A still shows its picture and ends at once")
  func still() async throws {
    let events = try await play(fixture: .still)
    #expect(events.count == 2)
    #expect(events.frameChanges.map(\.scheduledMs) == [0])
    #expect(events.last == .finished(target: 0))
  }

  @Test("A range of one frame is a still")
  func rangeOfOne() async throws {
    let events = try await play("--range", "2", fixture: .endless)
    #expect(events.frameChanges.map(\.currentFrameIndex) == [2])
    #expect(events.last == .finished(target: 0))
  }

  @Test("Each file is a target of its own")
  func targets() async throws {
    try folder.write(Fixture.finite.bytes, to: "a.gif")
    try folder.write(Fixture(delays: [4, 2], loop: 4).bytes, to: "b.gif")
    let run = try await folder.gallop(
      "play", "--headless", "--events", "--speed", "2", "a.gif", "b.gif", "a.gif")
    let events = try run.decoded(Contract.Event.self)
    let finite = Schedule(order: [0, 1, 2, 3], milliseconds: Fixture.finite.milliseconds, plays: 3)
    let short = Schedule(order: [0, 1], milliseconds: [40, 20], plays: 5)
    for (target, schedule) in [finite, short, finite].enumerated() {
      schedule.checkWhole(events.filter { $0.target == target })
    }
  }

  // MARK: A given time

  @Test("--seconds ends an endless animation with the last frame that is due in it")
  func seconds() async throws {
    let fixture = Fixture.endless
    let events = try await play("--seconds", "0.4", fixture: fixture)
    checkEndless(events, milliseconds: fixture.milliseconds, limit: 400)
  }

  @Test("--seconds are real seconds, whatever the speed")
  func secondsAtSpeed() async throws {
    let fixture = Fixture.endless
    let events = try await play("--seconds", "0.1", "--speed", "4", fixture: fixture)
    checkEndless(events, milliseconds: fixture.milliseconds, limit: 400)
  }

  @Test("--loops 0 makes a finite animation endless")
  func madeEndless() async throws {
    let fixture = Fixture(delays: [2, 2], loop: nil)
    let events = try await play("--loops", "0", "--seconds", "0.2", fixture: fixture)
    checkEndless(events, milliseconds: fixture.milliseconds, limit: 200)
    #expect(events.loopsCompleted.allSatisfy { $0.remaining == nil })
  }

  @Test("A time longer than the animation changes nothing", arguments: ["5", "1000000000"])
  func longTime(seconds: String) async throws {
    let fixture = Fixture.finite
    let events = try await play("--seconds", seconds, "--speed", "20", fixture: fixture)
    Schedule(order: [0, 1, 2, 3], milliseconds: fixture.milliseconds, plays: 3).checkWhole(events)
  }

  @Test("Many animations, with hardly a moment without an event, end with their time too")
  func manyTargets() async throws {
    let fixtures = (2...9).map { Fixture(delays: [$0, $0 + 1, 2], loop: 0) }
    for (index, fixture) in fixtures.enumerated() { try folder.write(fixture.bytes, to: "\(index).gif") }
    let files = (0..<40).map { "\($0 % fixtures.count).gif" }
    let run = try await folder.gallop(
      ["play", "--headless", "--events", "--seconds", "0.2", "--speed", "10"] + files)
    #expect(run.status == 0)
    let events = try run.decoded(Contract.Event.self)
    for target in files.indices {
      let own = events.filter { $0.target == target }
      checkEndless(own, milliseconds: fixtures[target % fixtures.count].milliseconds, limit: 2000)
    }
  }

  /// An animation that was ended by time: told are the frames due before `limit`, and none of a later time.
  /// Only what a busy machine skipped at the very end cannot be told.
  private func checkEndless(_ events: [Contract.Event], milliseconds: [Int], limit: Int) {
    let schedule = Schedule(order: Array(milliseconds.indices), milliseconds: milliseconds, plays: nil)
    let told = schedule.check(events.frameChanges)
    #expect((1...schedule.steps(before: limit)).contains(told))
    #expect(events.frameChanges.allSatisfy { $0.scheduledMs < Double(limit) })
    #expect(events.finishedCount == 0)
  }

  // MARK: Without events, damage, failures

  @Test("Without --events nothing is printed")
  func silent() async throws {
    try folder.write(Fixture.finite.bytes, to: "a.gif")
    let run = try await folder.gallop("play", "--headless", "--speed", "20", "a.gif")
    #expect(run.status == 0)
    #expect(run.output.isEmpty)
    #expect(run.errors.isEmpty)
  }

  @Test("Without a terminal and without a choice it is refused in a line that names the choices")
  func noChoice() async throws {
    // An endless animation, which would play silently for ever.
    try folder.write(Fixture.endless.bytes, to: "a.gif")
    let run = try await folder.gallop("play", "a.gif")
    #expect(run.status == 64)
    #expect(run.output.isEmpty)
    #expect(run.errorLines.count == 1)
    #expect(run.errors.hasPrefix("gallop: standard output is not a terminal; "))
    for option in ["--headless", "--events", "--window"] { #expect(run.errors.contains(option)) }
  }

  @Test("--events needs no --headless where there is no terminal")
  func eventsAlone() async throws {
    try folder.write(Fixture.still.bytes, to: "a.gif")
    let run = try await folder.gallop("play", "--events", "a.gif")
    #expect(run.status == 0)
    #expect(run.lines.count == 2)
  }

  @Test("A truncated animation plays all its frames, with a warning")
  func truncated() async throws {
    let fixture = Fixture.finite
    try folder.write(fixture.truncatedBytes, to: "cut.gif")
    let run = try await folder.gallop("play", "--headless", "--events", "cut.gif")
    #expect(run.status == 0)
    #expect(!run.errorLines.isEmpty)
    #expect(run.errorLines.allSatisfy { $0.hasPrefix("gallop: cut.gif: warning: ") })
    Schedule(order: [0, 1, 2, 3], milliseconds: fixture.milliseconds, plays: 3)
      .checkWhole(try run.decoded(Contract.Event.self))
  }

  @Test(
    "One after another, as a playlist asks for: an endless animation plays once, and a bad file is passed over"
  )
  func oneByOne() async throws {
    try folder.write(Fixture.endless.bytes, to: "a.gif")
    try folder.write(Fixture.finite.bytes, to: "c.gif")
    try folder.write(Array("#EXTM3U\na.gif\nmissing.gif\nc.gif\n".utf8), to: "list.m3u")
    let run = try await folder.gallop("play", "--headless", "--events", "--speed", "10", "list.m3u")
    #expect(run.status == 1 && run.errorLines.count == 1)
    let events = try run.decoded(Contract.Event.self)
    #expect(events.map(\.target) == events.map(\.target).sorted() && events.finishedCount == 2)
    #expect(events.loopsCompleted.filter { $0.target == 0 }.map(\.count) == [1])
    #expect(events.loopsCompleted.last?.count == 3 && events.last?.target == 2)
    // All at once: the other one begins while the first, which takes seconds, plays.
    try folder.write(Fixture(delays: [800, 800, 800], loop: 0).bytes, to: "a.gif")
    let wall = try await folder.gallop(
      "play", "--headless", "--events", "--no-one-by-one", "--loops", "2", "--speed", "10", "list.m3u")
    let targets = try wall.decoded(Contract.Event.self).map(\.target)
    let (start, end) = (try #require(targets.firstIndex(of: 2)), try #require(targets.lastIndex(of: 0)))
    #expect(start < end)
  }

  @Test("--seconds is the time of all files together where they play one after another")
  func oneByOneSeconds() async throws {
    try folder.write(Fixture.endless.bytes, to: "a.gif")
    let run = try await folder.gallop(
      "play", "--headless", "--events", "--one-by-one", "--loops", "0", "--seconds", "0.2", "a.gif", "a.gif")
    #expect(run.status == 0)
    #expect(Set(try run.decoded(Contract.Event.self).map(\.target)) == [0])
  }

  @Test("A range that is not there is a failure of that file")
  func rangeBeyond() async throws {
    try folder.write(Fixture.finite.bytes, to: "a.gif")
    let run = try await folder.gallop("play", "--headless", "--events", "--range", "2..<5", "a.gif")
    #expect(run.status == 1)
    #expect(run.output.isEmpty)
    #expect(run.errorLines.count == 1)
    #expect(run.errors.hasPrefix("gallop: a.gif: "))
  }

  @Test("Signals end an endless playback", arguments: [SIGINT, SIGTERM])
  func signals(signal: Int32) async throws {
    try folder.write(Fixture.endless.bytes, to: "a.gif")
    let run = try await folder.gallop(
      ["play", "--headless", "--quiet", "--events", "a.gif"], interruptedBy: signal)
    #expect(run.status == 128 + signal)
    #expect(run.errors.isEmpty)
  }
}
