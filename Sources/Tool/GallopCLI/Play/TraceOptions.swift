internal import ArgumentParser
internal import Gallop

/// The option of a trace of the players, written at the end.
struct TraceOptions: ParsableArguments {
  @Option(
    help: "Write a trace of the players to this file, for chrome://tracing or Perfetto.", completion: .file())
  var trace: String?

  @Flag(help: "Overwrite existing files.")
  var force = false

  /// A recorder for the players; nil without --trace.
  func makeRecorder() -> TraceRecorder? { trace == nil ? nil : TraceRecorder() }

  /// Refuses a file that may not be written, before playback.
  ///
  /// - Parameter inputs: files that are never overwritten.
  /// - Throws: ``CommandFailure`` with the path and the reason.
  func check(keeping inputs: Set<FileIdentity>) throws {
    if let trace { try OutputFile.check(trace, force: force, keeping: inputs) }
  }

  /// Writes the trace. The signal that ended playback does not interrupt it; another signal does.
  func save(_ recorder: TraceRecorder?) throws {
    guard let trace, let recorder else { return }
    try Interruption.ignoringEarlierSignal {
      try OutputFile.write(to: trace, force: force) { try $0.write(recorder.json()) }
    }
  }

  /// Plays, and then writes the trace in any case. If both fail, the trace's failure is reported here.
  func saving<Value>(_ recorder: TraceRecorder?, after play: () throws -> Value) throws -> Value {
    let outcome = Result { try play() }
    do {
      try save(recorder)
    } catch let failure as CommandFailure {
      guard case .failure = outcome else { throw failure }
      Interruption.ignoringEarlierSignal { failure.report() }
    }
    return try outcome.get()
  }
}
