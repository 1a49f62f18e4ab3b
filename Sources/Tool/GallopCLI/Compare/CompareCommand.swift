internal import ArgumentParser
internal import EngineSupport
internal import Gallop
internal import Glibc

struct CompareCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "compare",
    abstract: "Compares two GIFs as they are shown: pictures, delays, plays.",
    discussion: """
      Prints what differs, with the value of A before that of B: the canvas, the number of frames and of plays, the \
      first frame with another delay, and the first frame with another picture, with the rectangle that holds all \
      differences. Frames are compared one by one, each as the whole canvas; delays as browsers play them. Prints \
      nothing where both are the same.

      Exit status: 0 for the same, 1 for different, 2 where they cannot be compared, or with --strict where one has a \
      warning.
      """)

  @Option(help: "Largest difference of a channel that counts as equal, 0 to 255.")
  var tolerance = 0

  @OptionGroup var reading: ReadingOptions

  @Argument(help: "A GIF: a file, a URL, or - for standard input.", completion: .file())
  var a: String

  @Argument(help: "The GIF to compare it with.", completion: .file())
  var b: String

  /// The exit status of what cannot be compared, as of `cmp` and `diff`.
  private static let trouble: Int32 = 2

  mutating func validate() throws {
    guard (0...255).contains(tolerance) else { throw ValidationError("--tolerance takes 0 to 255.") }
    guard [a, b] != [InputFiles.standardInput, InputFiles.standardInput] else {
      throw ValidationError("Standard input (-) can be read once only.")
    }
    guard ![a, b].contains(InputFiles.standardInput) || isatty(STDIN_FILENO) == 0 else {
      throw ValidationError("Standard input is a terminal: - reads a GIF from a pipe or a file.")
    }
  }

  func run() throws {
    Interruption.watch()
    do {
      let comparison = try compare()
      guard !comparison.lines.isEmpty else { return }
      let text = comparison.lines.map { $0 + "\n" }.joined()
      try OutputDescriptor.standardOutput.write(Array(text.utf8))
    } catch var failure as CommandFailure {
      failure.exitCode = Self.trouble
      throw failure
    }
    throw ExitCode(1)
  }

  private func compare() throws -> GIFComparison {
    let hasWarnings = Lock(false)
    let note = { hasWarnings.withLock { $0 = true } }
    let tasks = (FileTask.needed(a, onWarning: note), FileTask.needed(b, onWarning: note))
    let (first, second) = (try open(tasks.0), try open(tasks.1))
    tasks.0.warn(first.diagnostics)
    tasks.1.warn(second.diagnostics)
    var comparison = GIFComparison(first, second)
    var progress = ProgressLine(SourceReading.name(of: a), unit: "frames")
    defer { progress.end() }
    do {
      let found = try comparison.comparePictures(
        tolerance: tolerance, jobs: EngineThread.processorCount
      ) { done, count in
        try Interruption.check()
        progress.update(done, of: count)
      }
      progress.end()
      tasks.0.warn(found.first)
      tasks.1.warn(found.second)
    } catch let error as GIFError {
      throw CommandFailure(
        reason: "\(SourceReading.name(of: a)) and \(SourceReading.name(of: b)) cannot be compared: \(error)")
    }
    if reading.messages.strict, hasWarnings.withLock({ $0 }) {
      throw CommandFailure(reason: "what is damaged or cut off is not compared with --strict")
    }
    return comparison
  }

  private func open(_ task: FileTask) throws -> GIFImage {
    let name = SourceReading.name(of: task.path)
    if let path = (try? GIFSource(task.path))?.path, OutputFile.isDirectory(path) {
      throw CommandFailure(subject: name, reason: "is a folder; compare takes two GIFs")
    }
    do {
      return try reading.open(task)
    } catch let failure as FileFailure {
      try Interruption.check()
      throw CommandFailure(subject: name, reason: failure.reason)
    }
  }
}
