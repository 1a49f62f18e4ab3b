internal import ArgumentParser
internal import Gallop
internal import Glibc

struct BenchPlaybackCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "playback",
    abstract: "Plays many GIFs at once and measures lateness, dropped frames, CPU time and memory.",
    discussion: """
      The files are taken in turn until COUNT players are made. Every picture shown is drawn into its player's tile of \
      one surface in memory; no window is opened.

      Several counts (--count 1,4,16,64,256), or --until-saturated, make a ramp: each step plays for --seconds. \
      The result is the greatest count with no dropped frame and a p99 lateness under one frame, which is the \
      shortest delay of the files in that step.
      """)

  @Option(help: "Players; several numbers with commas make a ramp. (default: one for each file)")
  var count: PlayerCounts?

  @Flag(help: "Double the players from 1 on until frames are dropped or late.")
  var untilSaturated = false

  @Option(help: "Seconds to play, for each count.")
  var seconds: Double = 10

  @Option(help: "Size at which each player is drawn, WxH.")
  var tile = PixelSize(clampingWidth: 96, height: 64)

  @Option(help: "Memory budget of all players, as 64M, 1G or a number of bytes.")
  var budget = ByteAmount(bytes: 256 << 20)

  @Flag(help: "Print one JSON line for each count.")
  var json = false

  @Option(help: "Write a report in Markdown to this file.", completion: .file())
  var markdown: String?

  @Option(help: "Write a chart to this SVG file.", completion: .file(extensions: ["svg"]))
  var svg: String?

  @OptionGroup(title: "Tracing")
  var tracing: TraceOptions

  @OptionGroup var messages: MessageOptions

  @OptionGroup var inputs: InputOptions

  var files: [String] { inputs.files }

  /// The largest number of pixels of all tiles.
  private static let wallLimit: Int64 = 1 << 28

  /// Whether a surface of this many tiles is small enough.
  private static func fits(_ count: Int, _ tile: PixelSize) -> Bool {
    count <= PlayerCounts.limit && TileWall.area(tile: tile, count: count) <= wallLimit
  }

  mutating func validate() throws {
    guard budget.bytes > 0 else { throw ValidationError("--budget takes 1 or more.") }
    guard seconds > 0, seconds <= 86_400 else { throw ValidationError("--seconds takes more than 0.") }
    guard count == nil || !untilSaturated else {
      throw ValidationError("--until-saturated chooses the counts by itself: leave --count out.")
    }
    // Players deliver no larger pictures.
    let tileLimit = DecodingLimits.default.canvasPixels
    guard tile.area <= tileLimit else {
      throw ValidationError("--tile takes at most \(tileLimit) pixels.")
    }
    let largest = untilSaturated ? 1 : count?.values.max() ?? files.count
    guard Self.fits(largest, tile) else {
      throw ValidationError("\(largest) tiles of \(tile.width)x\(tile.height) are too large a surface.")
    }
    if let svg, ChartFile(argument: svg)?.format != .svg {
      throw ValidationError("--svg takes a file that ends in .svg, not '\(svg)'.")
    }
  }

  func run() throws {
    Interruption.watch()
    var images: [(name: String, image: GIFImage)] = []
    let outcome = Result {
      try forEachFile(files, messages) { task in
        let image = try task.standardImage()
        task.warnIfStrict(image, messages)
        guard image.frameCount > 0 else { throw FileFailure(reason: "has no frames to play") }
        images.append((SourceReading.name(of: task.path), image))
      }
    }
    guard !images.isEmpty else { return try outcome.get() }
    let ramp = makeRamp(fileCount: images.count)
    // Refused files are reported before playback.
    let inputs = FileIdentity.inputs(files)
    for path in [markdown, svg, tracing.trace].compactMap(\.self) {
      try OutputFile.check(path, force: tracing.force, keeping: inputs)
    }
    let failures = PlayerFailures()
    try play(ramp, images, failures)
    try outcome.get()
    try failures.check()
  }

  private func makeRamp(fileCount: Int) -> PlaybackRamp {
    guard untilSaturated else { return .steps(count?.values ?? [fileCount]) }
    var limit = 1
    while Self.fits(2 * limit, tile) { limit *= 2 }
    return .doubling(limit: limit)
  }

  private func play(
    _ ramp: PlaybackRamp, _ images: [(name: String, image: GIFImage)], _ failures: PlayerFailures
  ) throws {
    var report = PlaybackRampReport(
      machine: .present, version: GallopCommand.configuration.version, seconds: seconds, tile: tile,
      budgetBytes: Int(clamping: budget.bytes), fileCount: images.count)
    let isSingle = if case .steps(let counts) = ramp { counts.count == 1 } else { false }
    let recorder = tracing.makeRecorder()
    func printText(_ text: String) throws { try OutputDescriptor.standardOutput.write(Array(text.utf8)) }
    if !json, !isSingle { try printText(PlaybackRampReport.line(PlaybackRampReport.columns)) }
    try tracing.saving(recorder) {
      while let count = ramp.next(after: report.steps) {
        let shown = (0..<count).map { images[$0 % images.count] }
        let bench = PlaybackBench(
          images: shown, failures: failures, seconds: seconds, tile: tile, budget: Int(clamping: budget.bytes)
        )
        let step = PlaybackStep(
          report: try bench.run(recorder),
          frameMs: PlaybackStep.shortestFrame(of: images.prefix(count).map(\.image)))
        failures.report()
        report.steps.append(step)
        if json {
          try JSONLine.print(step.report)
        } else {
          try printText(
            isSingle ? step.report.table : PlaybackRampReport.line(PlaybackRampReport.cells(step)))
        }
      }
    }
    if !json, !isSingle { try printText(report.verdict + "\n") }
    if let markdown {
      try OutputFile.write(to: markdown, force: tracing.force) { try $0.write(Array(report.markdown.utf8)) }
    }
    if let svg { try ChartFile(argument: svg)?.write(report.chart, force: tracing.force) }
  }
}
