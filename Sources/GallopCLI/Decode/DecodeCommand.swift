internal import ArgumentParser
internal import GIFCaching
internal import GIFDecoding

struct DecodeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "decode",
    abstract: "Decodes GIFs to finished pictures: every frame as the whole canvas.",
    discussion: """
      png writes NAME-0000.png and so on into the output folder. rgba and bgra write all canvases one after \
      another, four bytes a pixel, straight alpha, into NAME.rgba, the file given, or standard output (-). \
      null decodes and writes nothing.
      """)

  enum Format: String, ExpressibleByArgument, CaseIterable {
    case png, rgba, bgra, null
  }

  @Option(help: "Frames to decode, counted from 0: A..<B, A...B, A.. or A.")
  var frames: FrameSelection?

  @Option(help: "What to write.")
  var format: Format = .png

  @Option(
    name: .shortAndLong, help: "A folder, a file, or - for standard output. (default: the current folder)")
  var output: String?

  @Option(help: "Deliver pictures at this size, WxH, by area averaging. (default: the canvas)")
  var size: PixelSize?

  @Option(help: "Threads that decode one file. (default: the number of processors)")
  var jobs: Int?

  @Flag(help: "Overwrite existing files.")
  var force = false

  @OptionGroup(title: "Reading")
  var reading: ReadingOptions

  @Argument(help: "GIF files or URLs (http, https, file, data).")
  var files: [String]

  func validate() throws {
    try JobCount.check(jobs ?? 1)
    guard let output, output != "-", files.count > 1, PictureSink.isOneFile(output, for: format) else {
      return
    }
    throw ValidationError("With several files --output takes a folder (or -), not '\(output)'.")
  }

  func run() throws {
    Interruption.watch()
    try forEachFile(files) { path in
      let image = try reading.open(path)
      let range = try frames?.range(in: image) ?? 0..<image.frameCount
      warn(path, image.diagnostics)
      let pictures = try PictureSource(
        path, image, range: range, format: format == .bgra ? .bgra : .rgba,
        size: size, jobs: jobs ?? EngineThread.processorCount)
      let sink = try PictureSink(format: format, output: output, path: path, force: force)
      let found = try sink.write(pictures)
      warn(path, found)
    }
  }
}

/// The pictures of a range of frames, in order.
struct PictureSource: ~Copyable {
  let path: String
  let range: Range<Int>
  private var pipeline: FramePipeline
  private let jobs: Int

  /// Bytes of pictures that wait to be encoded or written, at the most; one picture waits in any case.
  private static let waitingBytes = 1 << 28

  init(_ path: String, _ image: GIFImage, range: Range<Int>, format: PixelFormat, size: PixelSize?, jobs: Int)
    throws
  {
    self.path = path
    self.range = range
    self.jobs = jobs
    do throws(GIFError) {
      pipeline = try FramePipeline(image, frames: range, format: format, size: size, jobs: jobs)
    } catch {
      throw FileFailure(reason: error.description)
    }
  }

  /// Hands each picture to `body`; returns the damage met. Without a body frames are only composed.
  consuming func deliver(to body: ((Frame) throws -> Void)?) throws -> [GIFDiagnostic] {
    var progress = ProgressLine(SourceReading.name(of: path), unit: "frames")
    defer { progress.end() }
    for done in 1...max(1, range.count) {
      try Interruption.check()
      guard let body else {
        guard try pipeline.render() != nil else { break }
        continue
      }
      guard let frame = try pipeline.next() else { break }
      try body(frame)
      progress.update(done, of: range.count)
    }
    return pipeline.diagnostics
  }

  /// Has each picture encoded, several at once, and hands what comes of it to `body`, in order; returns the damage met.
  consuming func deliver<Encoded: Sendable>(
    encoding encode: @escaping @Sendable (Frame) throws -> Encoded, to body: (Int, Encoded) throws -> Void
  ) throws -> [GIFDiagnostic] {
    var progress = ProgressLine(SourceReading.name(of: path), unit: "frames")
    defer { progress.end() }
    let pictureBytes = max(1, pipeline.pictureBytes)
    let encoding = OrderedWork<Frame, (index: Int, encoded: Result<Encoded, any Error>)>(
      jobs: jobs, window: jobs == 1 ? 1 : min(2 * jobs, Self.waitingBytes / pictureBytes)
    ) { frame in (frame.index, Result { try encode(frame) }) }
    var done = 0
    var isExhausted = false
    while true {
      try Interruption.check()
      if !isExhausted, !encoding.isFull {
        if let frame = try pipeline.next() { encoding.add(frame) } else { isExhausted = true }
        continue
      }
      guard let (index, encoded) = encoding.next() else { break }
      try body(index, try encoded.get())
      done += 1
      progress.update(done, of: range.count)
    }
    return pipeline.diagnostics
  }
}
