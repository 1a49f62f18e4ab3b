internal import Gallop
internal import Glibc
internal import Synchronization

/// Output files: existing files are kept without --force, inputs in any case, and unfinished files are
/// removed.
enum OutputFile {
  /// Writes a file by way of `body`. What is not a regular file (a device, a pipe) is written in place.
  ///
  /// - Parameter isReadBack: whether `body` also reads what it has written.
  /// - Throws: ``CommandFailure`` with the path and the reason; an unfinished file is removed.
  static func write(
    to path: String, force: Bool, keeping inputs: Set<FileIdentity> = [], isReadBack: Bool = false,
    _ body: (OutputDescriptor) throws -> Void
  ) throws {
    switch try check(path, force: force, keeping: inputs) {
    case .inPlace: try writeInPlace(path, body)
    case .new: try writeNew(path, replacing: nil, isReadBack, body)
    case .replacing(let status) where status.st_size == 0 && !isReadBack:
      // A program that has made an empty file for the output may hold it open, and read it there.
      try writeInPlace(path) { target in
        do {
          try body(target)
        } catch {
          try? target.removeAll()
          throw error
        }
      }
    case .replacing(let status): try writeNew(path, replacing: status, isReadBack, body)
    }
  }

  enum Way {
    case new, inPlace
    case replacing(stat)
  }

  /// The way a file is written, checked before its content is made.
  ///
  /// - Parameter inputs: files that are never overwritten.
  /// - Throws: ``CommandFailure`` if it may not be written.
  @discardableResult
  static func check(_ path: String, force: Bool, keeping inputs: Set<FileIdentity> = []) throws -> Way {
    var status = stat()
    guard unsafe stat(NameText.system(path), &status) == 0 else { return .new }
    switch status.st_mode & S_IFMT {
    case S_IFDIR:
      throw CommandFailure(subject: path, reason: "is a directory")
    case S_IFREG:
      if let identity = FileIdentity(path: path), inputs.contains(identity) {
        throw CommandFailure(subject: path, reason: "is read as an input; --output names another file")
      }
      guard force else {
        throw CommandFailure(subject: path, reason: "exists already; --force overwrites it")
      }
      return .replacing(status)
    default:
      return .inPlace
    }
  }

  /// Refuses standard output that the shell has opened on an input.
  static func checkStandardOutput(keeping inputs: Set<FileIdentity>) throws {
    guard let output = FileIdentity(descriptor: STDOUT_FILENO), inputs.contains(output) else { return }
    throw CommandFailure(subject: "standard output", reason: "is a file that is read as an input")
  }

  /// Writes beside the target and puts the whole in its place at the end, so that a reader never sees half a
  /// file.
  ///
  /// - Parameter old: the file to replace, whose owner and mode the new one gets; nil if there is none.
  private static func writeNew(
    _ path: String, replacing old: stat?, _ isReadBack: Bool, _ body: (OutputDescriptor) throws -> Void
  ) throws {
    // A link stays a link; its target is replaced.
    let target = followingLinks(path)
    let draft = draftPath(beside: target)
    let (targetName, draftName) = (NameText.system(target), NameText.system(draft))
    let access = isReadBack ? O_RDWR : O_WRONLY
    let descriptor = unsafe open(draftName, access | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else { throw CommandFailure.system(path, "cannot be written", error: errno) }
    do {
      do {
        if let old {
          // Only root may give files away; the mode matters in any case.
          _ = fchown(descriptor, old.st_uid, old.st_gid)
          _ = fchmod(descriptor, old.st_mode & 0o7777)
        }
        try body(OutputDescriptor(descriptor, name: path))
      } catch {
        close(descriptor)
        throw error
      }
      // Some file systems report a full disk only here.
      guard close(descriptor) == 0 else {
        throw CommandFailure.system(path, "cannot be written", error: errno)
      }
      // A link fails where the target has appeared meanwhile; a rename replaces it.
      let isPlaced =
        unsafe old != nil
        ? rename(draftName, targetName) == 0
        : link(draftName, targetName) == 0 || renameNew(draftName, targetName)
      guard isPlaced else { throw CommandFailure.system(path, "cannot be written", error: errno) }
      unsafe _ = unlink(draftName)
    } catch {
      unsafe _ = unlink(draftName)
      throw error
    }
  }

  /// The path of an unfinished file; its name begins like that of the target, and is never longer than names
  /// may be.
  private static func draftPath(beside target: String) -> String {
    let number = draftCount.wrappingAdd(1, ordering: .relaxed).newValue
    let name = target.unicodeScalars.split(separator: "/").last.map(String.init) ?? ""
    var room = 200
    let beginning = name.prefix { character in
      room -= NameText.bytes(String(character)).count
      return room >= 0
    }
    return folder(of: target) + beginning + ".part\(getpid())-\(number)"
  }

  private static let draftCount = Atomic(0)

  /// The folder of a path with its slash; empty for the current one.
  static func folder(of path: String) -> String {
    // By scalars: a mark that combines with a slash hides it as a character.
    let scalars = path.unicodeScalars
    return scalars.lastIndex(of: "/").map { String(scalars[...$0]) } ?? ""
  }

  /// For file systems without hard links.
  private static func renameNew(_ draft: [CChar], _ path: [CChar]) -> Bool {
    guard [EPERM, ENOTSUP, ENOSYS].contains(errno) else { return false }
    return unsafe access(path, F_OK) != 0 && rename(draft, path) == 0
  }

  /// The path that symbolic links at the end of a path lead to, also where nothing is there yet.
  static func followingLinks(_ path: String) -> String {
    var path = path
    // The system gives up after as many.
    for _ in 0..<40 {
      var name = [CChar](repeating: 0, count: Int(PATH_MAX))
      let count = unsafe readlink(NameText.system(path), &name, name.count)
      guard count > 0 else { break }
      let link = NameText.text(name.prefix(count).map { UInt8(bitPattern: $0) })
      path = link.hasPrefix("/") ? link : folder(of: path) + link
    }
    return path
  }

  private static func writeInPlace(_ path: String, _ body: (OutputDescriptor) throws -> Void) throws {
    let descriptor = unsafe open(NameText.system(path), O_WRONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw CommandFailure.system(path, "cannot be written", error: errno) }
    defer { close(descriptor) }
    try body(OutputDescriptor(descriptor, name: path))
  }

  /// Whether a path names neither a file nor a folder: a device or a pipe, or a link that is not followed.
  static func isSpecial(_ path: String, followsLinks: Bool) -> Bool {
    var status = stat()
    let name = NameText.system(path)
    let isThere = unsafe followsLinks ? stat(name, &status) == 0 : lstat(name, &status) == 0
    return isThere && ![S_IFREG, S_IFDIR].contains(status.st_mode & S_IFMT)
  }

  /// Whether a path names a directory now.
  static func isDirectory(_ path: String) -> Bool {
    var status = stat()
    return unsafe stat(NameText.system(path), &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  /// Whether a path, or `-` for standard output, leads to a terminal.
  static func isTerminal(_ path: String) -> Bool {
    if path == "-" { return isatty(STDOUT_FILENO) == 1 }
    var status = stat()
    guard unsafe stat(NameText.system(path), &status) == 0, status.st_mode & S_IFMT == S_IFCHR else {
      return false
    }
    let descriptor = unsafe open(NameText.system(path), O_WRONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    return isatty(descriptor) == 1
  }

  /// Whether there is anything at a path now.
  static func exists(_ path: String) -> Bool { unsafe access(NameText.system(path), F_OK) == 0 }

  /// Makes a directory, with those above it, if it is not there.
  static func makeDirectory(_ path: String) throws {
    guard !path.isEmpty, !isDirectory(path) else { return }
    let scalars = path.unicodeScalars
    if let slash = scalars.dropLast().lastIndex(of: "/"), slash != scalars.startIndex {
      try makeDirectory(String(scalars[..<slash]))
    }
    guard unsafe mkdir(NameText.system(path), 0o777) == 0 || errno == EEXIST && isDirectory(path) else {
      throw CommandFailure.system(path, "cannot be made", error: errno)
    }
  }

  /// The last part of a path or URL without its `.gif`: what outputs are named after.
  static func baseName(of argument: String) -> String {
    if argument == InputFiles.standardInput { return "stdin" }
    return (try? GIFSource(argument))?.baseName ?? "gif"
  }
}
