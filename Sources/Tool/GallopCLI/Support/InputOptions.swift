internal import ArgumentParser
internal import Glibc

/// The FILE arguments of a command, and the options that tell where more come from.
struct InputOptions: ParsableArguments {
  @Flag(name: .shortAndLong, help: "Take the GIFs of the folders inside a folder, too.")
  var recursive = false

  @Option(
    help:
      "Take files, one a line or with a zero byte after each, from this file, or from standard input (-).",
    completion: .file())
  var filesFrom: String?

  @Argument(
    help: "GIF files, folders, playlists (m3u), URLs (http, https, file, data), or - for standard input.",
    completion: .file())
  var files: [String] = []

  /// Whether a playlist is among the arguments, whose files have an order in time.
  var hasPlaylist = false

  mutating func validate() throws {
    var operands = HeldOperands.current.restored(files)
    guard !operands.isEmpty || filesFrom != nil else {
      throw ValidationError("Missing expected argument '<files> ...'")
    }
    let standardInputs = (operands + [filesFrom].compactMap(\.self)).count { $0 == InputFiles.standardInput }
    guard standardInputs < 2 else { throw ValidationError("Standard input (-) can be read once only.") }
    guard standardInputs == 0 || isatty(STDIN_FILENO) == 0 else {
      let hint =
        filesFrom == InputFiles.standardInput
        ? "--files-from - reads names from a pipe or a file" : "- reads a GIF from a pipe or a file"
      throw ValidationError("Standard input is a terminal: \(hint).")
    }
    if let filesFrom {
      guard !OutputFile.isDirectory(filesFrom) else {
        throw ValidationError(
          "--files-from takes a file that holds names; '\(filesFrom)' is a folder, which can be named itself."
        )
      }
      let named = NameList.names(in: filesFrom)
      guard !named.contains(InputFiles.standardInput) || standardInputs == 0 else {
        throw ValidationError("Standard input (-) can be read once only.")
      }
      // A list without names fails as a file that cannot be used.
      operands += named.isEmpty ? [filesFrom] : named
    }
    hasPlaylist = operands.contains(where: Playlist.isPlaylist)
    files = InputFiles.expand(operands, isRecursive: recursive)
  }
}
