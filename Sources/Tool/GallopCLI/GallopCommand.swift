internal import ArgumentParser
internal import Gallop
internal import Glibc

@main
struct GallopCommand: ParsableCommand {
  /// The number alone; `--version` adds what this system offers.
  static let version = "0.1.0"

  static let configuration = CommandConfiguration(
    commandName: "gallop",
    abstract:
      "Inspects, decodes, plays, edits and benchmarks animated GIFs, frame for frame as Chromium shows them.",
    usage: """
      gallop film.gif                          plays it, as gallop play does
      gallop info film.gif                     tells its size, frames, delays and damage
      gallop decode film.gif -o frames/        writes every frame as PNG
      gallop <subcommand> --help               tells of all options
      gallop help --man                        shows the manual page
      """,
    version: version + "\nconfinement of info and decode: \(Confinement.offered)",
    subcommands: [
      InfoCommand.self, DecodeCommand.self, PlayCommand.self, EditCommand.self, CompareCommand.self,
      BenchCommand.self,
    ])

  static func main() {
    // A closed pipe is reported as an error instead of ending the process.
    _ = signal(SIGPIPE, SIG_IGN)
    // So is a file at its size limit (ulimit -f).
    _ = signal(SIGXFSZ, SIG_IGN)
    StandardDescriptors.occupy()
    do {
      guard SystemMemory.prepareHeap() else {
        throw CommandFailure(reason: "not enough memory: the process's limit leaves no room to start")
      }
      let arguments = NameText.commandLine
      if ManualPage.isAsked(by: arguments) { return try ManualPage.show() }
      try run(PlayShorthand.completed(arguments))
    } catch let failure as CommandFailure {
      failure.report()
      GallopCommand.exit(withError: ExitCode(failure.exitCode))
    } catch {
      let message = Printable.text(fullMessage(for: error), keepsLines: true)
      if !message.isEmpty { StandardError.write(message + "\n") }
      exit(withError: exitCode(for: error))
    }
  }

  /// Runs the command that the arguments name.
  private static func run(_ arguments: [String]) throws {
    let operands = HeldOperands(arguments)
    do {
      try UnknownCommand.check(arguments)
      try DashedName.check(arguments)
      var command = try HeldOperands.$current.withValue(operands) { try parseAsRoot(operands.arguments) }
      try command.run()
    } catch let failure as CommandFailure {
      throw failure
    } catch {
      let status = exitCode(for: error)
      if status.isSuccess { return try HelpText.print(fullMessage(for: error)) }
      let message = UsageMessage.text(wholeMessage(for: error, arguments), arguments: arguments)
      // A message may quote an argument, which is hostile text.
      if !message.isEmpty { StandardError.write(Printable.text(message, keepsLines: true) + "\n") }
      throw status
    }
  }

  /// The parser's message, about all arguments.
  private static func wholeMessage(for error: any Error, _ arguments: [String]) -> String {
    let message = fullMessage(for: error)
    guard HeldOperands.areQuoted(in: message) else { return message }
    do {
      _ = try parseAsRoot(arguments)
    } catch {
      return fullMessage(for: error)
    }
    return message
  }
}
