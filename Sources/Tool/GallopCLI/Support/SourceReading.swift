internal import ArgumentParser
internal import EngineSupport
internal import Gallop
internal import Glibc

/// Opens the argument of a command: a file at once, a URL after it is fully loaded.
enum SourceReading {
  /// - Parameters:
  ///   - count: the number of frames to read of a file; nil for all.
  ///   - pieceBytes: the size of the pieces in which a file is read; nil to open it whole.
  ///   - onCutOff: told of a transfer that was cut off where the image is the part that has arrived.
  /// - Throws: ``FileFailure`` if it cannot be used, an exit status after a signal.
  static func image(
    of argument: String, firstFrames count: Int? = nil, options: GIFLoader.Options, pieceBytes: Int?,
    onCutOff: (GIFLoadingError) -> Void
  ) throws -> GIFImage {
    do {
      let source = try GIFSource(argument)
      guard let path = source.path else {
        return try SourceLoad(GIFLoader(options: options).states(of: source), name: source.description)
          .image(onCutOff: onCutOff)
      }
      if let size = PiecewiseReading.pieceSize(of: path, asked: pieceBytes) {
        return try PiecewiseReading.image(of: path, size: size, limits: options.limits)
      }
      // After a signal a named pipe is awaited no longer.
      let opening = FileOpening(isCancelled: { Interruption.signal != nil })
      return try GIFImage(
        contentsOfFile: path, firstFrames: count, limits: options.limits, opening: opening)
    } catch let error as GIFError {
      throw FileFailure(code: error.code.rawValue, reason: InputFiles.reason(for: argument, error))
    } catch let error as GIFLoadingError {
      throw FileFailure(error, name: nil)
    }
  }

  /// Whether an argument names a file, not a URL or standard input.
  static func isFile(_ argument: String) -> Bool {
    argument != InputFiles.standardInput && (try? GIFSource(argument))?.path != nil
  }

  /// Whether a file is there at once, or missing; others arrive from a network or a pipe.
  static func isAtHand(_ argument: String) -> Bool {
    if argument == InputFiles.standardInput { return FileIdentity(descriptor: STDIN_FILENO) != nil }
    guard let source = try? GIFSource(argument) else { return true }
    guard let path = source.path else {
      if case .web = source.kind { return false }
      return true
    }
    return !OutputFile.exists(path) || OutputFile.isDirectory(path) || FileIdentity(path: path) != nil
  }

  /// An argument for JSON: unchanged, but without credentials.
  static func key(of argument: String) -> String {
    if case .data = (try? GIFSource(argument))?.kind { return argument }
    return GIFSource.withoutCredentials(argument)
  }

  /// An argument in messages: a URL without credentials, and not all of a `data:` URL.
  static func name(of argument: String) -> String {
    if argument == InputFiles.standardInput { return "standard input" }
    if argument.isEmpty { return "the empty path" }
    do throws(GIFLoadingError) {
      return try GIFSource(argument).description
    } catch {
      return error.source
    }
  }
}

/// A load that the command's thread waits for, with signals and progress.
///
/// Nothing here is a task: the runtime's threads may be refused, and a task then waits for ever.
private struct SourceLoad {
  private let name: String
  private let load: LoadingStates.Load
  private let hasNews = Monitor(false)

  init(_ states: LoadingStates, name: String) {
    self.name = name
    load = states.begin { [hasNews] in
      hasNews.withLock { $0 = true }
      hasNews.signal()
    }
  }

  /// Waits for the image. A partial image is used with a warning, as in browsers.
  func image(onCutOff: (GIFLoadingError) -> Void) throws -> GIFImage {
    var progress = ProgressLine(name, unit: "bytes")
    defer { progress.end() }
    while true {
      try Interruption.check()
      do throws(GIFLoadingError) {
        if let state = try load.takeNews() {
          progress.update(
            Int(clamping: state.byteCount), of: state.expectedByteCount.map { Int(clamping: $0) })
          if state.isComplete, let image = state.image { return image }
        }
      } catch {
        guard let image = error.partialImage else { throw FileFailure(error, name: name) }
        onCutOff(error)
        return image
      }
      wait(until: PlaybackInstant.now + .milliseconds(50))
    }
  }

  private func wait(until instant: PlaybackInstant) {
    hasNews.waitingWithLock { hasNews -> MonitorStep<Void> in
      guard hasNews || PlaybackInstant.now >= instant else {
        return .wait(until: instant.nanoseconds)
      }
      hasNews = false
      return .done(())
    }
  }
}
