internal import ArgumentParser
internal import EngineSupport
internal import GIFCaching
internal import GIFDecoding

struct DecodeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "decode",
    abstract: "Decodes GIFs to pictures: every frame as the whole canvas.",
    discussion: """
      png writes NAME-0000.png and so on into the output folder. rgba and bgra write all canvases one after \
      another, four bytes a pixel, straight alpha, into NAME.rgba, the file given, or standard output (-). \
      null decodes and writes nothing.

      y4m writes a YUV4MPEG2 video, NAME.y4m: 4:4:4, BT.601, limited range, transparent pixels over white. Its rate is \
      the lowest at which every delay is a whole number of pictures (the greatest common divisor of the delays); \
      frames are repeated so that each lasts exactly as long as a browser shows it.

      sheet writes a contact sheet, NAME-sheet.png: a small picture of each frame over a checkerboard, with its index and \
      its delay. Without --size they fit 160x120, and less where there are many; a sheet has at most 33.5 million \
      pixels.
      """)

  enum Format: String, ExpressibleByArgument, CaseIterable {
    case png, rgba, bgra, y4m, sheet, null
  }

  @Option(help: "Frames to decode, counted from 0: A..<B, A...B, A.. or A.")
  var frames: FrameSelection?

  @Option(help: "Output format.")
  var format: Format = .png

  @Option(
    name: .shortAndLong, help: "A folder, a file, or - for standard output. (default: the current folder)")
  var output: String?

  @Option(help: "Deliver pictures at this size, WxH, by area averaging. (default: the canvas)")
  var size: PixelSize?

  @Option(help: "Threads that decode one file. (default: the number of processors)")
  var jobs: Int?

  @Option(help: "Largest size of a y4m video, as 64M, 1G or a number of bytes.")
  var maxVideoBytes = ByteAmount(bytes: 8 << 30)

  @Flag(help: "Overwrite existing files.")
  var force = false

  @OptionGroup(title: "Reading")
  var reading: ReadingOptions

  @Argument(help: "GIF files or URLs (http, https, file, data).")
  var files: [String]

  func validate() throws {
    try JobCount.check(jobs ?? 1)
    try OutputDestination.check(format: format, output: output, inputs: files)
  }

  func run() throws {
    Interruption.watch()
    try forEachFile(files) { path in
      let image = try reading.open(path)
      let range = try frames?.range(in: image) ?? 0..<image.frameCount
      warn(path, image.diagnostics)
      warn(path, try write(image, of: path, range: range))
    }
  }

  /// Writes the output of one image; returns the damage found.
  private func write(_ image: GIFImage, of path: String, range: Range<Int>) throws -> [GIFDiagnostic] {
    // Limits are checked before any output is created.
    let video =
      format == .y4m
      ? try Y4MVideo(image, frames: range, size: size ?? image.canvasSize, byteLimit: maxVideoBytes.bytes)
      : nil
    let sheet =
      format == .sheet
      ? try ContactSheet(image, name: OutputFile.baseName(of: path), frames: range, size: size) : nil
    let pictures = try PictureSource(
      path, image, range: range, format: format == .bgra ? .bgra : .rgba,
      size: sheet?.layout.thumbnail ?? size,
      jobs: jobs ?? EngineThread.processorCount)
    let place = OutputDestination(format: format, output: output, input: path)
    try place.prepare(output: output)
    if let video { return try place.write(pictures, force: force, video.write) }
    if let sheet { return try place.write(pictures, force: force, sheet.write) }
    return switch format {
    case .png: try place.writePNG(pictures, force: force)
    case .null: try pictures.deliver(to: nil)
    default: try place.write(pictures, force: force, RawPictures.write)
    }
  }
}
