internal import EngineSupport
internal import Gallop
internal import Glibc

/// The work on one of a command's files.
struct FileTask {
  let path: String
  /// Threads that work on this file.
  let jobs: Int
  /// Which of the files it is, for progress; nil where several files are worked on at the same time.
  let place: ProgressPlace?
  /// Takes what is to be told about the file.
  let notify: (FileNotice) -> Void

  /// The work on a file that the command needs; its warnings are printed as they come.
  ///
  /// - Parameter onWarning: called for each of them.
  static func needed(_ path: String, onWarning: @escaping () -> Void = {}) -> FileTask {
    FileTask(path: path, jobs: 1, place: nil) { notice in
      onWarning()
      let name = SourceReading.name(of: path)
      switch notice {
      case .damage(let diagnostics):
        for line in Warnings.lines(name, diagnostics) { StandardError.note(line) }
      case .cutOff(let error): StandardError.note("\(name): \(error.warning(for: name))")
      case .describedDamage, .countedDamage, .flashes, .refused: break
      }
    }
  }

  /// The same work, of whose notices the caller learns, too.
  func observed(by observe: @escaping (FileNotice) -> Void) -> FileTask {
    FileTask(path: path, jobs: jobs, place: place) { notice in
      observe(notice)
      notify(notice)
    }
  }

  /// Prints warnings about the file, or keeps them for the summary.
  func warn(_ diagnostics: [GIFDiagnostic]) {
    if !diagnostics.isEmpty { notify(.damage(diagnostics)) }
  }

  /// Prints that a transfer was cut off.
  func noteCutOff(_ error: GIFLoadingError) { notify(.cutOff(error)) }

  /// Opens the file, or loads a URL to its end, with everything at its default.
  func standardImage() throws -> GIFImage {
    try SourceReading.image(of: path, options: GIFLoader.Options(), pieceBytes: nil, onCutOff: noteCutOff)
  }

  /// Prints the damage of an image that is measured, where it matters.
  func warnIfStrict(_ image: GIFImage, _ messages: MessageOptions) {
    if messages.strict { warn(image.diagnostics + image.checkFrames().diagnostics) }
  }

  /// A line with the progress within this file.
  func progress(unit: String) -> ProgressLine {
    guard let place else { return ProgressLine(isSilent: true) }
    return ProgressLine(SourceReading.name(of: path), unit: unit, place: place)
  }
}

/// Something about a file that can be used.
enum FileNotice: Sendable {
  case damage([GIFDiagnostic])
  /// Damage of which the command's output itself tells.
  case describedDamage
  /// So many diagnostics, of which the output does not tell.
  case countedDamage(Int)
  /// It flashes more than is allowed, of which the output itself tells.
  case flashes
  /// Why no frame of the file can be decoded.
  case refused(GIFError)
  /// The transfer was cut off, and what has arrived is used.
  case cutOff(GIFLoadingError)
}

/// Runs `body` for each file; a file that fails is reported, and the others are still processed. One for
/// which `body` returns counts as used, whatever it printed.
///
/// - Parameters:
///   - jobs: threads that work on each file.
///   - onFailure: called for each file that fails, after its message.
/// - Throws: the exit status of ``FileOutcomes`` at the end, or at once an error that ends the command:
///   failing output, a signal.
func forEachFile(
  _ paths: [String], jobs: Int = 1, _ messages: MessageOptions,
  onFailure: (String, FileFailure) throws -> Void = { _, _ in }, _ body: (FileTask) throws -> Void
) throws {
  var reports = FileReports(paths)
  defer { reports.end() }
  for (index, path) in paths.enumerated() {
    reports.begin(index)
    let task = FileTask(path: path, jobs: jobs, place: reports.place(of: index)) { reports.take(path, $0) }
    if let failure = try reports.take(path, Result { try body(task) }) { try onFailure(path, failure) }
  }
  try reports.outcomes.check(messages)
}

/// Runs `body` for several files at the same time; messages come in the order of the files, as with one
/// thread.
///
/// Whole files are the first unit of work. Where fewer files than threads are left, several threads share a
/// file.
/// - Parameter jobs: threads in all.
/// - Throws: as ``forEachFile(_:jobs:_:onFailure:_:)``. Files that threads have begun are then finished, and
///   no others begin.
func forEachFileAtOnce(
  _ paths: [String], jobs: Int, _ messages: MessageOptions,
  _ body: @escaping @Sendable (FileTask) throws -> Void
) throws {
  var reports = FileReports(paths)
  defer { reports.end() }
  let isEnding = Lock(false)
  // The window is wide, as a result has messages only: a long file then holds up no thread.
  let work = OrderedWork<Int, (notices: [FileNotice], result: Result<Void, any Error>)>(
    jobs: min(jobs, paths.count), window: 64 * jobs
  ) { index in
    if isEnding.withLock({ $0 }) { return ([], .success(())) }
    var notices: [FileNotice] = []
    let share = FileShare.jobs(forFile: index, of: paths.count, jobs: jobs)
    let task = FileTask(path: paths[index], jobs: share, place: nil) { notices.append($0) }
    let result = Result { try body(task) }
    return (notices, result)
  }
  var next = 0
  for (index, path) in paths.enumerated() {
    while next < paths.count, !work.isFull {
      work.add(next)
      next += 1
    }
    reports.begin(index)
    guard let outcome = work.next() else { break }
    for notice in outcome.notices { reports.take(path, notice) }
    do {
      _ = try reports.take(path, outcome.result)
    } catch {
      isEnding.withLock { $0 = true }
      while work.next() != nil {}
      throw error
    }
  }
  try reports.outcomes.check(messages)
}

/// How threads are shared out among files.
enum FileShare {
  /// The threads of one file: one, unless fewer files than threads are left.
  static func jobs(forFile index: Int, of count: Int, jobs: Int) -> Int {
    let left = max(1, count - index)
    return left >= jobs ? 1 : (jobs + left - 1) / left
  }
}

/// The messages of a command about its files, in their order.
private struct FileReports {
  private let count: Int
  private let paths: [String]
  private let start = PlaybackInstant.now
  private(set) var outcomes = FileOutcomes()
  private var warnings: Warnings
  private var progress = ProgressLine()
  private let showsProgress: Bool

  init(_ paths: [String]) {
    self.paths = paths
    count = paths.count
    warnings = Warnings(fileCount: count)
    // Tables that appear on the same terminal show how far the command is.
    showsProgress = count > 1 && isatty(STDOUT_FILENO) == 0
  }

  func place(of index: Int) -> ProgressPlace { ProgressPlace(number: index + 1, count: count, start: start) }

  /// Shows which file is next.
  mutating func begin(_ index: Int) {
    if showsProgress { progress.begin(SourceReading.name(of: paths[index]), at: place(of: index)) }
  }

  /// Prints or keeps a notice.
  mutating func take(_ path: String, _ notice: FileNotice) {
    let name = SourceReading.name(of: path)
    switch notice {
    case .damage(let diagnostics):
      outcomes.hasWarnings = true
      print(warnings.add(name, diagnostics))
    case .describedDamage, .flashes:
      outcomes.hasWarnings = true
    case .countedDamage(let count):
      outcomes.hasWarnings = true
      print([
        "\(name): \(count) warning\(count == 1 ? "" : "s"); gallop info shows \(count == 1 ? "it" : "them")"
      ])
    case .refused(let error):
      outcomes.hasWarnings = true
      print(["\(name): warning: no frame can be decoded: \(InputFiles.reason(for: path, error))"])
    case .cutOff(let error):
      outcomes.isCutOff = true
      print(["\(name): \(error.warning(for: name))"])
    }
  }

  private mutating func print(_ lines: [String]) {
    if !lines.isEmpty { progress.end() }
    for line in lines { StandardError.note(line) }
  }

  /// Counts a file that is done, and reports one that has failed; throws what ends the command.
  ///
  /// - Returns: the failure.
  mutating func take(_ path: String, _ result: Result<Void, any Error>) throws -> FileFailure? {
    let failure: FileFailure
    do {
      try result.get()
      outcomes.used += 1
      return nil
    } catch let error as FileFailure {
      failure = error
    } catch let error as GIFError {
      failure = FileFailure(code: error.code.rawValue, reason: InputFiles.reason(for: path, error))
    }
    // A signal ends what waits for a pipe as a failure.
    try Interruption.check()
    progress.end()
    CommandFailure(subject: SourceReading.name(of: path), reason: failure.reason).report()
    outcomes.failed += 1
    return failure
  }

  mutating func end() {
    progress.end()
    for line in warnings.summary { StandardError.note(line) }
  }
}
