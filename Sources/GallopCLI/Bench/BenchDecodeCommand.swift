internal import ArgumentParser
internal import EngineSupport
internal import GIFBatch
internal import GIFCaching
internal import GIFDecoding
internal import GIFLoading
internal import GIFPlayback
internal import Glibc

struct BenchDecodeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "decode",
    abstract: "Measures how fast whole GIFs decode.",
    discussion: """
      The best of N runs, from the bytes in memory until every RGBA canvas is composited in place; opening and \
      allocations are included.
      """)

  @Option(name: .customLong("repeat"), help: "Runs for each file.")
  var repeats: Int = 5

  @Option(help: "Threads that decode one file.")
  var jobs: Int = 1

  @Flag(help: "Print one JSON line for each file.")
  var json = false

  @Argument(help: "GIF files or URLs (http, https, file, data).")
  var files: [String]

  struct Line: Encodable {
    var path: String
    var frames: Int
    /// Pixels of all frame rectangles.
    var pixels: Int64
    /// Pixels of all canvases.
    var canvasPixels: Int64
    var milliseconds: Double
    /// Frame-rectangle pixels a second.
    var megapixelsPerSecond: Double
  }

  func validate() throws {
    guard repeats >= 1 else { throw ValidationError("--repeat takes 1 or more.") }
    try JobCount.check(jobs)
  }

  func run() throws {
    Interruption.watch()
    try forEachFile(files) { path in
      let line = try measure(path)
      if json { return try JSONLine.print(line) }
      let text =
        "\(SourceReading.name(of: path)): \(line.frames) frames, \(line.pixels) pixels, \(line.milliseconds.rounded(to: 3)) ms, "
        + "\(line.megapixelsPerSecond.rounded(to: 1)) Mpx/s\n"
      try OutputDescriptor.standardOutput.write(Array(text.utf8))
    }
  }

  private func measure(_ path: String) throws -> Line {
    let bytes = try FileBytes.read(path)
    let time = MonotonicTimeSource()
    var best = Duration.seconds(1_000_000)
    var frames: [FrameInfo] = []
    var canvas: Int64 = 0
    for _ in 0..<repeats {
      try Interruption.check()
      let start = time.now()
      do throws(GIFError) {
        let image = try GIFImage(bytes: bytes)
        if jobs == 1 {
          var renderer = try FrameRenderer(image, checkpoints: .none)
          for index in image.frames.indices { try renderer.render(index) }
        } else {
          var pipeline = try FramePipeline(image, frames: 0..<image.frameCount, jobs: jobs)
          while try pipeline.render() != nil {}
        }
        frames = image.frames
        canvas = image.pixelCount
      } catch {
        throw FileFailure(reason: error.description)
      }
      best = min(best, time.now() - start)
    }
    let pixels = frames.reduce(0) { $0 + $1.rect.area }
    let milliseconds = best.millisecondCount
    return Line(
      path: SourceReading.key(of: path), frames: frames.count, pixels: pixels,
      canvasPixels: canvas * Int64(frames.count),
      milliseconds: milliseconds, megapixelsPerSecond: Double(pixels) / max(milliseconds, 1e-6) / 1000)
  }
}

/// A file's bytes in memory.
enum FileBytes {
  /// - Parameter argument: a path, or a URL, which is loaded to its end.
  static func read(_ argument: String) throws -> [UInt8] {
    guard let path = (try? GIFSource(argument))?.path else {
      let image = try ReadingOptions.standard(argument)
      return try image.fileBytes()
    }
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw FileFailure(reason: "cannot be read: \(systemReason(errno))") }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 20)
    while true {
      let size = chunk.count
      let count = unsafe chunk.withUnsafeMutableBytes { unsafe Glibc.read(descriptor, $0.baseAddress, size) }
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw FileFailure(reason: "cannot be read: \(systemReason(errno))") }
      if count == 0 { return bytes }
      bytes.append(contentsOf: chunk[..<count])
    }
  }
}
