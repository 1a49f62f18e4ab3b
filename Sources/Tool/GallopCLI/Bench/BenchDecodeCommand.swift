internal import ArgumentParser
internal import EngineSupport
internal import Gallop
internal import Glibc

struct BenchDecodeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "decode",
    abstract: "Measures how fast whole GIFs decode.",
    discussion: """
      The best of N runs, from the bytes in memory until every RGBA canvas is composited in place, or, with --indices, \
      until the palette indices of every frame are decoded; opening and allocations are included.
      """)

  @Option(name: .customLong("repeat"), help: "Runs for each file.")
  var repeats: Int = 5

  @Option(help: "Threads that decode one file.")
  var jobs: Int = 1

  @Flag(help: "Decode palette indices only: no colours, no canvas. With one thread.")
  var indices = false

  @Flag(help: "Print one JSON line for each file.")
  var json = false

  @OptionGroup var messages: MessageOptions

  @OptionGroup var inputs: InputOptions

  var files: [String] { inputs.files }

  struct Line: Encodable {
    var path: String
    /// The path's bytes in hexadecimal digits, if it is not UTF-8.
    var pathHex: String?
    var frames: Int
    /// Pixels of all frame rectangles.
    var pixels: Int64
    /// Pixels of all canvases.
    var canvasPixels: Int64
    var milliseconds: Double
    /// Frame-rectangle pixels a second.
    var megapixelsPerSecond: Double
  }

  mutating func validate() throws {
    guard repeats >= 1 else { throw ValidationError("--repeat takes 1 or more.") }
    try JobCount.check(jobs)
    guard jobs == 1 || !indices else { throw ValidationError("--indices takes no --jobs.") }
  }

  func run() throws {
    Interruption.watch()
    func printText(_ text: String) throws { try OutputDescriptor.standardOutput.write(Array(text.utf8)) }
    var isFirst = true
    try forEachFile(files, messages) { task in
      let line = try measure(task)
      if json { return try JSONLine.print(line) }
      if isFirst { try printText(Line.header) }
      isFirst = false
      try printText(line.row(name: SourceReading.name(of: task.path)))
    }
  }

  private func measure(_ task: FileTask) throws -> Line {
    let bytes = try FileBytes.read(task)
    var best = Duration.seconds(1_000_000)
    var frames: [FrameInfo] = []
    var canvas: Int64 = 0
    var measured: GIFImage?
    for _ in 0..<repeats {
      try Interruption.check()
      let start = PlaybackInstant.now
      do throws(GIFError) {
        let image = try GIFImage(bytes: bytes)
        if indices {
          var decoder = FrameDecoder()
          var decoded = DecodedFrame()
          for frame in image.frames { decoder.decode(frame, of: image, into: &decoded) }
        } else {
          var pipeline = try FramePipeline(image, frames: 0..<image.frameCount, jobs: jobs)
          while try pipeline.render() != nil {}
        }
        frames = image.frames
        canvas = image.pixelCount
        measured = image
      } catch {
        throw FileFailure(reason: error.description)
      }
      best = min(best, PlaybackInstant.now - start)
    }
    if let measured { task.warnIfStrict(measured, messages) }
    let pixels = frames.reduce(0) { $0 + $1.rect.area }
    let milliseconds = best.millisecondCount
    return Line(
      path: SourceReading.key(of: task.path), pathHex: NameText.hexadecimal(task.path), frames: frames.count,
      pixels: pixels,
      canvasPixels: canvas * Int64(frames.count),
      milliseconds: milliseconds, megapixelsPerSecond: Double(pixels) / max(milliseconds, 1e-6) / 1000)
  }
}

extension BenchDecodeCommand.Line {
  private static func text(_ cells: [String], name: String) -> String {
    let widths = [7, 13, 11, 9]
    let columns = zip(cells, widths).map { String(repeating: " ", count: max(1, $1 - $0.count)) + $0 }
    return columns.joined() + "  " + Printable.text(name) + "\n"
  }

  static let header = text(["frames", "pixels", "ms", "Mpx/s"], name: "file")

  /// A line of the table. The name comes last, as its length is not known when the header is printed.
  func row(name: String) -> String {
    Self.text(
      ["\(frames)", "\(pixels)", "\(milliseconds.rounded(to: 3))", "\(megapixelsPerSecond.rounded(to: 1))"],
      name: name)
  }
}

/// A file's bytes in memory.
enum FileBytes {
  /// The bytes of a task's file, or of a URL, which is loaded to its end.
  static func read(_ task: FileTask) throws -> [UInt8] {
    guard let path = InputFiles.path(of: task.path) else { return try task.standardImage().fileBytes() }
    return try PiecewiseReading.bytes(of: path, limits: .default)
  }
}
