import GIFDecoding
import Testing

@testable import GallopCLI

@Suite("Playback ramps")
struct PlaybackRampTests {
  static func step(
    _ players: Int, dropped: Int = 0, p99: Double = 1, frameMs: Int? = 20, failed: Int = 0
  ) -> PlaybackStep {
    let lateness = PlaybackBench.Report.Lateness(p50: 0.1, p95: 0.5, p99: p99, max: 30)
    return PlaybackStep(
      report: PlaybackBench.Report(
        players: players, playersFailed: failed, seconds: 2, framesDue: 100, framesShown: 100 - dropped,
        framesDropped: dropped,
        latenessMs: lateness, cpuSeconds: 0.5, cpuPercent: 25, peakCacheBytes: 1_000_000,
        peakResidentBytes: 20_000_000, wakeupsPerSecond: 50, decodedFrames: 10),
      frameMs: frameMs)
  }

  @Test(
    "Counts are whole numbers with commas between",
    arguments: [
      ("1", [1]), ("1,4,16", [1, 4, 16]), ("16,4,4", [16, 4, 4]), ("100000", [100_000]), ("0", nil),
      ("100001", nil),
      ("", nil), (",", nil), ("1,", nil), (",1", nil), ("1,,2", nil), ("1;2", nil), ("-1", nil), ("1,x", nil),
      ("99999999999999999999", nil),
    ])
  func counts(argument: String, expected: [Int]?) {
    #expect(PlayerCounts(argument: argument)?.values == expected)
  }

  @Test("Steps follow one another, for any result")
  func steps() {
    let ramp = PlaybackRamp.steps([1, 64, 4])
    #expect(ramp.next(after: []) == 1)
    #expect(ramp.next(after: [Self.step(1, dropped: 9)]) == 64)
    #expect(ramp.next(after: [Self.step(1), Self.step(64)]) == 4)
    #expect(ramp.next(after: [Self.step(1), Self.step(64), Self.step(4)]) == nil)
  }

  @Test("Doubling ends with the first step that is not smooth, or at the limit")
  func doubling() {
    let ramp = PlaybackRamp.doubling(limit: 100)
    #expect(ramp.next(after: []) == 1)
    #expect(ramp.next(after: [Self.step(1)]) == 2)
    #expect(ramp.next(after: [Self.step(32)]) == 64)
    #expect(ramp.next(after: [Self.step(64)]) == nil)
    #expect(ramp.next(after: [Self.step(8, dropped: 1)]) == nil)
    #expect(ramp.next(after: [Self.step(8, p99: 20)]) == nil)
    #expect(PlaybackRamp.doubling(limit: .max).next(after: [Self.step(.max)]) == nil)
  }

  @Test(
    "A step is smooth with nothing dropped and p99 below one frame",
    arguments: [
      (0, 19.9, 20, true), (0, 20.0, 20, false), (1, 0.1, 20, false), (0, 1000.0, nil, true),
      (1, 0.0, nil, false),
    ])
  func smooth(dropped: Int, p99: Double, frameMs: Int?, expected: Bool) {
    #expect(Self.step(5, dropped: dropped, p99: p99, frameMs: frameMs).isSmooth == expected)
    #expect(!Self.step(5, dropped: dropped, p99: p99, frameMs: frameMs, failed: 1).isSmooth)
  }

  @Test("Doubling ends with a step in which a player failed")
  func doublingFailure() {
    #expect(PlaybackRamp.doubling(limit: 100).next(after: [Self.step(1, failed: 1)]) == nil)
  }

  @Test("One frame is the shortest effective delay of what is animated")
  func shortestFrame() throws {
    let animated = try GIFImage(bytes: Fixture.finite.bytes)
    let fast = try GIFImage(bytes: Fixture.endless.bytes)
    let still = try GIFImage(bytes: Fixture.still.bytes)
    #expect(PlaybackStep.shortestFrame(of: [animated]) == 30)
    #expect(PlaybackStep.shortestFrame(of: [still, animated, fast]) == 20)
    #expect(PlaybackStep.shortestFrame(of: [still]) == nil)
    #expect(PlaybackStep.shortestFrame(of: [GIFImage]()) == nil)
  }
}

@Suite("Playback reports")
struct PlaybackRampReportTests {
  private func report(_ steps: [PlaybackStep]) -> PlaybackRampReport {
    PlaybackRampReport(
      steps: steps,
      machine: BenchMachine(description: "A machine, 2 processors", date: "2026-01-02 03:04 UTC"),
      version: "1.2.3", seconds: 2, tile: PixelSize(clampingWidth: 96, height: 64), budgetBytes: 64 << 20,
      fileCount: 3)
  }

  @Test("The verdict is the greatest count that was smooth")
  func verdict() {
    let step = PlaybackRampTests.step
    #expect(report([step(1, 0, 1, 20, 0), step(64, 0, 1, 20, 0), step(256, 3, 1, 20, 0)]).capacity == 64)
    #expect(
      report([step(1, 0, 1, 20, 0), step(64, 0, 1, 30, 0)]).verdict
        == "64 players at once: nothing dropped, p99 lateness under one frame (30 ms).")
    #expect(report([step(1, 0, 1, nil, 0)]).verdict == "1 player at once: nothing dropped.")
    #expect(
      report([step(1, 2, 1, 20, 0)]).verdict == "No number tried played without dropped or late frames.")
    #expect(report([step(1, 0, 0, nil, 1)]).verdict == "No number tried played without failed players.")
    #expect(report([]).capacity == nil)
  }

  @Test("Markdown names the machine, the date, the version and each step")
  func markdown() {
    let lines = report([PlaybackRampTests.step(1), PlaybackRampTests.step(64, dropped: 7)]).markdown
      .split(separator: "\n").map(String.init)
    #expect(lines.contains("- Machine: A machine, 2 processors"))
    #expect(lines.contains("- Date: 2026-01-02 03:04 UTC"))
    #expect(lines.contains("- Version: gallop 1.2.3"))
    #expect(lines.contains("| 1 | 100 | 0 | 0.1 | 1.0 | 30.0 | 25.0 | 50.0 | 1.0 MB | 20.0 MB | yes |"))
    #expect(lines.contains("| 64 | 100 | 7 | 0.1 | 1.0 | 30.0 | 25.0 | 50.0 | 1.0 MB | 20.0 MB | no |"))
    #expect(lines.contains("**1 player at once: nothing dropped, p99 lateness under one frame (20 ms).**"))
    let table = lines.filter { $0.hasPrefix("|") }
    #expect(Set(table.map { $0.count { $0 == "|" } }).count == 1)
  }

  @Test("The chart has a bar for each step, red if it was not smooth")
  func chart() {
    let chart = report([PlaybackRampTests.step(1), PlaybackRampTests.step(64, dropped: 7)]).chart
    #expect(chart.title == "1 player at once: nothing dropped, p99 lateness under one frame (20 ms).")
    #expect(chart.subtitle == "gallop 1.2.3, 2026-01-02 03:04 UTC, A machine, 2 processors")
    #expect(chart.labels == ["1", "64"])
    #expect(chart.series.count == 4)
    #expect(chart.series.allSatisfy { $0.values.count == 2 && $0.alarms == [1] })
    #expect(chart.series[0].mark == 20)
    let mixed = report([PlaybackRampTests.step(1, frameMs: 30), PlaybackRampTests.step(2)]).chart
    #expect(mixed.series[0].mark == nil)
  }

  @Test("Columns of the table are aligned and fit 80 characters")
  func table() {
    let header = PlaybackRampReport.line(PlaybackRampReport.columns)
    let row = PlaybackRampReport.line(PlaybackRampReport.cells(PlaybackRampTests.step(64)))
    #expect(header.count == row.count)
    #expect(header.count <= 81)
    #expect(header.hasSuffix("smooth\n") && row.hasSuffix("yes\n"))
  }
}
