/// Videos that other programs write from a pipe of pictures.
enum VideoPipe {
  private static let endings: Set<String> = [
    "mp4", "m4v", "mov", "mkv", "webm", "avi", "mpg", "mpeg", "ogv", "apng", "avif",
  ]

  /// Whether an extension, in lower case, names such a file.
  static func isNamed(by ending: String) -> Bool { endings.contains(ending) }

  /// How ffmpeg writes a file that Gallop does not, as a sentence of a message; empty for other files.
  static func hint(for output: String) -> String {
    guard let dot = output.lastIndex(of: "."),
      isNamed(by: output[output.index(after: dot)...].lowercased())
    else { return "" }
    return " For a video: gallop decode FILE --format y4m -o - | ffmpeg -i - \(ShellWord.quoted(output))"
  }
}

/// Arguments as a shell reads them.
enum ShellWord {
  /// A word in quotes, if it has letters with a meaning.
  static func quoted(_ word: String) -> String {
    let plain = word.unicodeScalars.allSatisfy {
      ("a"..."z").contains($0) || ("A"..."Z").contains($0) || ("0"..."9").contains($0)
        || "-_./+%,:@".unicodeScalars.contains($0)
    }
    if plain, !word.isEmpty { return word }
    return "'" + word.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
  }
}
