internal import ArgumentParser
internal import EngineSupport
internal import Gallop
internal import Glibc

struct EditCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "edit",
    abstract: "Cuts, reverses, retimes and joins GIFs, exact in every picture.",
    discussion: """
      Frames are copied as they are compressed wherever they then show the same; a frame at a seam is written anew, \
      with no colour changed. Before the output gets its name, its pictures, delays and plays are compared with the \
      chosen frames of the input, each pixel; --no-check leaves that out.

      The options apply in the order of this help. Several files are joined first: frames count from 0 through all \
      of them. A delay of 0 or 10 ms counts as the 100 ms that browsers make of it.

      A seam in more than 256 colours is refused, never quantised. Where a range begins with it, and frames run \
      forwards with none left out or merged, the message names frames near by at which the range could begin; \
      --nearest takes the nearer one. A damaged frame is an error with its number; \
      --skip-failed leaves it out, with what builds on it. Damage is copied where all frames of one file stay in \
      their order and none is written anew, as with --delay or --strip alone; and with --no-check wherever a frame \
      is copied.
      """)

  @Option(
    help:
      "Canvas of the output, in whose middle each GIF stands: 640x480, or largest. (default: that of the GIFs)",
    transform: EditCanvas.init(parsing:))
  var canvas: EditCanvas?

  @Option(
    help: """
      Keep this part of the canvas: 320x180+10+20 is 320 x 180 pixels from column 10 and row 20 on; 320x180 \
      begins at the corner.
      """,
    transform: PixelRect.init(parsing:))
  var crop: PixelRect?

  @Option(help: "Mirror: x changes left and right, y top and bottom.")
  var flip: [EditAxis] = []

  @Option(parsing: .unconditional, help: "Turn clockwise by 90, 180 or 270 degrees, after mirroring.")
  var rotate = 0

  @Option(
    name: .long, parsing: .unconditional,
    help: """
      Frames to keep, in this order, \(FrameSelection.forms). 30-20 runs backwards. (default: all)
      """,
    transform: FrameSelection.init(parsingAnyDirection:))
  var frames: FrameSelection?

  @Flag(help: "Begin at the nearest frame where a range cannot begin as it is given.")
  var nearest = false

  @Flag(
    help: """
      Leave out damaged frames, and those that build on them. One that breaks off is kept, as browsers show it.
      """)
  var skipFailed = false

  @Option(
    parsing: .unconditional, help: "Keep every N-th frame; the delays of those left out are added to it.")
  var every = 1

  @Flag(help: "Run from the last frame to the first.")
  var reverse = false

  @Flag(help: "Run forwards, then backwards.")
  var bounce = false

  @Flag(help: "Make neighbours that show the same one frame with their delays added.")
  var mergeStill = false

  @Option(
    parsing: .unconditional,
    help: "Play this many times as fast, 0.001 to 1000. No delay becomes shorter than 20 ms.")
  var rate = 1.0

  @Option(
    parsing: .unconditional,
    help: "Show every frame for this many milliseconds, 20 to 655350 in steps of 10.")
  var delay: Int?

  @Option(parsing: .unconditional, help: "Show the last frame for this many milliseconds.")
  var lastDelay: Int?

  @Option(
    parsing: .unconditional, help: "Play this many times in all, or forever, or once.",
    transform: LoopCount.init(parsing:))
  var loop: LoopCount?

  @Flag(help: "Leave out comments and data of programs.")
  var strip = false

  @Option(help: "Add a comment.")
  var comment: String?

  @Flag(help: "Write the same pictures in as few bytes as can be found. Takes several times as long.")
  var smaller = false

  @Option(
    name: .shortAndLong, help: "The file to write, or - for standard output.", completion: .file())
  var output: String?

  @Flag(help: "Write nothing; tell how many frames would be copied, and how large the output would be.")
  var dryRun = false

  @Flag(help: "Do not compare the output with the input.")
  var noCheck = false

  @Flag(help: "Overwrite an existing file.")
  var force = false

  @OptionGroup var reading: ReadingOptions

  @OptionGroup var inputs: InputOptions

  mutating func validate() throws {
    guard dryRun || output != nil else {
      throw ValidationError("Missing expected argument '--output <output>': -o names the file to write.")
    }
    guard output != "" else { throw ValidationError("--output is empty; it takes a file or -.") }
    if let output, let ending = OutputFormat.fileExtension(of: output),
      OutputFormat.isNamed(by: ending) || VideoPipe.isNamed(by: ending)
    {
      throw ValidationError("edit writes GIFs: --output names a file of another format, .\(ending).")
    }
    guard output != "-" || dryRun || !OutputFile.isTerminal("-") else {
      throw ValidationError("Standard output is a terminal: -o - writes to a pipe or a file.")
    }
    guard !(reverse && bounce) else { throw ValidationError("--reverse and --bounce exclude each other.") }
    guard every >= 1 else { throw ValidationError("--every takes 1 or more.") }
    guard GIFEdit.rates.contains(rate) else {
      throw ValidationError("--rate takes 0.001 to 1000.")
    }
    guard [0, 90, 180, 270].contains(rotate) else { throw ValidationError("--rotate takes 90, 180 or 270.") }
    if let comment {
      guard NameText.isUTF8(comment) else { throw ValidationError("--comment takes text in UTF-8.") }
      guard !comment.isEmpty else {
        throw ValidationError("--comment is empty; --strip leaves comments out.")
      }
    }
    for (name, value) in [("--delay", delay), ("--last-delay", lastDelay)] {
      guard let value else { continue }
      guard (20...655_350).contains(value), value % 10 == 0 else {
        throw ValidationError("\(name) takes 20 to 655350 milliseconds in steps of 10, as GIFs store them.")
      }
    }
  }

  func run() throws {
    Interruption.watch()
    let (images, isCutOff) = try open()
    let edit = try edit(of: images)
    do {
      if dryRun {
        let line = EditReport(try dryRun(images, edit), inputBytes: inputBytes(images)).line
        try OutputDescriptor.standardOutput.write(Array((line + "\n").utf8))
      } else {
        let summary = try write(images, edit)
        if let summary, !reading.messages.quiet, StandardError.isTerminal {
          StandardError.note(EditReport(summary, inputBytes: inputBytes(images)).line)
        }
      }
    } catch let error as GIFEditError {
      try Interruption.check()
      throw CommandFailure(
        subject: name, reason: reason(error, images, canvas: edit.canvas ?? images[0].size),
        exitCode: error.code == .notExact ? EX_SOFTWARE : 1)
    }
    // As of other commands: what has arrived was used.
    if isCutOff { throw ExitCode(3) }
  }

  /// What messages call the input.
  private var name: String {
    inputs.files.count == 1 ? SourceReading.name(of: inputs.files[0]) : "the joined files"
  }

  private func reason(_ error: GIFEditError, _ images: [GIFImage], canvas: PixelSize) -> String {
    if error.code == .cropOutsideCanvas, let crop { return reason(crop, canvas) }
    var reason = error.description
    if images.count > 1, let frame = error.frame { reason += ownNumber(of: frame, images) }
    if error.code == .failedFrame, !skipFailed { reason += "; --skip-failed leaves such frames out" }
    return reason
  }

  /// Which frame of which file a frame of the joined files is.
  private func ownNumber(of frame: Int, _ images: [GIFImage]) -> String {
    var number = frame
    for (path, image) in zip(inputs.files, images) {
      if number < image.frameCount {
        return "; frame \(frame) is frame \(number) of \(SourceReading.name(of: path))"
      }
      number -= image.frameCount
    }
    return ""
  }

  private func reason(_ crop: PixelRect, _ canvas: PixelSize) -> String {
    "--crop keeps \(crop.width) x \(crop.height) pixels from \(crop.x),\(crop.y) on; "
      + "the canvas has \(canvas.width) x \(canvas.height)"
  }

  private func dryRun(_ images: [GIFImage], _ edit: GIFEdit) throws -> GIFEditor.Summary {
    if let output, output != "-" {
      try OutputFile.check(output, force: force, keeping: FileIdentity.inputs(inputs.files))
    }
    return try withNearest(images, edit) { editor in
      var progress = Progress(of: inputs.files[0], editor)
      defer { progress.end() }
      func isStopped() -> Bool {
        progress.show(.writing(editor.summary.frameCount))
        return Interruption.signal != nil
      }
      while try editor.writePiece(isCancelled: isStopped) {
        try Interruption.check()
        editor.dropPiece(editor.piece.count)
      }
      guard !noCheck else { return }
      try editor.findDamage { done in
        progress.show(.checking(done))
        return Interruption.signal != nil
      }
    }
  }

  /// Makes an edit, and with `--nearest` others where a range cannot begin as it is given.
  private func withNearest(
    _ images: [GIFImage], _ edit: GIFEdit, _ body: (GIFEditor) throws -> Void
  ) throws -> GIFEditor.Summary {
    let count = images.reduce(0) { $0 + $1.frameCount }
    var (edit, moves) = (edit, [Int: Int]())
    while true {
      do {
        let editor = try planned(images, edit)
        try body(editor)
        noteSkipped(editor.summary.skippedFrames)
        return editor.summary
      } catch let error as GIFEditError {
        try Interruption.check()
        guard nearest, let other = edit.beginningNearest(to: error, of: count) else { throw error }
        // What a frame leaves may depend on the one behind it: two beginnings could each lead to the other.
        moves[other.framesBehind, default: 0] += 1
        guard moves[other.framesBehind] ?? 0 <= Self.mostMoves else { throw error }
        StandardError.note(
          "\(name): a range begins at frame \(other.frame) instead of \(error.frame ?? 0), which needs "
            + "\(error.value ?? 0) colours")
        edit = other.edit
      }
    }
  }

  private func noteSkipped(_ count: Int) {
    guard count > 0 else { return }
    StandardError.note("\(name): \(count) damaged frame\(count == 1 ? " is" : "s are") left out")
  }

  /// How often `--nearest` takes another beginning of one range.
  private static let mostMoves = 4

  /// Plans an edit, which takes long where the output is to be smaller.
  private func planned(_ images: [GIFImage], _ edit: GIFEdit) throws -> GIFEditor {
    var (line, tried) = (ProgressLine(SourceReading.name(of: inputs.files[0]), unit: "tries"), 0)
    defer { line.end() }
    let editor = try GIFEditor(images, edit) {
      tried += 1
      line.update(tried, of: nil)
      return Interruption.signal != nil
    }
    editor.render { renderer, frames throws(GIFError) in
      try renderer.render(frames, jobs: EngineThread.processorCount)
    }
    if !noCheck, !dryRun {
      editor.searchForDamage { image, frames in
        let search = DamageSearch(image, frames: frames, jobs: EngineThread.processorCount)
        return GIFEditor.DamageSearch(isSound: search.isSound, stop: search.stop)
      }
    }
    return editor
  }

  private func inputBytes(_ images: [GIFImage]) -> Int64 {
    images.reduce(0) { $0 + Int64($1.metadata.byteCount) }
  }

  /// Opens all files; an edit needs each of them. Tells whether a download was cut off.
  private func open() throws -> (images: [GIFImage], isCutOff: Bool) {
    var (images, isCutOff): ([GIFImage], Bool) = ([], false)
    for path in inputs.files {
      let name = SourceReading.name(of: path)
      var isWarned = false
      let task = FileTask.needed(path) { isWarned = true }
      do {
        let image = try reading.open(task)
        isCutOff = isCutOff || isWarned
        let isStrict = reading.messages.strict
        task.warn(image.diagnostics + (isStrict ? image.checkFrames().diagnostics : []))
        if isStrict, isWarned {
          throw FileFailure(reason: "has damage, which --strict refuses")
        }
        guard image.frameCount > 0 else { throw FileFailure(reason: "has no frames to edit") }
        images.append(image)
      } catch let failure as FileFailure {
        try Interruption.check()
        throw CommandFailure(subject: name, reason: failure.reason)
      }
    }
    for (place, image) in images.enumerated() where canvas == nil && image.size != images[0].size {
      throw CommandFailure(
        subject: SourceReading.name(of: inputs.files[place]),
        reason: "has a canvas of \(image.width) x \(image.height), the first file one of "
          + "\(images[0].width) x \(images[0].height); --canvas joins them")
    }
    return (images, isCutOff)
  }

  private func edit(of images: [GIFImage]) throws -> GIFEdit {
    var edit = GIFEdit()
    do throws(FileFailure) {
      edit.frames = try frames?.frames(
        delays: images.flatMap { image in image.frames.map { $0.delayMilliseconds() } })
    } catch {
      let name = inputs.files.count == 1 ? SourceReading.name(of: inputs.files[0]) : "the joined GIF"
      throw CommandFailure(subject: name, reason: error.reason)
    }
    edit.skipsFailedFrames = skipFailed
    edit.step = every
    edit.order = reverse ? .reversed : bounce ? .bounced : .forward
    edit.mergesStills = mergeStill
    edit.canvas = canvas?.size(of: images.map(\.size))
    edit.crop = crop
    edit.flipsHorizontally = flip.count { $0 == .x } % 2 == 1
    edit.flipsVertically = flip.count { $0 == .y } % 2 == 1
    edit.quarterTurns = rotate / 90
    edit.rate = rate
    edit.delay = delay.map { .milliseconds($0) }
    edit.lastDelay = lastDelay.map { .milliseconds($0) }
    edit.loopCount = loop
    edit.stripsMetadata = strip
    edit.comment = comment
    edit.makesSmaller = smaller
    return edit
  }

  private func write(_ images: [GIFImage], _ edit: GIFEdit) throws -> GIFEditor.Summary? {
    let inputs = FileIdentity.inputs(inputs.files)
    var summary: GIFEditor.Summary?
    func fill(_ target: OutputDescriptor) throws {
      summary = try withNearest(images, edit) { editor in
        try target.removeAll()
        try self.fill(target, with: editor)
      }
    }
    if let output, output != "-" {
      // An edit is checked before it gets its name.
      try OutputFile.write(to: output, force: force, keeping: inputs, isReadBack: true) { target in
        // What is no file, such as a pipe, cannot be read again for the check.
        if FileReading.fileSize(target.descriptor) != nil {
          try fill(target)
        } else {
          try EditOutput.writeDraft(of: target, fill)
        }
      }
    } else {
      try OutputFile.checkStandardOutput(keeping: inputs)
      try EditOutput.writeDraft(of: .standardOutput, fill)
    }
    return summary
  }

  private func fill(_ target: OutputDescriptor, with editor: GIFEditor) throws {
    var progress = Progress(of: inputs.files[0], editor)
    defer { progress.end() }
    do {
      try EditOutput.write(editor, to: target, limits: reading.limits, isChecked: !noCheck) { step in
        progress.show(step)
        return Interruption.signal != nil
      }
    } catch {
      try Interruption.check()
      throw error
    }
    // After a signal the file gets no name.
    try Interruption.check()
  }

  /// What is done, as a line.
  private struct Progress {
    private let (name, editor): (String, GIFEditor)
    private var line: ProgressLine
    private var isChecking = false

    init(of file: String, _ editor: GIFEditor) {
      (name, self.editor) = (SourceReading.name(of: file), editor)
      line = ProgressLine(name, unit: "frames")
    }

    mutating func show(_ step: EditOutput.Step) {
      switch step {
      case .writing(let done): line.update(done, of: editor.chosenFrames)
      case .checking(let done):
        if !isChecking {
          line.end()
          line = ProgressLine(name, unit: "frames checked")
          isChecking = true
        }
        line.update(done, of: editor.summary.frameCount)
      }
    }

    mutating func end() { line.end() }
  }
}
