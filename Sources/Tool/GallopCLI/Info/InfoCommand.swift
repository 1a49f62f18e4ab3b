internal import ArgumentParser
internal import EngineSupport
internal import Gallop
internal import Glibc

struct InfoCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "info",
    abstract: "Describes GIF files: canvas, frames, delays, loops and damage.",
    discussion: """
      Every frame's data is decoded once to find damage; --index-only leaves that out.

      Fields of --format and --sort: \(InfoField.names). They are named as in --json; in addition, name is the last \
      part of the path without .gif, and warnings is the number of diagnostics. In a format \\t is a tab, \\n a line break, {{ a brace. A field without \
      a value is a dash.
      """)

  @Flag(help: "Print one JSON line for each file.")
  var json = false

  @Flag(help: "Also print a line for each frame.")
  var frames = false

  @Option(
    parsing: .unconditional, help: "Frames to describe, \(FrameSelection.forms). (default: all)",
    transform: FrameSelection.init(parsing:))
  var range: FrameSelection?

  @Option(
    help: ArgumentHelp(
      "Print a line for each file instead, with fields in braces: '{width}x{height} {path}'.",
      valueName: "text"))
  var format: String?

  @Option(
    help: ArgumentHelp("Describe the files in the order of a field, such as bytes.", valueName: "field"))
  var sort: String?

  @Flag(help: "With --sort, the largest first.")
  var reverse = false

  @Flag(
    help:
      "Also print a checksum of each composed frame: MD5 of its bytes as decode --format rgba writes them.")
  var hashes = false

  @Flag(
    name: .customLong("framemd5"),
    help:
      "Print the checksums of one GIF in the layout of ffmpeg's framemd5, transparent pixels white as there.")
  var frameMD5 = false

  @Flag(help: "Read the records only; decode no frame but those that --flashes needs.")
  var indexOnly = false

  @Option(
    help: "Draw the frames' delays and compressed sizes as a chart, as SVG or PNG by the file's extension.",
    completion: .file(extensions: ["svg", "png"]))
  var plot: ChartFile?

  @Flag(help: "Overwrite the file of the chart if it exists.")
  var force = false

  @OptionGroup(title: "Flashes") var flashArguments: FlashArguments

  @OptionGroup var reading: ReadingOptions

  @OptionGroup var confinement: ConfinementOptions

  @OptionGroup var inputs: InputOptions

  var files: [String] { inputs.files }

  func validate() throws {
    if let format {
      guard !json else { throw ValidationError("--json and --format exclude each other.") }
      guard !frames, !hashes, range == nil else {
        throw ValidationError("--frames, --hashes and --range go without --format.")
      }
      if try InfoFormat(argument: format).fields.contains(.flashes), !flashArguments.flashes {
        throw ValidationError("--format prints {flashes} with --flashes only.")
      }
    }
    if let sort, InfoField(rawValue: sort) == nil {
      throw ValidationError("--sort knows no field '\(sort)'. \(InfoField.suggestion(for: sort))")
    }
    if sort == InfoField.flashes.rawValue, !flashArguments.flashes {
      throw ValidationError("--sort flashes goes with --flashes.")
    }
    guard sort != nil || !reverse else { throw ValidationError("--reverse goes with --sort.") }
    if indexOnly, hashes || frameMD5 {
      throw ValidationError("--index-only decodes no frame, so it gives no checksums.")
    }
    let printsMore = json || hashes || frames || plot != nil || format != nil || sort != nil
    if frameMD5, printsMore || flashArguments.flashes {
      throw ValidationError(
        "--framemd5 prints nothing else: leave out --json, --hashes, --frames, --flashes, --format, --sort and "
          + "--plot.")
    }
    if frameMD5, files.count > 1 { throw ValidationError("--framemd5 takes one file.") }
    if frames, range == nil, let wrong = files.first(where: Self.isRange) {
      throw ValidationError("--frames takes no value here; --range \(wrong) chooses frames.")
    }
    guard plot != nil, files.count > 1 else { return }
    throw ValidationError("A chart shows one GIF: --plot takes one file.")
  }

  /// Whether an argument is a selection of frames and no file.
  private static func isRange(_ argument: String) -> Bool {
    !OutputFile.exists(argument) && (try? FrameSelection(parsing: argument)) != nil
  }

  func run() throws { try OutputDescriptor.endingWithReader { try describe() } }

  private func describe() throws {
    let inputs = FileIdentity.inputs(files)
    let key = sort.flatMap(InfoField.init(rawValue:))
    let writer = try makeWriter()
    var rules = ConfinementRules(reading: files)
    if let plot { rules.write(plot.path) }
    confinement.enter(rules)
    var lines = SortedLines(isReversed: reverse)
    // Several threads work out checksums; nothing else takes long.
    let outcome = Result {
      try forEachFile(
        files, jobs: hashes || frameMD5 ? EngineThread.processorCount : 1, reading.messages,
        onFailure: { path, failure in
          guard json else { return }
          let line = try JSONLine.encode(InfoReport.Failure(path: path, failure))
          if key == nil { try OutputDescriptor.standardOutput.write(line) } else { lines.addLast(line) }
        }
      ) { task in
        var isCutOff = false
        let image = try confinement.opening(task, rules) {
          try reading.open(task.observed { if case .cutOff = $0 { isCutOff = true } })
        }
        if frameMD5 { return try printFrameMD5(image, task) }
        var report = InfoReport(path: task.path, image: image, checksFrames: !indexOnly)
        let shown = try range?.frames(delays: report.frames.map(\.delayMs))
        if hashes {
          let chosen = shown ?? Array(report.frames.indices)
          _ = try FrameHashes.forEach(of: image, frames: chosen, as: .rgba, task) { place, hash in
            report.frames[chosen[place]].md5 = hash
          }
        }
        try flashArguments.describe(
          image, task, isComplete: !isCutOff, isVerdictOnly: format != nil, in: &report)
        let line = try writer(task.path, report, shown)
        notify(task, of: report, image)
        if let key {
          lines.add(line, key: key.value(of: report))
        } else {
          try OutputDescriptor.standardOutput.write(line)
        }
        let name = Printable.text(OutputFile.baseName(of: task.path))
        try plot?.write(BarChart(of: image, name: name), force: force, keeping: inputs)
      }
    }
    for line in lines.sorted { try OutputDescriptor.standardOutput.write(line) }
    try outcome.get()
  }

  /// Tells of damage and flashes, and of a canvas that decoding refuses: a program that asks `info` first
  /// would fail later.
  private func notify(_ task: FileTask, of report: InfoReport, _ image: GIFImage) {
    if !report.diagnostics.isEmpty {
      let isHidden = format != nil && reading.messages.strict
      task.notify(isHidden ? .countedDamage(report.diagnostics.count) : .describedDamage)
    }
    if report.flashes?.fails == true { task.notify(.flashes) }
    do throws(GIFError) {
      try image.checkRenderer(size: nil)
    } catch {
      task.notify(.refused(error))
    }
  }

  /// Prints the checksums as they are found.
  private func printFrameMD5(_ image: GIFImage, _ task: FileTask) throws {
    let delays = image.frames.map { $0.delayMilliseconds() }
    let chosen = try range?.frames(delays: delays) ?? Array(image.frames.indices)
    var text = FrameMD5Text(size: image.size)
    try OutputDescriptor.standardOutput.write(Array(text.header.utf8))
    let found = try FrameHashes.forEach(of: image, frames: chosen, as: .ffmpeg, task) { place, hash in
      let line = text.line(milliseconds: delays[chosen[place]], hash: hash)
      try OutputDescriptor.standardOutput.write(Array(line.utf8))
    }
    task.warn(image.diagnostics + found)
  }

  /// What is printed for a file: JSON, a line by the format, or a table.
  private func makeWriter() throws -> (String, InfoReport, [Int]?) throws -> [UInt8] {
    if json {
      return { _, report, shown in
        var report = report
        if let shown { report.frames = shown.map { report.frames[$0] } }
        return try JSONLine.encode(report)
      }
    }
    if let format = try format.map(InfoFormat.init(argument:)) {
      let isForTerminal = isatty(STDOUT_FILENO) == 1
      return { _, report, _ in format.line(report, isForTerminal: isForTerminal) }
    }
    let style = TextStyle.standardOutput
    return { path, report, shown in
      let table = report.table(
        name: SourceReading.name(of: path),
        frames: shown ?? (frames || hashes ? Array(report.frames.indices) : nil),
        style: style)
      return Array(table.utf8)
    }
  }
}

/// Lines that are kept until all files are read, to be printed in the order of a field.
struct SortedLines {
  let isReversed: Bool
  private var keyed: [(key: InfoField.Value, line: [UInt8])] = []
  private var last: [[UInt8]] = []

  init(isReversed: Bool) { self.isReversed = isReversed }

  mutating func add(_ line: [UInt8], key: InfoField.Value) { keyed.append((key, line)) }

  /// Adds a line that has no field, and comes after those that have.
  mutating func addLast(_ line: [UInt8]) { last.append(line) }

  /// The lines in order; those with equal fields keep theirs.
  var sorted: [[UInt8]] {
    let places = keyed.indices.sorted { first, second in
      let (a, b) = (keyed[first].key, keyed[second].key)
      if a == b { return first < second }
      return isReversed ? b < a : a < b
    }
    return places.map { keyed[$0].line } + last
  }
}
