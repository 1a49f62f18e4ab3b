internal import ArgumentParser

/// The formats of `gallop decode`.
enum OutputFormat: String, ExpressibleByArgument, CaseIterable {
  case png, jpeg, rgba, bgra, y4m, sheet, webp, null

  /// The formats that the extension of an output names.
  private static let named: [OutputFormat] = [.png, .jpeg, .webp, .y4m, .rgba, .bgra]

  /// The extensions of its files, the usual one first; none where nothing is written.
  var endings: [String] {
    switch self {
    case .jpeg: ["jpg", "jpeg"]
    case .sheet: ["png"]
    case .null: []
    default: [rawValue]
    }
  }

  /// The format that the user asks for, or that the extension of the output names; PNG files otherwise.
  ///
  /// - Throws: `ValidationError` where the extension names a format that cannot be written.
  static func resolve(_ asked: OutputFormat?, output: String?) throws -> OutputFormat {
    guard let output, let ending = fileExtension(of: output) else { return asked ?? .png }
    switch asked {
    case .rgba, .bgra, .y4m, .webp, .null: return asked ?? .png
    case .png?, .jpeg?, .sheet?:
      if let asked, asked.endings.contains(ending) || OutputFile.exists(output) { return asked }
      throw ValidationError(
        "--format \(asked?.rawValue ?? "") does not fit '\(output)': a file ends in .\(asked?.endings.first ?? ""), "
          + "and a folder in a slash." + VideoPipe.hint(for: output))
    case nil:
      if let format = format(namedBy: ending) { return format }
      let endings = named.flatMap(\.endings).map { "." + $0 }.joined(separator: ", ")
      throw ValidationError(
        "'\(output)' cannot be written as .\(ending): files end in \(endings), and a folder in a slash."
          + VideoPipe.hint(for: output))
    }
  }

  private static func format(namedBy ending: String) -> OutputFormat? {
    named.first { $0.endings.contains(ending) }
  }

  /// Whether an extension, in lower case, names one of the formats.
  static func isNamed(by ending: String) -> Bool { format(namedBy: ending) != nil }

  /// Whether each picture is a file of its own.
  var isOneFilePerPicture: Bool { self == .png || self == .jpeg }

  /// Whether one stream has a single GIF: another one cannot follow it.
  var isOneStream: Bool { self == .y4m || self == .webp }

  /// The extension of a path in lower case; nil for a folder and for a name without one.
  static func fileExtension(of output: String) -> String? {
    guard !output.hasSuffix("/"), output != "-", !OutputFile.isDirectory(output) else { return nil }
    let name = output.split(separator: "/").last ?? ""
    guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return nil }
    let ending = name[name.index(after: dot)...].lowercased()
    return ending.isEmpty ? nil : ending
  }
}
