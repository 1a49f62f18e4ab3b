internal import ArgumentParser
internal import GIFLoading
internal import Glibc

/// The FILE arguments of a command. A folder stands for its GIFs, `-` for standard input.
enum InputFiles {
  static let help: ArgumentHelp =
    "GIF files, folders, URLs (http, https, file, data), or - for standard input."

  static let standardInput = "-"

  /// The arguments with each folder replaced by its GIFs, sorted by name.
  ///
  /// A folder without GIFs stays, and fails like a bad file when it is opened.
  static func expand(_ operands: [String]) throws -> [String] {
    let arguments = HeldOperands.current.restored(operands)
    guard arguments.count(where: { $0 == standardInput }) < 2 else {
      throw ValidationError("Standard input (-) can be read once only.")
    }
    guard !arguments.contains(standardInput) || isatty(STDIN_FILENO) == 0 else {
      throw ValidationError("Standard input is a terminal: - reads a GIF from a pipe or a file.")
    }
    return arguments.flatMap { argument in
      guard let path = (try? GIFSource(argument))?.path, OutputFile.isDirectory(path) else {
        return [argument]
      }
      let names = gifs(in: path)
      return names.isEmpty ? [argument] : names
    }
  }

  private static func gifs(in folder: String) -> [String] {
    guard let stream = unsafe opendir(NameText.system(folder)) else { return [] }
    defer { unsafe closedir(stream) }
    var names: [[UInt8]] = []
    while let entry = unsafe readdir(stream) {
      let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { unsafe Array($0.prefix { $0 != 0 }) }
      let ending = String(decoding: name.suffix(4), as: UTF8.self).lowercased()
      if ending == ".gif", name.first != UInt8(ascii: ".") { names.append(name) }
    }
    let prefix = folder.hasSuffix("/") ? folder : folder + "/"
    return names.sorted { $0.lexicographicallyPrecedes($1) }.compactMap { name in
      let path = prefix + NameText.text(name)
      guard !OutputFile.isDirectory(path) else { return nil }
      // A folder may have the name of a scheme.
      return (try? GIFSource(path))?.path == path ? path : "./" + path
    }
  }
}

/// A file on disk, whatever its names are.
struct FileIdentity: Hashable {
  private let device: UInt64
  private let inode: UInt64

  private init?(_ status: stat) {
    guard status.st_mode & S_IFMT == S_IFREG else { return nil }
    device = UInt64(status.st_dev)
    inode = UInt64(status.st_ino)
  }

  /// Nil for what is not a regular file.
  init?(path: String) {
    var status = stat()
    guard unsafe stat(NameText.system(path), &status) == 0 else { return nil }
    self.init(status)
  }

  init?(descriptor: Int32) {
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else { return nil }
    self.init(status)
  }

  /// The input files, which no output may overwrite.
  static func inputs(_ arguments: [String]) -> Set<FileIdentity> {
    Set(
      arguments.compactMap { argument in
        if argument == InputFiles.standardInput { return FileIdentity(descriptor: STDIN_FILENO) }
        return (try? GIFSource(argument))?.path.flatMap { FileIdentity(path: $0) }
      })
  }
}
