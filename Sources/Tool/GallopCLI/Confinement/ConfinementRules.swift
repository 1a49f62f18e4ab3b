internal import Gallop

/// What a command may still reach when it has given up everything else. Making one looks at what paths
/// name.
struct ConfinementRules: Equatable {
  /// Files that are read, wherever their names lead.
  var readFiles: [String] = []
  /// Folders whose names are listed.
  var listedFolders: [String] = []
  /// Folders in which files and folders are made, replaced and removed. Nothing in them is read.
  var writtenFolders: [String] = []
  /// Devices and pipes that are written.
  var writtenFiles: [String] = []
  /// The number of the last file that is a URL of the web, counted from 1; nil without any.
  ///
  /// Until it is loaded, the command may open connections, and read what these need of the system.
  var lastURL: Int?

  var allPaths: [String] { readFiles + listedFolders + writtenFolders + writtenFiles }

  /// The rules for reading the files of a command.
  init(reading files: [String]) {
    for (index, file) in files.enumerated() where file != InputFiles.standardInput {
      switch (try? GIFSource(file))?.kind {
      case .web: lastURL = index + 1
      case .data: break
      default:
        guard let path = InputFiles.path(of: file) else { continue }
        // A folder without GIFs is searched again for its message.
        if OutputFile.isDirectory(path) { listedFolders.append(path) } else { readFiles.append(path) }
      }
    }
  }

  /// Adds what it takes to write a file.
  mutating func write(_ path: String) {
    let target = OutputFile.followingLinks(path)
    if OutputFile.isSpecial(target, followsLinks: true) {
      writtenFiles.append(target)
    } else {
      writeInto(folder: OutputFile.folder(of: target))
    }
  }

  /// Adds what it takes to write files into a folder; empty for the current one.
  mutating func writeInto(folder: String) {
    let folder = folder.isEmpty ? "." : folder
    if writtenFolders.last != folder, !writtenFolders.contains(folder) { writtenFolders.append(folder) }
  }
}
