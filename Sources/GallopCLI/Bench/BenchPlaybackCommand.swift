internal import ArgumentParser
internal import GIFCaching
internal import GIFDecoding
internal import GIFPlayback
internal import Glibc

struct BenchPlaybackCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "playback",
    abstract: "Plays many GIFs at once and measures lateness, dropped frames, CPU time and memory.",
    discussion: """
      The files are taken in turn until COUNT players are made. Every picture shown is drawn into its player's tile of \
      one surface in memory; no window is opened.
      """)

  @Option(help: "Players. (default: one for each file)")
  var count: Int?

  @Option(help: "Seconds to play.")
  var seconds: Double = 10

  @Option(help: "Size at which each player is drawn, WxH.")
  var tile = PixelSize(clampingWidth: 96, height: 64)

  @Option(help: "Bytes that all players share, as 64M, 1G or a plain number.")
  var budget = ByteAmount(bytes: 256 << 20)

  @Flag(help: "One JSON object.")
  var json = false

  @OptionGroup(title: "Tracing")
  var tracing: TraceOptions

  @Argument(help: "GIF files or URLs (http, https, file, data).")
  var files: [String]

  func validate() throws {
    if let count, !(1...100_000).contains(count) { throw ValidationError("--count takes 1 to 100000.") }
    guard seconds > 0, seconds <= 86_400 else { throw ValidationError("--seconds takes more than 0.") }
  }

  func run() throws {
    Interruption.watch()
    var images: [GIFImage] = []
    let outcome = Result {
      try forEachFile(files) { path in
        let image = try ReadingOptions.standard(path)
        guard image.frameCount > 0 else { throw FileFailure(reason: "has no frames to play") }
        images.append(image)
      }
    }
    guard !images.isEmpty else { return try outcome.get() }
    let count = count ?? images.count
    guard tile.area * Int64(count) <= 1 << 28 else {
      throw CommandFailure(reason: "\(count) tiles of \(tile.width)x\(tile.height) are too large a surface")
    }
    let bench = PlaybackBench(
      images: (0..<count).map { images[$0 % images.count] }, seconds: seconds, tile: tile,
      budget: budget.bytes)
    let recorder = tracing.makeRecorder()
    let report = try bench.run(recorder)
    try tracing.save(recorder)
    if json {
      try JSONLine.print(report)
    } else {
      try OutputDescriptor.standardOutput.write(Array(report.table.utf8))
    }
    try outcome.get()
  }
}

/// A number of bytes on the command line: plain, or with K, M or G for powers of 1024.
struct ByteAmount: ExpressibleByArgument, CustomStringConvertible {
  var bytes: Int

  init(bytes: Int) { self.bytes = bytes }

  init?(argument: String) {
    let units: [Character: Int] = ["K": 1 << 10, "M": 1 << 20, "G": 1 << 30]
    let unit = argument.uppercased().last.flatMap { units[$0] }
    guard let number = Int(unit == nil ? argument[...] : argument.dropLast()), number > 0,
      case (let bytes, false) = number.multipliedReportingOverflow(by: unit ?? 1)
    else { return nil }
    self.bytes = bytes
  }

  var description: String { bytes % (1 << 20) == 0 ? "\(bytes >> 20)M" : "\(bytes)" }
}
