internal import ArgumentParser
internal import GIFPlayback

/// A trace of what players do, written at the end.
struct TraceOptions: ParsableArguments {
  @Option(help: "Write what the players do to this file, for chrome://tracing or Perfetto.")
  var trace: String?

  @Flag(help: "Overwrite existing files.")
  var force = false

  /// A recorder for the players, where a trace is wanted.
  func makeRecorder() -> TraceRecorder? { trace == nil ? nil : TraceRecorder() }

  /// Refuses what may not be written, before anything is played.
  ///
  /// - Throws: ``CommandFailure`` with the path and the reason.
  func check() throws {
    if let trace { try OutputFile.check(trace, force: force) }
  }

  /// Writes the trace. The signal that ended playback does not end this, too; another one does.
  func save(_ recorder: TraceRecorder?) throws {
    guard let trace, let recorder else { return }
    try Interruption.outlasting {
      try OutputFile.write(to: trace, force: force) { try $0.write(recorder.json()) }
    }
  }

  /// Plays, and writes the trace however that ends. Where both fail, the trace's failure is told here.
  func saving<Value>(_ recorder: TraceRecorder?, after play: () throws -> Value) throws -> Value {
    let outcome = Result { try play() }
    do {
      try save(recorder)
    } catch let failure as CommandFailure {
      guard case .failure = outcome else { throw failure }
      Interruption.outlasting { failure.report() }
    }
    return try outcome.get()
  }
}
