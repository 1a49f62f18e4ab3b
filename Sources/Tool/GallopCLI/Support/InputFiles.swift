internal import Gallop
internal import Glibc

/// What the FILE arguments of a command stand for: a folder for its GIFs, a playlist for its files, `-` for
/// standard input.
enum InputFiles {
  static let standardInput = "-"

  /// The arguments with each folder and playlist replaced by its files.
  ///
  /// A folder without GIFs and a playlist without files stay, and fail like a bad file when they are opened.
  /// - Parameter isRecursive: whether folders inside a folder are looked into.
  static func expand(_ operands: [String], isRecursive: Bool) -> [String] {
    operands.flatMap { operand in
      guard Playlist.isPlaylist(operand), let path = path(of: operand) else {
        return folderExpanded(operand, isRecursive)
      }
      let files = Playlist.files(of: path)
      return files.isEmpty ? [operand] : files.flatMap { folderExpanded($0, isRecursive) }
    }
  }

  /// The path of an argument that names a file on disk; nil for a URL of the web.
  static func path(of argument: String) -> String? { (try? GIFSource(argument))?.path }

  private static func folderExpanded(_ argument: String, _ isRecursive: Bool) -> [String] {
    guard let path = path(of: argument), OutputFile.isDirectory(path) else { return [argument] }
    let names = FolderSearch.gifs(in: path, isRecursive: isRecursive)
    return names.isEmpty ? [argument] : names
  }

  /// The argument for a name that is told relative to a folder: absolute paths and URLs stay as they are.
  ///
  /// - Parameter folder: empty, or with a slash at its end.
  static func argument(for name: String, in folder: String) -> String {
    guard let source = try? GIFSource(name), source.path == name, !name.hasPrefix("/") else { return name }
    let path = folder + name
    return isPlain(path) ? path : "./" + path
  }

  /// Whether a path means itself as an argument: a folder may have the name of a scheme.
  static func isPlain(_ path: String) -> Bool {
    path != standardInput && (try? GIFSource(path))?.path == path
  }

  /// Why an argument cannot be used.
  static func reason(for argument: String, _ error: GIFError) -> String {
    switch error.code {
    case .isDirectory:
      let path = path(of: argument) ?? argument
      let isInside = !FolderSearch.gifs(in: path, isRecursive: true, atMost: 1, inFolders: 1000).isEmpty
      return "is a directory without GIF files" + (isInside ? "; -r looks into the folders in it, too" : "")
    case .notAGIF where Playlist.isPlaylist(argument), .emptyFile where Playlist.isPlaylist(argument):
      let isEmpty = path(of: argument).map { Playlist.files(of: $0).isEmpty } ?? true
      return isEmpty ? "is a playlist without files" : "is a playlist in a playlist, which is not followed"
    default: return error.description
    }
  }
}

/// The GIFs of folders, by their names.
enum FolderSearch {
  /// The paths of the GIFs in a folder, sorted.
  ///
  /// What is hidden or not a regular file is left out. Links to files are followed, those to folders are not,
  /// so that no folder is seen twice. A folder inside that cannot be read is among the paths, and fails when
  /// it is opened.
  /// - Parameters:
  ///   - isRecursive: whether folders in the folder are looked into, at any depth.
  ///   - count: the number of GIFs after which the search ends.
  ///   - folderCount: the number of folders after which the search ends.
  static func gifs(
    in folder: String, isRecursive: Bool, atMost count: Int = .max, inFolders folderCount: Int = .max
  ) -> [String] {
    var found: [[UInt8]] = []
    var folders = [NameText.bytes(folder)]
    var searched = 0
    while let next = folders.popLast(), found.count < count, searched < folderCount {
      searched += 1
      guard let entries = entries(of: next) else {
        if next != NameText.bytes(folder) { found.append(next) }
        continue
      }
      let prefix = next.last == UInt8(ascii: "/") ? next : next + [UInt8(ascii: "/")]
      for name in entries where name.first != UInt8(ascii: ".") {
        let path = prefix + name
        switch kind(of: path) {
        case .folder where isRecursive: folders.append(path)
        case .file where isGIF(name): found.append(path)
        default: break
        }
      }
    }
    return found.sorted { $0.lexicographicallyPrecedes($1) }.map { bytes in
      let path = NameText.text(bytes)
      return InputFiles.isPlain(path) ? path : "./" + path
    }
  }

  private static func isGIF(_ name: [UInt8]) -> Bool {
    String(decoding: name.suffix(4), as: UTF8.self).lowercased() == ".gif"
  }

  /// The names in a folder; nil if it cannot be read.
  private static func entries(of folder: [UInt8]) -> [[UInt8]]? {
    guard let stream = unsafe opendir(folder.map { CChar(bitPattern: $0) } + [0]) else { return nil }
    defer { unsafe closedir(stream) }
    var names: [[UInt8]] = []
    while let entry = unsafe readdir(stream) {
      names.append(unsafe withUnsafeBytes(of: &entry.pointee.d_name) { unsafe Array($0.prefix { $0 != 0 }) })
    }
    return names
  }

  private enum Kind {
    case file, folder, other
  }

  private static func kind(of path: [UInt8]) -> Kind {
    let name = path.map { CChar(bitPattern: $0) } + [0]
    var status = stat()
    guard unsafe lstat(name, &status) == 0 else { return .other }
    if status.st_mode & S_IFMT == S_IFDIR { return .folder }
    guard unsafe stat(name, &status) == 0 else { return .file }
    return status.st_mode & S_IFMT == S_IFREG ? .file : .other
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
