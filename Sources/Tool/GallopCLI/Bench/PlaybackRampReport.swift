internal import GIFStage
internal import Gallop

/// The report of a benchmark with several steps, as text and as a chart.
struct PlaybackRampReport {
  var steps: [PlaybackStep] = []
  var machine: BenchMachine
  var version: String
  /// The seconds of each step.
  var seconds: Double
  var tile: PixelSize
  var budgetBytes: Int
  var fileCount: Int

  /// The greatest number of players that a step played smoothly.
  var capacity: Int? { steps.filter(\.isSmooth).map(\.report.players).max() }

  var verdict: String {
    guard let capacity else {
      let isBroken = steps.contains { $0.report.playersFailed > 0 }
      return "No number tried played without \(isBroken ? "failed players" : "dropped or late frames")."
    }
    let frame = steps.last { $0.isSmooth && $0.report.players == capacity }?.frameMs
    let limit = frame.map { ", p99 lateness under one frame (\($0) ms)" } ?? ""
    return "\(capacity) player\(capacity == 1 ? "" : "s") at once: nothing dropped\(limit)."
  }

  static let columns = [
    "players", "due", "dropped", "p50 ms", "p99 ms", "max ms", "cpu %", "wake-ups/s", "cached", "resident",
    "smooth",
  ]

  static func cells(_ step: PlaybackStep) -> [String] {
    let report = step.report
    let lateness = report.latenessMs
    return [
      "\(report.players)", "\(report.framesDue)", "\(report.framesDropped)", "\(lateness.p50.rounded(to: 2))",
      "\(lateness.p99.rounded(to: 2))", "\(lateness.max.rounded(to: 2))", "\(report.cpuPercent)",
      "\(report.wakeupsPerSecond)", amount(Double(report.peakCacheBytes)),
      amount(Double(report.peakResidentBytes)),
      step.isSmooth ? "yes" : "no",
    ]
  }

  /// The columns of the text table with their widths: all but one, so that a line fits 80 characters.
  private static let textColumns = [
    (0, 7), (1, 7), (2, 8), (4, 7), (5, 8), (6, 7), (7, 11), (8, 9), (9, 9), (10, 7),
  ]

  /// A line of the text table. Its columns have a fixed width, as each step is printed when it ends.
  static func line(_ cells: [String]) -> String {
    textColumns.map { column, width in
      String(repeating: " ", count: max(column == 0 ? 0 : 1, width - cells[column].count)) + cells[column]
    }.joined() + "\n"
  }

  var markdown: String {
    func row(_ cells: [String]) -> String { "| " + cells.joined(separator: " | ") + " |" }
    let lines =
      [
        "# Playback of many GIFs at once", "",
        "- Machine: \(machine.description)",
        "- Date: \(machine.date)",
        "- Version: gallop \(version)",
        "- Each step: \(seconds) s, \(fileCount) file\(fileCount == 1 ? "" : "s") in turn, "
          + "tiles of \(tile.width)x\(tile.height), a budget of \(amount(Double(budgetBytes)))",
        "", row(Self.columns), row(Self.columns.map { _ in "---:" }),
      ] + steps.map { row(Self.cells($0)) } + [
        "", "**\(verdict)**", "",
        "`smooth`: no player failed, no frame dropped, and p99 lateness under the shortest time that a frame of the "
          + "files shown is on. `cpu`: of one processor. `cached`, `resident`: the most at any time of the step.",
      ]
    return lines.joined(separator: "\n") + "\n"
  }

  var chart: BarChart {
    let failed = Set(steps.indices.filter { !steps[$0].isSmooth })
    // The line for one frame is drawn only if it is the same in all steps.
    let frames = Set(steps.map(\.frameMs))
    let mark = frames.count == 1 ? frames.first?.map(Double.init) : nil
    func series(
      _ title: String, _ color: Color, mark: Double? = nil, _ value: (PlaybackBench.Report) -> Double
    )
      -> BarChart.Series
    {
      BarChart.Series(
        title: title, values: steps.map { value($0.report) }, color: color, alarms: failed, mark: mark)
    }
    return BarChart(
      title: verdict, subtitle: "gallop \(version), \(machine.date), \(machine.description)",
      axisTitle: "players at once, \(seconds) s each, tiles of \(tile.width)x\(tile.height); red: not smooth",
      labels: steps.map { "\($0.report.players)" },
      series: [
        series("p99 lateness, ms" + (mark == nil ? "" : " (line: one frame)"), Theme.accent, mark: mark) {
          $0.latenessMs.p99
        },
        series("dropped frames", Theme.bad) { Double($0.framesDropped) },
        series("cpu, % of one processor", Theme.good) { $0.cpuPercent },
        series("resident memory at the most, MB", Theme.accent) { Double($0.peakResidentBytes) / 1e6 },
      ])
  }
}
