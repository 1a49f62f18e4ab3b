internal import ArgumentParser
internal import GIFDecoding

/// The destination of one GIF's output.
enum OutputDestination: Hashable {
  case discard
  case standardOutput
  case file(String)
  /// A PNG file for each frame.
  case numberedFiles(NumberedName)

  /// - Parameters:
  ///   - output: what the user gave: a folder, a file, `-`, or nothing for the current folder.
  ///   - input: the path or URL of the GIF, after which files in folders are named.
  init(format: OutputFormat, output: String?, input: String) {
    if format == .null {
      self = .discard
    } else if output == "-" {
      self = .standardOutput
    } else if format == .png, let output, !OutputFile.isDirectory(output),
      let pattern = NumberedName(pattern: output)
    {
      self = .numberedFiles(pattern)
    } else if let output, Self.isOneFile(output, for: format) {
      self = .file(output)
    } else {
      let stem = Self.folder(output) + OutputFile.baseName(of: input)
      switch format {
      case .png: self = .numberedFiles(NumberedName(stem: stem))
      case .sheet: self = .file(stem + "-sheet.png")
      default: self = .file(stem + "." + format.rawValue)
      }
    }
  }

  /// Whether an output path means one file rather than a folder.
  private static func isOneFile(_ output: String, for format: OutputFormat) -> Bool {
    guard !output.hasSuffix("/"), !OutputFile.isDirectory(output) else { return false }
    return switch format {
    case .rgba, .bgra, .y4m: true
    case .png: output.lowercased().hasSuffix(".png")
    case .sheet: output.lowercased().hasSuffix(".png") || OutputFile.exists(output)
    case .null: false
    }
  }

  private static func folder(_ output: String?) -> String {
    guard let output else { return "" }
    return output.hasSuffix("/") ? output : output + "/"
  }

  /// Makes the folder that an output names, if need be. A file's own folder must be there.
  func prepare(output: String?) throws {
    guard let output, self != .discard, self != .standardOutput, self != .file(output) else { return }
    if case .numberedFiles(let names) = self { return try OutputFile.makeDirectory(names.folder) }
    try OutputFile.makeDirectory(output)
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
    guard inputs.count > 1 else { return }
    var inputOfDestination: [OutputDestination: String] = [:]
    for input in inputs {
      let place = OutputDestination(format: format, output: output, input: input)
      switch place {
      case .discard: continue
      case .standardOutput:
        guard format == .y4m else { continue }
        throw ValidationError("A y4m stream holds one video: with several files --output takes a folder.")
      case .numberedFiles(let names) where names == output.flatMap({ NumberedName(pattern: $0) }):
        throw ValidationError("With several files --output takes a folder (or -), not '\(output ?? "")'.")
      case .file(output ?? ""):
        let places = format == .y4m ? "a folder" : "a folder (or -)"
        throw ValidationError("With several files --output takes \(places), not '\(output ?? "")'.")
      case .file, .numberedFiles:
        guard let other = inputOfDestination.updateValue(input, forKey: place) else { continue }
        throw ValidationError(
          "'\(SourceReading.name(of: other))' and '\(SourceReading.name(of: input))' would both become \(place.name)."
        )
      }
    }
  }

  /// The destination in messages.
  private var name: String {
    switch self {
    case .discard: "nothing"
    case .standardOutput: "standard output"
    case .file(let path): path
    case .numberedFiles(let names): names.name(0)
    }
  }
}
