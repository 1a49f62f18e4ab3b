internal import EngineSupport
internal import Gallop

/// Opens the files of a wall that have not come into sight, so that the ones that cannot be used are
/// reported, too.
///
/// A thread of its own opens one after another and keeps nothing of them. URLs and pipes are left to their
/// tiles.
final class UnseenFiles: Sendable {
  struct Finding: Sendable {
    let item: Int
    let outcome: Result<[GIFDiagnostic], FileFailure>
  }

  private struct State {
    var seen: Set<Int> = []
    var findings: [Finding] = []
    var isStopped = false
  }

  private let files: [String]
  private let reading: ReadingOptions
  private let range: PlaybackRange?
  private let state = Lock(State())

  /// - Parameter range: the frames that every image must have; nil for any.
  init(_ files: [String], reading: ReadingOptions, range: PlaybackRange?) {
    (self.files, self.reading, self.range) = (files, reading, range)
  }

  /// Starts the thread.
  ///
  /// - Parameter wake: called on it when there are findings.
  func start(wake: @escaping @Sendable () -> Void) {
    _ = EngineThread.start { [self] in
      // From the end: the first ones are in sight, and their tiles open them meanwhile.
      for (item, file) in files.enumerated().reversed() where isWanted(item) && SourceReading.isFile(file) {
        guard SourceReading.isAtHand(file), let outcome = outcome(of: file) else { continue }
        state.withLock { $0.findings.append(Finding(item: item, outcome: outcome)) }
        wake()
      }
    }
  }

  /// Leaves out a file that its tile has opened.
  func skip(_ item: Int) { state.withLock { _ = $0.seen.insert(item) } }

  func stop() { state.withLock { $0.isStopped = true } }

  /// What was found since the last call, without the files that their tiles have opened meanwhile.
  func takeFindings() -> [Finding] {
    state.withLock { state in
      defer { state.findings = [] }
      return state.findings.filter { !state.seen.contains($0.item) }
    }
  }

  private func isWanted(_ item: Int) -> Bool {
    state.withLock { !$0.isStopped && !$0.seen.contains(item) }
  }

  /// Nil after a signal.
  private func outcome(of file: String) -> Result<[GIFDiagnostic], FileFailure>? {
    do {
      let image = try SourceReading.image(
        of: file, options: reading.loaderOptions, pieceBytes: reading.pieceSize, onCutOff: { _ in })
      guard image.frameCount > 0 else { return .failure(FileFailure(reason: "has no frames to play")) }
      _ = try range?.range(in: image)
      return .success(image.diagnostics)
    } catch let failure as FileFailure {
      return .failure(failure)
    } catch {
      return nil
    }
  }
}
