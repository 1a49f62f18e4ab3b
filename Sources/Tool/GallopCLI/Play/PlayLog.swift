internal import GIFStage
internal import Gallop

/// What becomes of the files that a window or the terminal plays: warnings, failures, how far each one is.
final class PlayLog {
  /// What is known of a file.
  private struct Report {
    /// The warning about a transfer that was interrupted.
    var cutOff: String?
    var diagnostics: [GIFDiagnostic] = []
    var failure: String?
    /// 0 until all frames are known.
    var frameCount = 0
  }

  private let command: PlayCommand
  private var reports: [Report]
  /// Whether the user is told of each file at once, not by ``reportAll()``.
  private let reportsAtOnce: Bool
  /// The file that plays, where they play one after another; else nil.
  private var playing: Int?
  /// How far that file is.
  private(set) var progress = PlaylistPosition.Progress.playing
  /// The error of the output, which the main loop throws.
  private(set) var outputError: (any Error)?

  init(_ command: PlayCommand, reportsAtOnce: Bool) {
    self.command = command
    self.reportsAtOnce = reportsAtOnce
    reports = Array(repeating: Report(), count: command.files.count)
  }

  /// Whether no file is left to play.
  var isOver: Bool { playing == nil && haveAllFailed }
  /// Whether no file can be shown.
  var haveAllFailed: Bool { reports.allSatisfy { $0.failure != nil } }

  var outcomes: FileOutcomes {
    let failed = reports.count { $0.failure != nil }
    return FileOutcomes(
      used: reports.count - failed, failed: failed,
      hasWarnings: reports.contains { !$0.diagnostics.isEmpty },
      isCutOff: reports.contains { $0.cutOff != nil })
  }

  func begin(_ file: Int) { (playing, progress) = (file, .playing) }

  /// Takes an event of a file's image.
  func take(_ event: ViewEvent.Kind, of file: Int) {
    switch event {
    case .failed(let error):
      let name = SourceReading.name(of: command.files[file])
      if let image = error.partialImage {
        cutOff(file, error.warning(for: name))
        loaded(file, image)
      } else {
        fail(file, error.reason(for: name))
      }
    case .loaded(let image): loaded(file, image)
    case .finished: end(file)
    case .loopCompleted(let completion) where completion.remaining == nil && command.loops == nil: end(file)
    default: break
    }
    if command.events, let line = EventLine(target: file, event) { print(line) }
  }

  /// Takes what was found of a file that is out of sight.
  func take(_ finding: UnseenFiles.Finding) {
    switch finding.outcome {
    case .success(let diagnostics): warn(finding.item, diagnostics)
    case .failure(let failure) where reports[finding.item].failure == nil:
      print(EventLine(target: finding.item, failure: failure.reason))
      fail(finding.item, failure.reason)
    case .failure: break
    }
  }

  private func loaded(_ file: Int, _ image: GIFImage) {
    // A failed file may be loaded again.
    reports[file].failure = nil
    reports[file].frameCount = image.frameCount
    warn(file, image.diagnostics)
  }

  /// All plays of a file are over, or the first loop of an endless one.
  private func end(_ file: Int) {
    let count = reports[file].frameCount
    if playing == file, count > 0 { progress = .over(isStill: count == 1) }
  }

  func print(_ line: EventLine) {
    guard command.events, outputError == nil else { return }
    do {
      try JSONLine.print(line)
    } catch {
      outputError = error
    }
  }

  // MARK: Reports

  private func cutOff(_ file: Int, _ warning: String) {
    let isNew = reports[file].cutOff == nil
    reports[file].cutOff = warning
    if isNew, reportsAtOnce { note(file, warning) }
  }

  private func warn(_ file: Int, _ diagnostics: [GIFDiagnostic]) {
    let isNew = reports[file].diagnostics.isEmpty
    reports[file].diagnostics = diagnostics
    guard isNew, reportsAtOnce else { return }
    for line in Warnings.lines(SourceReading.name(of: command.files[file]), diagnostics) {
      StandardError.note(line)
    }
  }

  private func fail(_ file: Int, _ reason: String) {
    let isNew = reports[file].failure == nil
    reports[file].failure = reason
    if playing == file { progress = .failed }
    if isNew, reportsAtOnce { reportFailure(of: file) }
  }

  private func note(_ file: Int, _ warning: String) {
    StandardError.note("\(SourceReading.name(of: command.files[file])): \(warning)")
  }

  private func reportFailure(of file: Int) {
    guard let reason = reports[file].failure else { return }
    CommandFailure(subject: SourceReading.name(of: command.files[file]), reason: reason).report()
  }

  /// Tells of the warnings and failures of all files, of each file once.
  func reportAll() {
    var reported: Set<String> = []
    var warnings = Warnings(fileCount: reports.count)
    for (file, report) in reports.enumerated() {
      let name = SourceReading.name(of: command.files[file])
      guard reported.insert(name).inserted else { continue }
      if let warning = report.cutOff { note(file, warning) }
      for line in warnings.add(name, report.diagnostics) { StandardError.note(line) }
      reportFailure(of: file)
    }
    for line in warnings.summary { StandardError.note(line) }
  }
}
