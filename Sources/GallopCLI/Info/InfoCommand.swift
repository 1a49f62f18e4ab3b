internal import ArgumentParser
internal import GIFDecoding
internal import Glibc

struct InfoCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "info",
    abstract: "Describes GIF files: canvas, frames, delays, loops and damage.",
    discussion: "Every frame's data is decoded once to find damage; --index-only leaves that out.")

  @Flag(help: "Print one JSON line for each file.")
  var json = false

  @Flag(help: "Also print a line for each frame.")
  var frames = false

  @Option(help: "Frames to describe, \(FrameSelection.forms). (default: all)")
  var range: FrameSelection?

  @Flag(help: "Exit with status 1 if a file has any warning.")
  var strict = false

  @Flag(help: "Read the records only; decode no frame.")
  var indexOnly = false

  @Option(
    help: "Draw the frames' delays and compressed sizes as a chart, as SVG or PNG by the file's extension.",
    completion: .file(extensions: ["svg", "png"]))
  var plot: ChartFile?

  @Flag(help: "Overwrite the file of the chart if it exists.")
  var force = false

  @OptionGroup(title: "Reading")
  var reading: ReadingOptions

  @Argument(help: InputFiles.help, completion: .file())
  var files: [String]

  mutating func validate() throws {
    files = try InputFiles.expand(files)
    guard plot != nil, files.count > 1 else { return }
    throw ValidationError("A chart shows one GIF: --plot takes one file.")
  }

  func run() throws {
    do {
      try describe()
    } catch let failure as CommandFailure
      where failure.systemError == EPIPE && failure.subject == OutputDescriptor.standardOutput.name
    {
      // The reader has all that it wants, such as `head`; the status is that of a program that the signal ends.
      throw ExitCode(128 + SIGPIPE)
    }
  }

  private func describe() throws {
    var isAnythingOdd = false
    let style = TextStyle.standardOutput
    let inputs = FileIdentity.inputs(files)
    try forEachFile(files) { turn in
      let image = try reading.open(turn.path)
      var report = InfoReport(path: SourceReading.key(of: turn.path), image: image, checksFrames: !indexOnly)
      let shown = try range?.range(in: image)
      isAnythingOdd = isAnythingOdd || !report.diagnostics.isEmpty
      if json {
        if let shown { report.frames = Array(report.frames[shown]) }
        try JSONLine.print(report)
      } else {
        let table = report.table(
          name: SourceReading.name(of: turn.path), frames: shown ?? (frames ? report.frames.indices : nil),
          style: style)
        try OutputDescriptor.standardOutput.write(Array(table.utf8))
      }
      let name = Printable.text(OutputFile.baseName(of: turn.path))
      try plot?.write(BarChart(of: image, name: name), force: force, keeping: inputs)
    }
    if strict, isAnythingOdd { throw ExitCode(1) }
  }
}
