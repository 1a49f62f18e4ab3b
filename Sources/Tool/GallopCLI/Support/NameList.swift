internal import GIFLoading
internal import Glibc

/// Lists of file names, as other programs print them; only ``names(in:)`` reads files.
enum NameList {
  /// The largest list that is read, in bytes.
  private static let limit = 256 << 20

  /// The names in a file, or on standard input (`-`); none if it cannot be read.
  static func names(in path: String) -> [String] {
    let isStandardInput = path == InputFiles.standardInput
    return bytes(of: isStandardInput ? nil : path).map(names(in:)) ?? []
  }

  /// The bytes of a file, or of standard input without a path; nil if they cannot be read or are too many.
  static func bytes(of path: String?) -> [UInt8]? {
    let descriptor = path.map { unsafe open(NameText.system($0), O_RDONLY | O_CLOEXEC) } ?? STDIN_FILENO
    guard descriptor >= 0 else { return nil }
    defer { if path != nil { close(descriptor) } }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while bytes.count <= limit {
      let count = unsafe chunk.withUnsafeMutableBytes {
        unsafe try? FileReading.readNext(descriptor, into: $0)
      }
      guard let count else { return nil }
      guard count > 0 else { return bytes }
      bytes += chunk[..<count]
    }
    return nil
  }

  /// The names in a text: those before zero bytes, as `find -print0` writes them, or else one a line.
  ///
  /// Empty lines are left out, and the carriage return of Windows at the end of a line.
  static func names(in bytes: [UInt8]) -> [String] {
    if bytes.contains(0) { return bytes.split(separator: 0).map { NameText.text(Array($0)) } }
    return lines(of: bytes).map { NameText.text(Array($0)) }
  }

  /// The lines that are not empty, each without its end.
  static func lines(of bytes: [UInt8]) -> [ArraySlice<UInt8>] {
    bytes.split(separator: UInt8(ascii: "\n")).compactMap { line in
      let text = line.last == UInt8(ascii: "\r") ? line.dropLast() : line
      return text.isEmpty ? nil : text
    }
  }
}

/// Playlists in the form M3U: a file or URL a line; lines that begin with `#` are remarks.
enum Playlist {
  /// Whether an argument names a playlist on disk.
  static func isPlaylist(_ argument: String) -> Bool {
    guard let path = InputFiles.path(of: argument), path != InputFiles.standardInput else { return false }
    let name = path.lowercased()
    return (name.hasSuffix(".m3u") || name.hasSuffix(".m3u8")) && !OutputFile.isDirectory(path)
  }

  /// The files of a playlist on disk, as paths from here; none if it cannot be read.
  static func files(of path: String) -> [String] {
    guard let bytes = NameList.bytes(of: path) else { return [] }
    let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
    return entries(in: bytes).map { InputFiles.argument(for: $0, in: folder) }
  }

  /// The lines that name a file.
  static func entries(in bytes: [UInt8]) -> [String] {
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    let text = bytes.starts(with: mark) ? Array(bytes.dropFirst(mark.count)) : bytes
    return NameList.lines(of: text).compactMap { line in
      let blank: (UInt8) -> Bool = { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
      var name = line.drop(while: blank)
      while let last = name.last, blank(last) { name.removeLast() }
      return name.isEmpty || name.first == UInt8(ascii: "#") ? nil : NameText.text(Array(name))
    }
  }
}
