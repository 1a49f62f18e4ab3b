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

  func save(_ recorder: TraceRecorder?) throws {
    guard let trace, let recorder else { return }
    try OutputFile.write(to: trace, force: force) { try $0.write(recorder.json()) }
  }
}
