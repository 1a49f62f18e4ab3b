internal import ArgumentParser
internal import EngineSupport
internal import Gallop
internal import Glibc
internal import WebPExport

struct DecodeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "decode",
    abstract: "Decodes GIFs to pictures: every frame as the whole canvas.",
    discussion: """
      png writes NAME-0000.png and so on into the output folder, or NAME.png where there is one picture only. \
      jpeg does the same with .jpg files, over white or --background. \
      --output may also be a pattern: 'thumbs/{name}.png' with the name of the GIF, {frame} for the frame's number \
      in the GIF, {index} to count the pictures of all GIFs, {frame:2} for at least two digits; 'f%03d.png' is the \
      frame's number, too.

      rgba and bgra write all canvases one after another, four bytes a pixel, straight alpha, into NAME.rgba, the \
      file given, or standard output (-). null decodes and writes nothing. Without --format the output's extension \
      names the format.

      y4m writes a YUV4MPEG2 video, NAME.y4m: 4:4:4, BT.601, limited range, transparent pixels over white or \
      --background. Its rate is the lowest at which every delay is a whole number of pictures (the greatest common \
      divisor of the delays); frames are repeated so that each lasts exactly as long as a browser shows it.

      webp writes an animated WebP, NAME.webp, by libwebp: each delay to the millisecond, the number of plays, \
      transparency; lossless, or with --lossy. One frame gives a still.

      sheet writes a contact sheet, NAME-sheet.png: a small picture of each frame over a checkerboard, with its \
      index and its delay. Without --size they fit 160x120, and less where there are many; a sheet has at most 33.5 \
      million pixels.
      """)

  @Option(
    name: [.customLong("frames"), .customLong("range")], parsing: .unconditional,
    help: "Frames to decode, \(FrameSelection.forms). (default: all)",
    transform: FrameSelection.init(parsing:))
  var frames: FrameSelection?

  @Flag(
    help:
      "Decode one frame, to stand for the GIF: the first that is not nearly blank. Files of several GIFs are named after them."
  )
  var poster = false

  @Option(help: "Output format. (default: by the output's extension, or png)")
  var format: OutputFormat?

  @Option(
    name: .shortAndLong,
    help: """
      A folder, a file, a pattern such as '{name}-{frame}.png', or - for standard output. \
      (default: the current folder)
      """,
    completion: .file())
  var output: String?

  @Option(
    help:
      "Deliver pictures at exactly this size, by area averaging: 320x240, 320x, x240 or 50%. (default: the canvas)",
    transform: OutputSize.init(parsing:))
  var size: OutputSize?

  @Option(
    help: "Make pictures fit into this box, with the canvas's shape, never enlarged: 320x240, 320x or x240.",
    transform: OutputBox.init(parsing:))
  var fit: OutputBox?

  @Option(
    help:
      "Colour behind transparent pixels: \(BackgroundColor.list), #RGB or #RRGGBB. (default: they stay transparent)"
  )
  var background: BackgroundColor?

  @Option(help: "Quality of a JPEG, or of a lossy WebP: 0 to 100. (default: 85, and a lossless WebP)")
  var lossy: Float?

  @Option(
    help: "Pictures a second of a WebP at the most: others are left out, and the time stays. (default: all)")
  var fps: Double?

  @Option(help: "Compression of PNG files, 0 (none, fast) to 9 (smallest).")
  var compression = PNGEncoder.standardCompression

  @Option(
    help:
      "Threads; each decodes a file of its own while there are enough files. (default: the number of processors)"
  )
  var jobs: Int?

  @Option(help: "Largest size of a y4m video, as 64M, 1G or a number of bytes.")
  var maxVideoBytes = ByteAmount(bytes: 8 << 30)

  @Flag(help: "Overwrite existing files.")
  var force = false

  @OptionGroup var reading: ReadingOptions

  @OptionGroup var confinement: ConfinementOptions

  @OptionGroup var inputs: InputOptions

  var files: [String] { inputs.files }

  mutating func validate() throws {
    try JobCount.check(jobs ?? 1)
    guard (0...9).contains(compression) else { throw ValidationError("--compression takes 0 to 9.") }
    guard maxVideoBytes.bytes > 0 else { throw ValidationError("--max-video-bytes takes 1 or more.") }
    guard output != "" else {
      throw ValidationError("--output is empty; it takes a folder, a file, a pattern or -.")
    }
    guard size == nil || fit == nil else { throw ValidationError("--size and --fit exclude each other.") }
    let format = try OutputFormat.resolve(format, output: output)
    try OutputDestination.check(
      format: format, output: output, inputs: files, isTerminal: OutputFile.isTerminal)
    guard lossy == nil || format == .webp || format == .jpeg else {
      throw ValidationError("--lossy is for --format webp and jpeg.")
    }
    guard frames == nil || !poster else { throw ValidationError("--poster and --frames exclude each other.") }
    guard lossy.map({ (0...100).contains($0) }) ?? true else {
      throw ValidationError("--lossy takes 0 to 100.")
    }
    guard fps == nil || format == .webp else {
      throw ValidationError("--fps is for --format webp. A video (--format y4m) keeps every delay as it is.")
    }
    guard fps.map({ $0 > 0 && $0.isFinite }) ?? true else {
      throw ValidationError("--fps takes more than 0.")
    }
    self.format = format
  }

  func run() throws {
    Interruption.watch()
    let inputs = FileIdentity.inputs(files)
    let jobs = jobs ?? EngineThread.processorCount
    let nextIndex = Lock(0)
    let written = Lock<Set<String>>([])
    let rules = try confinementRules()
    confinement.enter(rules)
    let decode: @Sendable (FileTask) throws -> Void = { [self] task in
      // A sheet names the number of all frames.
      let image = try confinement.opening(task, rules) {
        try reading.open(task, firstFrames: format == .sheet ? nil : frames?.readCount)
      }
      guard image.frameCount > 0 else { throw FileFailure(reason: "has no frames to decode") }
      let chosen = try chosenFrames(of: image)
      task.warn(image.diagnostics)
      let outputs = isOneFilePerPicture ? chosen.count : 1
      let firstIndex = nextIndex.withLock { next in
        next += outputs
        return next - outputs
      }
      let outputRules = OutputRules(force: force, inputs: inputs, firstIndex: firstIndex, written: written)
      task.warn(try write(image, task, frames: chosen, outputRules))
    }
    if try canDecodeAtOnce(jobs: jobs) {
      try forEachFileAtOnce(files, jobs: jobs, reading.messages, decode)
    } else {
      try forEachFile(files, jobs: jobs, reading.messages, decode)
    }
  }

  /// What decoding may reach: the inputs, and where it writes.
  private func confinementRules() throws -> ConfinementRules {
    // Libraries are opened while files of the system can be.
    if format == .webp { WebPEncoder.openLibraries() }
    if format == .jpeg { JPEGEncoder.openLibrary() }
    var rules = ConfinementRules(reading: files)
    try OutputDestination.allow(files, format: format ?? .png, output: output, in: &rules)
    return rules
  }

  private var isOneFilePerPicture: Bool { (format ?? .png).isOneFilePerPicture }

  private func chosenFrames(of image: GIFImage) throws -> [Int] {
    if poster { return [try image.posterIndex { Interruption.signal != nil }] }
    return try frames?.frames(delays: image.frames.map { $0.delayMilliseconds() })
      ?? Array(image.frames.indices)
  }

  /// Whether several files may be decoded at the same time: one stream, and the numbers of names, take them
  /// in order, and loads show their progress.
  private func canDecodeAtOnce(jobs: Int) throws -> Bool {
    guard jobs > 1, files.count > 1, output != "-", files.allSatisfy(SourceReading.isFile) else {
      return false
    }
    return try !OutputDestination(format: format ?? .png, output: output, input: files[0]).hasIndex
  }

  /// The size of an image's pictures where it is not that of the canvas.
  private func pictureSize(of image: GIFImage) throws -> PixelSize? {
    guard let wanted = size?.size(of: image.size) ?? fit?.size(of: image.size),
      wanted != image.size
    else { return nil }
    let option = size == nil ? "--fit" : "--size"
    for (limit, name) in [
      (image.limits.canvasPixels, "--max-canvas-pixels"),
      (image.limits.decodedBytes / 4, "--max-decoded-bytes"),
    ] where wanted.area > limit {
      throw FileFailure(
        reason: "\(option) gives pictures of \(wanted.width) x \(wanted.height), \(wanted.area) pixels; "
          + "the limit is \(limit) (\(name))")
    }
    return wanted
  }

  /// Writes the output of one image; returns the damage found.
  private func write(
    _ image: GIFImage, _ task: FileTask, frames chosen: [Int], _ rules: OutputRules
  ) throws -> [GIFDiagnostic] {
    let format = format ?? .png
    let place = try OutputDestination(format: format, output: output, input: task.path)
    let frames = place.frames(of: chosen)
    // Limits are checked before any output is created.
    let sheet =
      format == .sheet
      ? try ContactSheet(
        image, name: Printable.text(OutputFile.baseName(of: task.path)), frames: frames,
        size: size?.size(of: image.size) ?? fit?.size(of: image.size)) : nil
    let size = try sheet?.layout.thumbnail ?? pictureSize(of: image)
    let video =
      format == .y4m
      ? try Y4MVideo(image, frames: frames, size: size ?? image.size, byteLimit: maxVideoBytes.bytes)
      : nil
    let webp =
      format == .webp
      ? try WebPAnimation(
        image, frames: frames, size: size ?? image.size, quality: lossy, mostPerSecond: fps)
      : nil
    let pictures = try PictureSource(
      task, image, frames: webp?.schedule.frames ?? frames, format: format == .bgra ? .bgra : .rgba,
      size: size,
      background: background ?? (format == .jpeg ? .white : nil))
    if let video { return try place.write(pictures, rules, video.write) }
    if let webp { return try place.write(pictures, rules, webp.write) }
    if let sheet { return try place.write(pictures, rules, sheet.write) }
    return switch format {
    case .png: try place.writeEach(pictures, rules) { try PNGEncoder.encode($0, compression: compression) }
    case .jpeg: try place.writeEach(pictures, rules) { try JPEGEncoder.encode($0, quality: lossy ?? 85) }
    case .null: try pictures.deliver(to: nil)
    default: try place.write(pictures, rules, RawPictures.write)
    }
  }
}
