internal import ArgumentParser
internal import GIFDecoding

struct InfoCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "info",
    abstract: "Describes GIF files: canvas, frames, delays, loops and damage.",
    discussion: "Every frame's data is decoded once to find damage; --index-only leaves that out.")

  @Flag(help: "Print one JSON line for each file.")
  var json = false

  @Flag(help: "Also print a line for each frame.")
  var frames = false

  @Flag(help: "Exit with status 1 if a file has any warning.")
  var strict = false

  @Flag(help: "Read the records only; decode no frame.")
  var indexOnly = false

  @Option(
    help: "Draw the frames' delays and compressed sizes as a chart, as SVG or PNG by the file's extension.")
  var plot: ChartFile?

  @Flag(help: "Overwrite the file of the chart if it exists.")
  var force = false

  @OptionGroup(title: "Reading")
  var reading: ReadingOptions

  @Argument(help: "GIF files or URLs (http, https, file, data).")
  var files: [String]

  func validate() throws {
    guard plot != nil, files.count > 1 else { return }
    throw ValidationError("A chart shows one GIF: --plot takes one file.")
  }

  func run() throws {
    var isAnythingOdd = false
    try forEachFile(files) { path in
      let image = try reading.open(path)
      var report = InfoReport(path: SourceReading.key(of: path), image: image, checksFrames: !indexOnly)
      isAnythingOdd = isAnythingOdd || !report.diagnostics.isEmpty
      if json {
        try JSONLine.print(report)
      } else {
        report.path = SourceReading.name(of: path)
        try OutputDescriptor.standardOutput.write(Array(report.table(showsFrames: frames).utf8))
      }
      try plot?.write(BarChart(of: image, name: OutputFile.baseName(of: path)), force: force)
    }
    if strict, isAnythingOdd { throw ExitCode(1) }
  }
}
