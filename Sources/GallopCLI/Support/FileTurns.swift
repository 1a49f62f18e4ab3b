internal import ArgumentParser
internal import EngineSupport
internal import GIFBatch
internal import GIFDecoding
internal import GIFLoading
internal import GIFPlayback
internal import GIFTimeline
internal import Glibc

/// The turn of one of a command's files.
struct FileTurn {
  let path: String
  /// Threads that work on this file.
  let jobs: Int
  /// Which of the files it is, for progress; nil where several files have their turns at the same time.
  let place: ProgressPlace?
  /// Prints warnings about the file, or keeps them for the summary.
  let warn: ([GIFDiagnostic]) -> Void

  /// A line with the progress within this file.
  func progress(unit: String) -> ProgressLine {
    guard let place else { return ProgressLine(isSilent: true) }
    return ProgressLine(SourceReading.name(of: path), unit: unit, place: place)
  }
}

/// Runs `body` for each file; a file that fails is reported, and the others are still processed.
///
/// - Parameter jobs: threads that work on each file.
/// - Throws: exit status 1 at the end if any failed, or at once an error that ends the command: failing output, a signal.
func forEachFile(_ paths: [String], jobs: Int = 1, _ body: (FileTurn) throws -> Void) throws {
  var reports = FileReports(paths)
  defer { reports.end() }
  for (index, path) in paths.enumerated() {
    reports.begin(index)
    let turn = FileTurn(path: path, jobs: jobs, place: reports.place(of: index)) { reports.warn(path, $0) }
    try reports.take(path, Result { try body(turn) })
  }
  try reports.check()
}

/// Runs `body` for several files at the same time; messages come in the order of the files, as with one thread.
///
/// Whole files are the first unit of work. Where fewer files than threads are left, several threads share a file.
/// - Parameter jobs: threads in all.
/// - Throws: as ``forEachFile(_:jobs:_:)``. Files that threads have begun are then finished, and no others begin.
func forEachFileAtOnce(
  _ paths: [String], jobs: Int, _ body: @escaping @Sendable (FileTurn) throws -> Void
) throws {
  var reports = FileReports(paths)
  defer { reports.end() }
  let isEnding = Lock(false)
  // The window is wide, as a result has messages only: a long file then holds up no thread.
  let work = OrderedWork<Int, (warnings: [[GIFDiagnostic]], result: Result<Void, any Error>)>(
    jobs: min(jobs, paths.count), window: 64 * jobs
  ) { index in
    if isEnding.withLock({ $0 }) { return ([], .success(())) }
    var warnings: [[GIFDiagnostic]] = []
    let share = FileShare.jobs(forFile: index, of: paths.count, jobs: jobs)
    let turn = FileTurn(path: paths[index], jobs: share, place: nil) { warnings.append($0) }
    let result = Result { try body(turn) }
    return (warnings, result)
  }
  var next = 0
  for (index, path) in paths.enumerated() {
    while next < paths.count, !work.isFull {
      work.add(next)
      next += 1
    }
    reports.begin(index)
    guard let outcome = work.next() else { break }
    for diagnostics in outcome.warnings { reports.warn(path, diagnostics) }
    do {
      try reports.take(path, outcome.result)
    } catch {
      isEnding.withLock { $0 = true }
      while work.next() != nil {}
      throw error
    }
  }
  try reports.check()
}

/// How threads are shared out among files. Pure.
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
  private let start = MonotonicTimeSource().now()
  private var failures = 0
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

  mutating func warn(_ path: String, _ diagnostics: [GIFDiagnostic]) {
    let lines = warnings.add(SourceReading.name(of: path), diagnostics)
    if !lines.isEmpty { progress.end() }
    for line in lines { StandardError.note(line) }
  }

  /// Reports a file that has failed; throws what ends the command.
  mutating func take(_ path: String, _ result: Result<Void, any Error>) throws {
    do {
      try result.get()
    } catch let failure as FileFailure {
      progress.end()
      CommandFailure(subject: SourceReading.name(of: path), reason: failure.reason).report()
      failures += 1
    }
  }

  mutating func end() {
    progress.end()
    for line in warnings.summary { StandardError.note(line) }
  }

  /// Throws exit status 1 if any file has failed.
  func check() throws {
    if failures > 0 { throw ExitCode(1) }
  }
}
