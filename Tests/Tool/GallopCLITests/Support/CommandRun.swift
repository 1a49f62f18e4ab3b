import Foundation
import HTTPTestSupport

/// How a command ended and what it wrote.
struct CommandRun: Sendable {
  /// The exit status; nil where a signal killed the process.
  let status: Int32?
  let output: [UInt8]
  let errors: String

  var text: String { String(decoding: output, as: UTF8.self) }

  /// Lines of standard output.
  var lines: [String] { Self.lines(of: text) }

  /// Lines of standard error.
  var errorLines: [String] { Self.lines(of: errors) }

  /// Each line of standard output as a value.
  func decoded<Value: Decodable>(_ type: Value.Type = Value.self) throws -> [Value] {
    try lines.map { try $0.decoded(type) }
  }

  private static func lines(of text: String) -> [String] {
    text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init).dropLast(
      text.hasSuffix("\n") || text.isEmpty ? 1 : 0)
  }
}

extension String {
  /// The value of a line of JSON.
  func decoded<Value: Decodable>(_ type: Value.Type) throws -> Value {
    try JSONDecoder().decode(type, from: Data(utf8))
  }
}

/// The program that `GALLOP_TOOL` names, or the one beside the test bundle.
enum Gallop {
  struct NotBuilt: Error {
    var searched: [String]
  }

  static func executable() throws -> URL {
    var folders = [Bundle.main.bundleURL, Bundle.main.bundleURL.deletingLastPathComponent()]
    folders += CommandLine.arguments.filter { $0.contains(".xctest") || $0.contains("PackageTests") }.map {
      URL(fileURLWithPath: $0).deletingLastPathComponent()
    }
    // Nothing stands in for a program that was asked for.
    let named = ProcessInfo.processInfo.environment["GALLOP_TOOL"].map {
      [URL(fileURLWithPath: $0).absoluteURL]
    }
    let candidates = named ?? folders.map { $0.appending(path: "gallop") }
    guard let found = candidates.first(where: isProgram) else {
      throw NotBuilt(searched: candidates.map(\.path))
    }
    return found
  }

  private static func isProgram(_ url: URL) -> Bool {
    let values = try? url.resourceValues(forKeys: [.isRegularFileKey])
    return values?.isRegularFile == true && FileManager.default.isExecutableFile(atPath: url.path)
  }
}

extension TemporaryFolder {
  /// Runs `gallop` in this folder until it ends.
  func gallop(_ arguments: String...) async throws -> CommandRun {
    try await gallop(arguments)
  }

  /// Runs `gallop` in this folder until it ends.
  func gallop(_ arguments: [String]) async throws -> CommandRun {
    try await run(Gallop.executable(), arguments)
  }

  /// Runs a shell script in this folder; in it, `$0` is `gallop`.
  func shell(_ script: String) async throws -> CommandRun {
    try await run(URL(fileURLWithPath: "/bin/sh"), ["-c", script, Gallop.executable().path])
  }

  /// Starts `gallop`, waits for its first bytes of output, sends it a signal and lets it end.
  func gallop(
    _ arguments: [String], environment: [String: String] = [:], interruptedBy signal: Int32,
    after text: String = ""
  ) async throws -> CommandRun {
    let pipe = Pipe()
    let process = try makeProcess(Gallop.executable(), arguments)
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    let errors = try capture()
    process.standardOutput = pipe
    process.standardError = try FileHandle(forWritingTo: errors)
    try await process.runToEnd {
      var output = Data()
      while true {
        let next = pipe.fileHandleForReading.availableData
        output += next
        if next.isEmpty { break }
        guard text.isEmpty || output.firstRange(of: Data(text.utf8)) != nil else { continue }
        kill(process.processIdentifier, signal)
        break
      }
      // What else comes is read, so that the process cannot hang on a full pipe.
      _ = try? pipe.fileHandleForReading.readToEnd()
    }
    return try CommandRun(process, output: [], errors: errors)
  }

  /// Starts `gallop`, sends it a signal when `moment` comes back, and lets it end. What `moment` gives lives
  /// until then.
  func gallop<Kept: Sendable>(
    _ arguments: [String], interruptedBy signal: Int32, at moment: @escaping @Sendable () throws -> Kept
  ) async throws -> CommandRun {
    let (output, errors) = try (capture(), capture())
    let process = try makeProcess(Gallop.executable(), arguments)
    process.standardOutput = try FileHandle(forWritingTo: output)
    process.standardError = try FileHandle(forWritingTo: errors)
    async let ended: Void = process.runToEnd()
    let kept = try await onOwnThread {
      let kept = try moment()
      kill(process.processIdentifier, signal)
      return kept
    }
    try await ended
    return try withExtendedLifetime(kept) {
      try CommandRun(process, output: Array(Data(contentsOf: output)), errors: errors)
    }
  }

  private func run(_ program: URL, _ arguments: [String]) async throws -> CommandRun {
    let (output, errors) = try (capture(), capture())
    let process = makeProcess(program, arguments)
    process.standardOutput = try FileHandle(forWritingTo: output)
    process.standardError = try FileHandle(forWritingTo: errors)
    try await process.runToEnd()
    return try CommandRun(process, output: Array(Data(contentsOf: output)), errors: errors)
  }

  private func makeProcess(_ program: URL, _ arguments: [String]) -> Process {
    let process = Process()
    process.executableURL = program
    process.arguments = arguments
    process.currentDirectoryURL = url
    process.standardInput = FileHandle.nullDevice
    return process
  }
}

extension CommandRun {
  fileprivate init(_ process: Process, output: [UInt8], errors: URL) throws {
    status = process.terminationReason == .exit ? process.terminationStatus : nil
    self.output = output
    self.errors = String(decoding: try Data(contentsOf: errors), as: UTF8.self)
  }
}

extension Process {
  /// Starts the process and comes back when it has ended; a test that is given up takes the process with it.
  fileprivate func runToEnd(meanwhile body: @Sendable () -> Void = {}) async throws {
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
        terminationHandler = { _ in continuation.resume() }
        do {
          try withSignalsUnblocked { try run() }
          body()
        } catch {
          terminationHandler = nil
          continuation.resume(throwing: error)
        }
      }
    } onCancel: {
      if isRunning { kill(processIdentifier, SIGKILL) }
    }
  }
}

/// A process inherits the signals that the starting thread blocks, and threads of a test may block them all.
private func withSignalsUnblocked(_ body: () throws -> Void) rethrows {
  var all = sigset_t()
  var before = sigset_t()
  unsafe sigfillset(&all)
  unsafe pthread_sigmask(SIG_UNBLOCK, &all, &before)
  defer { unsafe pthread_sigmask(SIG_SETMASK, &before, nil) }
  try body()
}
