internal import ArgumentParser
internal import Gallop

/// The destination of one GIF's output.
enum OutputDestination: Hashable {
  case discard
  case standardOutput
  /// A file, or a PNG file for each frame.
  case files(OutputNames)

  /// - Parameters:
  ///   - output: what the user gave: a folder, a file, a pattern, `-`, or nothing for the current folder.
  ///   - input: the path or URL of the GIF, after which files are named.
  /// - Throws: `ValidationError` where the output is a pattern that cannot be used.
  init(format: OutputFormat, output: String?, input: String) throws {
    if format == .null {
      self = .discard
    } else if output == "-" {
      self = .standardOutput
    } else {
      self = .files(Self.names(try Self.pieces(format: format, output: output), of: input))
    }
  }

  /// The pieces of a path, and those of the path of an only picture, where that is another one.
  private typealias Pieces = (all: [OutputNames.Piece], single: [OutputNames.Piece]?)

  private static func names(_ pieces: Pieces, of input: String) -> OutputNames {
    OutputNames(pieces.all, single: pieces.single, name: OutputFile.baseName(of: input))
  }

  private static func pieces(format: OutputFormat, output: String?) throws -> Pieces {
    var folder: [OutputNames.Piece] = []
    if let output {
      let pattern = try pattern(format: format, output: output)
      folder = pattern?.pieces ?? [.text(output)]
      let isFile = isOneFile(output, for: format) || pattern?.hasNumber == true && !output.hasSuffix("/")
      if isFile { return (folder, nil) }
      if !output.hasSuffix("/") { folder.append(.text("/")) }
    }
    let ending = OutputNames.Piece.text("." + (format.endings.first ?? ""))
    if format.isOneFilePerPicture {
      return (folder + [.name, .text("-"), .frame(.standard), ending], folder + [.name, ending])
    }
    return (folder + [.name] + (format == .sheet ? [.text("-sheet")] : []) + [ending], nil)
  }

  /// The output as a pattern; nil for a folder that is there, and for a path without places.
  ///
  /// Folders in front that are there are meant as they are named, even with braces.
  private static func pattern(format: OutputFormat, output: String) throws -> OutputPattern? {
    guard !OutputFile.isDirectory(output) else { return nil }
    let folder = existingFolder(of: output)
    let rest = String(output.unicodeScalars.dropFirst(folder.unicodeScalars.count))
    let pattern = try OutputPattern(parsing: rest, in: folder, takesPercent: format.isOneFilePerPicture)
    guard !pattern.hasFrame || format.isOneFilePerPicture else {
      throw ValidationError(
        "'\(output)': {frame} is for PNG and JPEG files; \(format.rawValue) has all frames in one file.")
    }
    return pattern.hasPlaces ? pattern : nil
  }

  /// The longest beginning of a path that is a folder now, with its slash; empty for none.
  private static func existingFolder(of path: String) -> String {
    var folder = OutputFile.folder(of: path)
    while !folder.isEmpty, !OutputFile.isDirectory(folder) {
      folder = OutputFile.folder(of: String(folder.unicodeScalars.dropLast()))
    }
    return folder
  }

  /// Whether an output path means one file rather than a folder.
  private static func isOneFile(_ output: String, for format: OutputFormat) -> Bool {
    guard !output.hasSuffix("/"), !OutputFile.isDirectory(output) else { return false }
    return switch format {
    case .rgba, .bgra, .y4m, .webp: true
    case .png, .jpeg, .sheet:
      format.endings.contains { output.lowercased().hasSuffix("." + $0) } || OutputFile.exists(output)
    case .null: false
    }
  }

  /// Whether the pictures of all files are counted.
  var hasIndex: Bool {
    guard case .files(let names) = self else { return false }
    return names.hasIndex
  }

  /// Adds what it takes to write the outputs of all inputs to the rules of a command, and makes the folder
  /// that they have in common: what is made in it later is allowed with it.
  static func allow(
    _ inputs: [String], format: OutputFormat, output: String?, in rules: inout ConfinementRules
  ) throws {
    guard format != .null, output != "-" else { return }
    let pieces = try pieces(format: format, output: output)
    let fixed = pieces.all.prefix { if case .text = $0 { true } else { false } }
    let path = fixed.map { if case .text(let text) = $0 { text } else { "" } }.joined()
    if fixed.count == pieces.all.count { return rules.write(path) }
    let folder = OutputFile.folder(of: path)
    try OutputFile.makeDirectory(folder)
    rules.writeInto(folder: folder)
    for input in inputs {
      let path = Self.names(pieces, of: input).path(frame: 0, index: 0, of: 1)
      if OutputFile.isSpecial(path, followsLinks: false) { rules.write(path) }
    }
  }

  var makesFolder: Bool {
    guard case .files(let names) = self else { return false }
    return names.makesFolder
  }

  /// The frames to write: each once where a file is named after its frame.
  func frames(of chosen: [Int]) -> [Int] {
    guard case .files(let names) = self, names.hasFrame, !names.hasIndex else { return chosen }
    var seen: Set<Int> = []
    return chosen.filter { seen.insert($0).inserted }
  }

  /// Refuses outputs that would overwrite each other or flood a terminal, before anything is written.
  ///
  /// - Parameter isTerminal: whether a path or `-` leads to a terminal, as `/dev/stdout` may.
  static func check(
    format: OutputFormat, output: String?, inputs: [String], isTerminal: (String) -> Bool = { _ in false }
  ) throws {
    if let output, format != .null, isTerminal(output) {
      let name = output == "-" ? "Standard output" : "'\(output)'"
      throw ValidationError(
        "\(name) is a terminal: --output names a file or a folder, or pipe the output on.")
    }
    var inputOfDestination: [OutputDestination: String] = [:]
    for input in inputs {
      let place = try OutputDestination(format: format, output: output, input: input)
      switch place {
      case .discard: continue
      case .standardOutput:
        guard format.isOneStream, inputs.count > 1 else { continue }
        throw ValidationError(
          "A \(format.rawValue) stream holds one GIF: with several files --output takes a folder.")
      case .files(let names):
        guard !names.hasIndex, let other = inputOfDestination.updateValue(input, forKey: place) else {
          continue
        }
        if let output, try Self.isOneFileForAll(output, format: format) {
          let places = format.isOneStream ? "a folder" : "a folder, -"
          throw ValidationError(
            "With several files --output takes \(places) or a name with {name} or {index}, not '\(output)'.")
        }
        let (former, latter) = (SourceReading.name(of: other), SourceReading.name(of: input))
        throw ValidationError(
          "'\(former)' and '\(latter)' would both become \(names.path(frame: 0, index: 0, of: 2)); {index} in --output tells them apart."
        )
      }
    }
  }

  private static func isOneFileForAll(_ output: String, format: OutputFormat) throws -> Bool {
    if let pattern = try pattern(format: format, output: output) {
      return !pattern.hasName && !output.hasSuffix("/")
    }
    return isOneFile(output, for: format)
  }
}
