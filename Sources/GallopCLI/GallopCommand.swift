internal import ArgumentParser
internal import Glibc

@main
struct GallopCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "gallop",
    abstract:
      "Inspects, decodes, plays and benchmarks animated GIFs, frame for frame as Chromium shows them.",
    version: "0.1.0",
    subcommands: [InfoCommand.self, DecodeCommand.self, PlayCommand.self, BenchCommand.self])

  static func main() {
    // A closed pipe is reported as an error instead of ending the process.
    _ = signal(SIGPIPE, SIG_IGN)
    // So is a file at its size limit (ulimit -f).
    _ = signal(SIGXFSZ, SIG_IGN)
    StandardDescriptors.occupy()
    let operands = HeldOperands(NameText.commandLine)
    do {
      var command = try HeldOperands.$current.withValue(operands) { try parseAsRoot(operands.arguments) }
      try command.run()
    } catch let failure as CommandFailure {
      failure.report()
      GallopCommand.exit(withError: ExitCode(failure.exitCode))
    } catch {
      let status = exitCode(for: error)
      // Help and versions go to standard output.
      guard !status.isSuccess else { exit(withError: error) }
      // A message may quote an argument, which is hostile text.
      let message = Printable.text(wholeMessage(for: error), keepsLines: true)
      if !message.isEmpty { StandardError.write(message + "\n") }
      exit(withError: status)
    }
  }

  /// The parser's message, about all arguments.
  private static func wholeMessage(for error: any Error) -> String {
    let message = fullMessage(for: error)
    guard HeldOperands.areQuoted(in: message) else { return message }
    do {
      _ = try parseAsRoot(NameText.commandLine)
    } catch {
      return fullMessage(for: error)
    }
    return message
  }
}
